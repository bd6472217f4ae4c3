import type { Words } from './words.js';

export const cs: Words = {};
