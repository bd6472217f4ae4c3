import type { Words } from './words.js';

export const ru: Words = {};
