import type { Words } from './words.js';

export const de: Words = {};
