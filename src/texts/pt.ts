import type { Words } from './words.js';

export const pt: Words = {};
