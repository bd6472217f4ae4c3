import type { Words } from './words.js';

export const el: Words = {};
