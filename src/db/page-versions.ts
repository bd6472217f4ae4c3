import type { Database } from './database.js';

/** A batch of pages whose versions the next statement reads. */
interface Batch {
  pageIds: Set<string>;
  versions: Promise<Map<string, number>>;
}

/**
 * Reads how often pages have changed. Requests that wait at the same time share a statement, which begins after all of
 * them have arrived: each gets a version that is as new as if it had read it alone.
 */
export class PageVersions {
  private waiting: Batch | null = null;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /** Returns the versions of pages as one text, which is another whenever one of the pages has changed. */
  async read(pageIds: readonly string[]): Promise<string> {
    this.waiting ??= this.createBatch();
    const batch = this.waiting;
    for (const id of pageIds) batch.pageIds.add(id);
    const versions = await batch.versions;
    return pageIds.map(id => `${id} ${versions.get(id)}`).join();
  }

  private createBatch(): Batch {
    const pageIds = new Set<string>();
    const versions = this.running
      .catch(() => {})
      .then(() => {
        this.waiting = null;
        return this.readAll([...pageIds]);
      });
    this.running = versions;
    return { pageIds, versions };
  }

  private async readAll(pageIds: string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ id: string; count: number }>(
      'select id, change_count as "count" from page where id = any($1)',
      [pageIds],
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }
}
