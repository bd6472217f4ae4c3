import { Initial } from './migrations/20261120-initial.js';

/** In their order; the names are what a database remembers. */
export const migrations = [{ name: '20261120-initial', class: Initial }];
