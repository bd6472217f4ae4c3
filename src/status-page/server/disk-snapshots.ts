import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { log } from '../../core/logger.js';
import type { PageSnapshot } from '../view/snapshot.js';

const fileName = /^([0-9a-f]{8})\.json$/;

/** The snapshots of all pages on the disk, one file a page: what is shown after a start without a database. */
export class KeptPages {
  private readonly waiting = new Map<string, PageSnapshot | null>();
  private writing: Promise<void> | undefined;

  constructor(private readonly folder: string) {}

  /** Null: the page is gone. Soon, not now: a page that changes many times a second is written for the last of them. */
  keep(id: string, snapshot: PageSnapshot | null): void {
    this.waiting.set(id, snapshot);
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
    });
  }

  async read(id: string): Promise<PageSnapshot | null> {
    const waiting = this.waiting.get(id);
    if (waiting !== undefined) return waiting;
    try {
      const kept = JSON.parse(await readFile(this.path(id), 'utf8')) as PageSnapshot;
      if (kept?.page?.id !== id || !kept.brand || !Array.isArray(kept.components) || !Array.isArray(kept.notices))
        throw new Error('it is no page');
      return kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.warn({ err: error, page: id }, 'a kept page could not be read');
      return null;
    }
  }

  async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => [] as string[]);
    return names.flatMap(name => fileName.exec(name)?.[1] ?? []);
  }

  /** The pages that have a verified domain, by it. */
  async domains(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const id of await this.ids()) {
      const domain = (await this.read(id))?.page.domain;
      if (domain) found.set(domain, id);
    }
    return found;
  }

  /** A theme as it was uploaded, in the place of the one before. */
  async keepTheme(id: string, version: string, archive: Buffer): Promise<void> {
    try {
      await this.put(this.themePath(id, version), archive);
      await this.forgetThemes(id, version);
    } catch (error) {
      log.warn({ err: error, page: id }, 'a theme could not be kept');
    }
  }

  readTheme(id: string, version: string): Promise<Buffer | null> {
    return readFile(this.themePath(id, version)).catch(() => null);
  }

  /** All but the one of a version. */
  private async forgetThemes(id: string, version?: string): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [] as string[])) {
      if (name.startsWith(`${id}.`) && name.endsWith('.zip') && name !== `${id}.${version}.zip`)
        await rm(join(this.folder, name), { force: true });
    }
  }

  /** When all that waits is written. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private path = (id: string) => join(this.folder, `${id}.json`);
  private themePath = (id: string, version: string) => join(this.folder, `${id}.${version}.zip`);

  /** Whole or not at all, whatever happens to this process. Of several on a folder each has a file of its own. */
  private async put(path: string, content: string | Buffer): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, path);
  }

  private async write(): Promise<void> {
    while (this.waiting.size) {
      const [id, snapshot] = this.waiting.entries().next().value!;
      try {
        if (snapshot) await this.put(this.path(id), JSON.stringify(snapshot));
        if (!snapshot?.themeVersion) await this.forgetThemes(id);
        if (!snapshot) await rm(this.path(id), { force: true });
      } catch (error) {
        log.warn({ err: error, page: id }, 'a page could not be kept');
      }
      if (this.waiting.get(id) === snapshot) this.waiting.delete(id);
    }
  }
}
