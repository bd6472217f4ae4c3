import type { Words } from './words.js';

export const pl: Words = {};
