import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';

/** One can have 100,000 characters of updates and two thousand names of components: about a megabyte. */
const maxCacheBytes = 16 * 1024 * 1024;

interface Row {
  id: number;
  snapshot: MessageSnapshot;
  bytes: number;
}

export class MessageSnapshots {
  private readonly cache = new LRUCache<number, MessageSnapshot>({ max: 100, maxSize: maxCacheBytes });

  constructor(private readonly database: Pick<Database, 'query' | 'log'>) {}

  /** By the id of the publication; without those that could not be loaded. */
  async find(publicationIds: readonly number[]): Promise<Map<number, MessageSnapshot>> {
    const found = new Map<number, MessageSnapshot>();
    for (const id of publicationIds) {
      const cached = this.cache.get(id);
      if (cached) found.set(id, cached);
    }
    const missing = publicationIds.filter(id => !found.has(id));
    for (const { id, snapshot, bytes } of missing.length ? await this.load(missing) : []) {
      found.set(id, snapshot);
      this.cache.set(id, snapshot, { size: bytes });
    }
    return found;
  }

  private async load(publicationIds: readonly number[]): Promise<Row[]> {
    try {
      return await this.database.query<Row>(
        `select id, message_snapshot as snapshot, octet_length(message_snapshot::text) as bytes
         from publication where id = any($1::integer[])`,
        [publicationIds],
      );
    } catch (error) {
      this.database.log.debug({ err: error }, 'message snapshots could not be loaded');
      return [];
    }
  }
}
