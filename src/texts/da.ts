import type { Words } from './words.js';

export const da: Words = {};
