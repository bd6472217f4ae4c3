import type { RunQuery } from './prepared-statements.js';

/**
 * The position in the write-ahead log of the primary before which all changes are that this process has heard of. It
 * never goes back, so that after a failover it is too far ahead for a while, and the primary is read.
 */
export class ChangePosition {
  private position = 0;
  /** How many changes were heard of. The first stands for what was there before. */
  private heard = 1;
  /** How many of them are before the position. */
  private located = 0;

  /** Null: there is a change whose position is not known yet. */
  get current(): number | null {
    return this.located === this.heard ? this.position : null;
  }

  /** Adds a change whose position is not known yet. */
  add(): void {
    this.heard += 1;
  }

  /** Adds a change that is before a position. */
  addBefore(position: number): void {
    this.position = Math.max(this.position, position);
  }

  /** Reads the position of the primary, which is behind all changes that were heard of until now. */
  async locate(query: RunQuery): Promise<number> {
    const { heard } = this;
    const [row] = await query<{ position: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position`,
    );
    const { position } = row!;
    this.located = Math.max(this.located, heard);
    this.addBefore(position);
    return position;
  }
}
