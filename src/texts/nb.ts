import type { Words } from './words.js';

export const nb: Words = {};
