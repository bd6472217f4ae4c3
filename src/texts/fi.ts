import type { Words } from './words.js';

export const fi: Words = {};
