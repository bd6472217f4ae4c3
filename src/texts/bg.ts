import type { Words } from './words.js';

export const bg: Words = {};
