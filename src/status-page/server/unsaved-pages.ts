import type { Database } from '../../db/database.js';
import { listPageIds, loadSnapshot } from '../view/load-snapshot.js';
import type { DiskSnapshots } from './disk-snapshots.js';

/** Pages whose disk snapshot is outdated although nobody looks at them. */
export class UnsavedPages {
  private readonly ids = new Set<string>();

  constructor(private readonly diskSnapshots: DiskSnapshots) {}

  add(pageId: string): void {
    this.ids.add(pageId);
  }

  /** All that exist, and all that have a disk snapshot. */
  async addAll(database: Database): Promise<void> {
    for (const id of [...(await listPageIds(database)), ...(await this.diskSnapshots.pageIds())]) this.add(id);
  }

  /** Saves one page, so that writing all after a start does not slow down requests. Returns whether there are more. */
  async saveNext(database: Database): Promise<boolean> {
    const [id] = this.ids;
    if (!id) return false;
    this.ids.delete(id);
    try {
      this.diskSnapshots.save(id, await loadSnapshot(database, id));
    } catch {
      this.ids.add(id);
    }
    return this.ids.size > 0;
  }
}
