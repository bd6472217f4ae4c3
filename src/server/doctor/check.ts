import type { Settings } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import type { ResolveTxt } from './resolve-txt.js';

type Outcome = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  outcome: Outcome;
  /** What was found, in sentences. */
  found: string;
  /** What to do. */
  remedy?: string;
}

export interface DoctorContext {
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  /** Null: there is none yet. Rejects where it cannot be opened. */
  database: Promise<Database | null>;
  resolveTxt: ResolveTxt;
}

export type Check = (context: DoctorContext) => Finding | Promise<Finding>;

export const ok = (found: string): Finding => ({ outcome: 'ok', found });
export const warning = (found: string, remedy: string): Finding => ({ outcome: 'warning', found, remedy });
export const failed = (found: string, remedy: string): Finding => ({ outcome: 'failed', found, remedy });
export const skipped = (found: string): Finding => ({ outcome: 'skipped', found });

/** A check that needs the open database; `database` itself says why it is not open. */
export const onDatabase =
  (check: (database: Database, context: DoctorContext) => Promise<Finding>): Check =>
  async context => {
    const database = await context.database.catch(() => null);
    return database ? check(database, context) : skipped('The database is not open.');
  };

/** The code of a network error, which the message of `fetch` leaves out, else the message. */
export function describeError(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  // The cause may be a response, which has no message.
  const { code, name, message = (error as Error).message } = inner as Partial<Error> & { code?: unknown };
  if (name === 'TimeoutError') return 'no answer in time';
  return typeof code === 'string' ? code : message;
}
