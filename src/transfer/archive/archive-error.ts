import { badRequest, type Refusal } from '../../core/errors.js';

/** One sentence about why an archive cannot be imported. */
export const refuseArchive = (reason: string): Refusal => badRequest(`The archive cannot be imported: ${reason}.`);
