import type { Words } from './words.js';

export const lt: Words = {};
