import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';

export class MessageSnapshots {
  private readonly cache = new LRUCache<number, MessageSnapshot>({ max: 100 });

  constructor(private readonly database: Database) {}

  /** By the id of the publication; without those that could not be loaded. */
  async find(publicationIds: readonly number[]): Promise<Map<number, MessageSnapshot>> {
    const missing = publicationIds.filter(id => !this.cache.has(id));
    if (missing.length) await this.load(missing);
    return new Map(publicationIds.flatMap(id => (this.cache.has(id) ? [[id, this.cache.get(id)!]] : [])));
  }

  private async load(publicationIds: readonly number[]): Promise<void> {
    try {
      const rows = await this.database.query<{ id: number; snapshot: MessageSnapshot }>(
        'select id, message_snapshot as snapshot from publication where id = any($1::integer[])',
        [publicationIds],
      );
      for (const { id, snapshot } of rows) this.cache.set(id, snapshot);
    } catch (error) {
      this.database.log.debug({ err: error }, 'message snapshots could not be loaded');
    }
  }
}
