import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.js';
import { loadImage, type RequiredImage } from '../view/load-image.js';
import type { DiskSnapshots } from './disk-snapshots.js';

const maxCacheBytes = 16 * 1024 * 1024;

export class ImageLoader {
  private readonly cache = new LRUCache<string, Buffer>({ maxSize: maxCacheBytes, sizeCalculation: b => b.length + 1 });

  constructor(
    private readonly database: () => Database | null,
    private readonly diskSnapshots: Pick<DiskSnapshots, 'saveImage' | 'loadImage'> | null,
  ) {}

  /** Null: there is no such image, or it cannot be loaded. */
  async load(pageId: string, required: RequiredImage): Promise<Buffer | null> {
    const name = `${required.hash}.${required.format}`;
    const key = `${pageId}.${name}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const stored = await this.query(pageId, required);
    const bytes = stored ?? (await this.diskSnapshots?.loadImage(pageId, name)) ?? null;
    if (bytes) this.cache.set(key, bytes);
    if (stored) await this.diskSnapshots?.saveImage(pageId, name, stored);
    return bytes;
  }

  private async query(pageId: string, required: RequiredImage): Promise<Buffer | null> {
    const database = this.database();
    return database && loadImage(database, pageId, required).catch(() => null);
  }
}
