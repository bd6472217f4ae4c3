import type { Words } from './words.js';

export const ja: Words = {};
