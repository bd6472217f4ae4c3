import type { Words } from './words.js';

export const et: Words = {};
