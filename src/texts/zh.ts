import type { Words } from './words.js';

export const zh: Words = {};
