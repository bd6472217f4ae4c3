import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { parsePublicUrl, type Settings } from '../../core/config.js';
import { CommandError } from '../../core/errors.js';
import type { Database } from '../../db/database.js';
import { Rasterizer } from '../../content/raster/rasterizer.js';
import type { CompressedResponse } from './compressed-response.js';
import { listPageIds, loadSnapshot } from '../view/load-snapshot.js';
import { loadImage } from '../view/load-image.js';
import { loadNotices } from '../view/load-notices.js';
import { matchRoute } from './match-route.js';
import { createSocialImageCache } from './social-image-cache.js';
import { PageGeneration, type GenerationDependencies } from './page-generation.js';
import { ThemeService } from '../themes/theme-service.js';
import { RenderPool } from '../themes/render-pool.js';

interface ExportContext {
  database: Database;
  settings: Settings;
  progress?(done: number, total: number): void;
}

/**
 * Writes every page as static files: one directory per page id, mounted as at the root of a host of its own.
 * A path without a file extension becomes a directory with an `index.html`. Each compressible file has `.br` and `.gz`
 * variants next to it, which web servers can serve without compressing anything.
 */
export async function exportPages(
  { database, settings, progress }: ExportContext,
  directory: string,
  includesPrivate = false,
): Promise<string> {
  const isDirectory = await mkdir(directory, { recursive: true }).then(
    () => true,
    () => false,
  );
  if (!isDirectory) throw new CommandError(`Cannot create the directory ${directory}.\n`);
  const renderPool = new RenderPool();
  const rasterizer = new Rasterizer();
  const dependencies: GenerationDependencies = {
    publicUrl: parsePublicUrl(settings),
    themes: new ThemeService(() => database, null, renderPool, database.log),
    loadNotices: (page, required) => loadNotices(database, page, required),
    loadImage: (pageId, required) => loadImage(database, pageId, required),
    renderSocialImage: createSocialImageCache(rasterizer.render),
  };
  let fileCount = 0;
  const leftOut: string[] = [];
  const pageIds = await listPageIds(database);
  for (const [index, pageId] of pageIds.entries()) {
    progress?.(index, pageIds.length);
    const stored = await loadSnapshot(database, pageId);
    if (!stored) continue;
    if (stored.page.access && !includesPrivate) {
      leftOut.push(pageId);
      // It may have been exported while it was public.
      await rm(join(directory, pageId), { recursive: true, force: true });
      continue;
    }
    // Static files have no events.
    const snapshot = { ...stored, changeCount: undefined };
    const clockOffsetMs = Date.parse(snapshot.readAt) - Date.now();
    const generation = new PageGeneration(snapshot, dependencies, { clockOffsetMs, staleSince: null });
    const folder = join(directory, pageId);
    const incomplete = join(folder, '.incomplete');
    // Of an export that was interrupted.
    await rm(incomplete, { recursive: true, force: true });
    for (const path of await generation.listPaths('host')) {
      const match = matchRoute(encodeURI(path), '');
      const response = match && (await generation.render('host', match));
      if (response?.status !== 200) continue;
      await writeVariants(join(incomplete, extname(path) ? path : join(path, 'index.html')), response);
      fileCount += 1;
    }
    await replaceFiles(incomplete, folder);
  }
  progress?.(1, 1);
  renderPool.shutdown();
  rasterizer.shutdown();
  const note = leftOut.length
    ? `Private pages were left out: ${leftOut.join(', ')}. --private writes them, too.\n`
    : '';
  const count = pageIds.length - leftOut.length;
  const pages = count === 1 ? '1 page' : `${count} pages`;
  return `Wrote ${fileCount} files for ${pages} to ${directory}\n${note}`;
}

/**
 * Moves files to a folder that visitors read meanwhile. What the page no longer has, such as deleted notices, goes
 * last: a page has all of its files at any time, also where the export is killed.
 */
async function replaceFiles(source: string, folder: string): Promise<void> {
  const current = new Set<string>();
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const path = join(relative(source, entry.parentPath), entry.name);
    current.add(path);
    if (entry.isDirectory()) await mkdir(join(folder, path), { recursive: true });
    else await rename(join(source, path), join(folder, path));
  }
  for (const path of await readdir(folder, { recursive: true }))
    if (!current.has(path)) await rm(join(folder, path), { recursive: true, force: true });
}

async function writeVariants(file: string, { variants }: CompressedResponse): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, variants.identity.body);
  const isCompressed = variants.br.body !== variants.identity.body;
  if (!isCompressed) return;
  await writeFile(`${file}.br`, variants.br.body);
  await writeFile(`${file}.gz`, variants.gzip.body);
}
