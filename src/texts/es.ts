import type { Words } from './words.js';

export const es: Words = {};
