import type { Words } from './words.js';

export const sk: Words = {};
