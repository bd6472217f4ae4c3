import type { Words } from './words.js';

export const ptBrazilian: Words = {};
