import type { Words } from './words.js';

export const nl: Words = {};
