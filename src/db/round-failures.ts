import type { Logger } from '../core/logger.js';
import { toRefusal } from './database-errors.js';

/** Of the rounds in a row in which the database is away: a failover is shorter. */
const firstWarning = 3;

/** 3, 6, 12, 24, ... */
const isPowerOfTwo = (count: number) => Number.isInteger(count) && (count & (count - 1)) === 0;

/**
 * Logs the rounds of a loop that fail. A defect is an error each time. Where the database is away, locked or full, the
 * third round in a row is a warning, and then ever fewer, so that an outage does not fill the log.
 */
export class RoundFailures {
  private count = 0;

  constructor(
    private readonly message: string,
    private readonly log: Logger,
  ) {}

  add(error: unknown): void {
    this.count += 1;
    const isUnavailable = toRefusal(error)?.code === 'UNAVAILABLE';
    const level = !isUnavailable ? 'error' : isPowerOfTwo(this.count / firstWarning) ? 'warn' : 'debug';
    this.log[level]({ err: error, rounds: this.count }, this.message);
  }

  clear(): void {
    this.count = 0;
  }
}
