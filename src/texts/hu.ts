import type { Words } from './words.js';

export const hu: Words = {};
