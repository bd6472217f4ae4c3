import type { Words } from './words.js';

export const ar: Words = {};
