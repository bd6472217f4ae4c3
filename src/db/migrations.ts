import { Initial } from './migrations/20261120-initial.js';

/** In the order in which they run. The table `migration` stores their names. */
export const migrations = [{ name: '20261120-initial', class: Initial }];
