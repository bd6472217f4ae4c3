import type { Words } from './words.js';

export const fr: Words = {};
