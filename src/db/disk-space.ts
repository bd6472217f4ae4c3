import type pg from 'pg';
import type { Logger } from '../core/logger.js';
import { isDiskFull } from './database-errors.js';

const probeIntervalMs = 2_000;
const logIntervalMs = 60_000;
/** Allocates 600 kB on the disk of the database, and gives them back. */
const probe =
  'create temporary table disk_space_probe on commit drop as ' +
  'select md5(number::text) as filler from generate_series(1, 10000) as number';

/** Knows whether the disk of the database is full: from the first write that fails, until one succeeds. */
export class DiskSpace {
  private timer: NodeJS.Timeout | undefined;
  private lastLoggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Logger,
  ) {}

  get isFull(): boolean {
    return this.timer !== undefined;
  }

  report(error: unknown): void {
    if (!isDiskFull(error as { code?: unknown })) return;
    const now = performance.now();
    if (now - this.lastLoggedAt >= logIntervalMs) {
      this.lastLoggedAt = now;
      this.log.error('the disk of the database is full: writes fail until there is space');
    }
    this.timer ??= setInterval(() => this.probe(), probeIntervalMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private probe(): void {
    this.pool.query(probe).then(
      () => {
        this.stop();
        this.lastLoggedAt = Number.NEGATIVE_INFINITY;
        this.log.info('the disk of the database has space again');
      },
      () => {},
    );
  }
}
