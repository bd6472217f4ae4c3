import type { Words } from './words.js';

export const ro: Words = {};
