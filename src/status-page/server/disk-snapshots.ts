import { access, constants, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../core/logger.js';
import type { PageSnapshot } from '../view/snapshot.js';

/** `<page id>.<hash>.png`; that of an image in a text is `<page id>.<hash>-<width>x<height>.png`. */
const imageFileName = /^[0-9a-f]{8}\.([0-9a-f]{16}(?:-\d+x\d+)?)\.(?:svg|png|webp|jpg|gif)$/;

const snapshotFileName = /^([0-9a-f]{8})\.json$/;

/** What leads to the pages on the disk. */
export interface SnapshotIndex {
  /** By verified custom domain. */
  idsByDomain: Map<string, string>;
  /** Of pages that everybody may find. */
  publicIds: string[];
}

/** Snapshots and themes of all pages on the disk, for a process that starts while the database is unavailable. */
export class DiskSnapshots {
  private readonly pending = new Map<string, PageSnapshot | null>();
  private writing: Promise<void> | undefined;

  constructor(
    private readonly directory: string,
    private readonly log: Logger,
  ) {}

  /** Warns at a start, since the first page may be saved much later, and is needed in an outage. */
  async checkDirectory(): Promise<void> {
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await access(this.directory, constants.W_OK);
    } catch (error) {
      this.log.warn({ err: error }, 'DATA_DIR cannot be written: a start without the database would show no pages');
    }
  }

  /** Saves a snapshot in the background; null deletes it. Only the last pending one of a page is written. */
  save(pageId: string, snapshot: PageSnapshot | null): void {
    this.pending.set(pageId, snapshot);
    this.writing ??= this.writePending().finally(() => {
      this.writing = undefined;
    });
  }

  async load(pageId: string): Promise<PageSnapshot | null> {
    const pending = this.pending.get(pageId);
    if (pending !== undefined) return pending;
    try {
      const snapshot = JSON.parse(await readFile(this.snapshotPath(pageId), 'utf8')) as PageSnapshot;
      const hasLists = Array.isArray(snapshot?.components) && Array.isArray(snapshot.notices);
      if (snapshot?.page?.id !== pageId || !snapshot.brand || !hasLists)
        throw new Error('The file is not a snapshot of this page.');
      return snapshot;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log.warn({ err: error, page: pageId }, 'failed to read a page snapshot from the disk');
      return null;
    }
  }

  async pageIds(): Promise<string[]> {
    return (await this.fileNames()).flatMap(name => snapshotFileName.exec(name)?.[1] ?? []);
  }

  async readIndex(): Promise<SnapshotIndex> {
    const index: SnapshotIndex = { idsByDomain: new Map(), publicIds: [] };
    for (const pageId of await this.pageIds()) {
      const page = (await this.load(pageId))?.page;
      if (page?.domain) index.idsByDomain.set(page.domain, pageId);
      if (page?.visibility === 'public') index.publicIds.push(pageId);
    }
    return index;
  }

  /** Saves an uploaded theme and deletes the older versions. */
  async saveTheme(pageId: string, version: string, archive: Buffer): Promise<void> {
    try {
      await this.writeAtomically(this.themePath(pageId, version), archive);
      await this.deleteThemes(pageId, version);
    } catch (error) {
      this.log.warn({ err: error, page: pageId }, 'failed to save a theme to the disk');
    }
  }

  loadTheme(pageId: string, version: string): Promise<Buffer | null> {
    return readFile(this.themePath(pageId, version)).catch(() => null);
  }

  async saveImage(pageId: string, name: string, bytes: Buffer): Promise<void> {
    await this.writeAtomically(this.imagePath(pageId, name), bytes).catch(error => {
      this.log.warn({ err: error, page: pageId }, 'failed to save an image to the disk');
    });
  }

  loadImage(pageId: string, name: string): Promise<Buffer | null> {
    return readFile(this.imagePath(pageId, name)).catch(() => null);
  }

  async flush(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async deleteThemes(pageId: string, exceptVersion?: string): Promise<void> {
    for (const name of await this.fileNames()) {
      if (name.startsWith(`${pageId}.`) && name.endsWith('.zip') && name !== `${pageId}.${exceptVersion}.zip`)
        await rm(join(this.directory, name), { force: true });
    }
  }

  /** Keeps the images that a snapshot names: those of the brand, and those in its texts. */
  private async deleteImages(pageId: string, snapshot: string): Promise<void> {
    for (const name of await this.fileNames()) {
      const hash = name.startsWith(`${pageId}.`) && imageFileName.exec(name)?.[1];
      if (hash && !snapshot.includes(hash)) await rm(join(this.directory, name), { force: true });
    }
  }

  private fileNames = (): Promise<string[]> => readdir(this.directory).catch(() => []);
  private snapshotPath = (pageId: string) => join(this.directory, `${pageId}.json`);
  private imagePath = (pageId: string, name: string) => join(this.directory, `${pageId}.${name}`);
  private themePath = (pageId: string, version: string) => join(this.directory, `${pageId}.${version}.zip`);

  /** Renames a temporary file, so that a crash leaves no partial one. Its name has the id of the process. */
  private async writeAtomically(path: string, content: string | Buffer): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const temporaryPath = `${path}.${process.pid}`;
    await writeFile(temporaryPath, content, { mode: 0o600 });
    await rename(temporaryPath, path);
  }

  private async writePending(): Promise<void> {
    while (this.pending.size) {
      const [pageId, snapshot] = this.pending.entries().next().value!;
      try {
        const text = snapshot ? JSON.stringify(snapshot) : '';
        if (snapshot) await this.writeAtomically(this.snapshotPath(pageId), text);
        await this.deleteImages(pageId, text);
        if (!snapshot?.themeVersion) await this.deleteThemes(pageId);
        if (!snapshot) await rm(this.snapshotPath(pageId), { force: true });
      } catch (error) {
        this.log.warn({ err: error, page: pageId }, 'failed to save a page snapshot to the disk');
      }
      // A newer snapshot that arrived meanwhile stays pending.
      if (this.pending.get(pageId) === snapshot) this.pending.delete(pageId);
    }
  }
}
