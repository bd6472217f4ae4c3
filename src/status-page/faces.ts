import type { Face } from './face.js';

/** Every address of a page: what is not here is a 404. */
export const faces: readonly Face[] = [];
