import type { Words } from './words.js';

export const sv: Words = {};
