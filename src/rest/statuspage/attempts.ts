import { Refusal } from '../../core/errors.js';

/** Each attempt fails because another request has written meanwhile, so that few are needed. */
const maxAttempts = 5;

/** Runs a change that reads a record and writes it in the version that it has read. */
export async function retryChange<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const hasChanged = error instanceof Refusal && error.code === 'PRECONDITION_FAILED';
      if (!hasChanged || attempt === maxAttempts) throw error;
    }
  }
}
