import { changeKeySql } from './committed-changes.js';
import type { Listening } from './listen.js';

/** Must be longer than a process can fail to poll without noticing it. */
export const changeRetention = '10 minutes';
/**
 * The longest time from the insert of a change to its commit. The insert is the last statement of its transaction, so
 * timeouts leave it 22 seconds (pool-options.ts); and a commit can wait until a synchronous standby is replaced.
 */
const overlapSeconds = 60;

/**
 * Reads the changes that other processes committed, each once. Rows become visible in the order of their commits and
 * not of their times, so each read goes back behind the one before by the overlap, and drops the rows that were seen.
 */
export class ChangeReader {
  private readonly seen = new Set<string>();
  private lastReadAt: string | null = null;

  constructor(
    private readonly query: Listening['query'],
    private readonly overlap = overlapSeconds,
  ) {}

  /** By the clock of the database. Null before the first read. */
  get readAt(): string | null {
    return this.lastReadAt;
  }

  /** Returns whether the change is new. */
  add(key: string): boolean {
    const isNew = !this.seen.has(key);
    this.seen.add(key);
    return isNew;
  }

  /** Returns the keys of the changes that are new. */
  async read(): Promise<string[]> {
    // The time of the transaction is that before the snapshot of the statement: no commit is between the two.
    const rows = await this.query<{ readAt: string; keys: string[] }>(
      `select now()::text as "readAt", array(
         select ${changeKeySql('c')} from page_change c
         where c.created_at > coalesce($1::timestamptz, now()) - make_interval(secs => $2)
         order by c.id) as keys`,
      [this.lastReadAt, this.overlap],
    );
    const { readAt, keys } = rows[0]!;
    this.lastReadAt = readAt;
    const newKeys = keys.filter(key => !this.seen.has(key));
    // Whatever the next read returns is among these, or new.
    this.seen.clear();
    for (const key of keys) this.seen.add(key);
    return newKeys;
  }
}
