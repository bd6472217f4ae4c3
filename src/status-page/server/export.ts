import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Database } from '../../db/connection.js';
import { CommandRefused } from '../../core/errors.js';
import type { Packed } from './compressed-response.js';
import { allPageIds, readPage } from '../view/load-snapshot.js';
import { routeOf } from './request-target.js';
import { Site } from './page-revision.js';
import { Dresser } from '../themes/theme-service.js';
import { closeWorkshop } from '../themes/process-pool.js';

const usage = 'npm run export -- <folder>   writes all pages as files, for a web server or a CDN to serve\n';

/**
 * Writes what visitors are served: for each page a folder by its id, as for a host of its own, and each file packed beside itself (`index.html.br`,
 * `index.html.gz`). An address without an ending is a folder with an `index.html`.
 */
export async function exportPages(database: Database, [folder]: string[]): Promise<string> {
  if (!folder) throw new CommandRefused(usage);
  const isFolder = await mkdir(folder, { recursive: true }).then(
    () => true,
    () => false,
  );
  if (!isFolder) throw new CommandRefused(`${folder} is no folder, and cannot become one.\n`);
  let files = 0;
  const ids = await allPageIds(database);
  for (const id of ids) {
    const snapshot = await readPage(database, id);
    if (!snapshot) continue;
    const site = new Site(snapshot, Date.parse(snapshot.readAt) - Date.now(), null, new Dresser(() => database, null));
    // What a page no longer has must not stay behind.
    await rm(join(folder, id), { recursive: true, force: true });
    for (const address of await site.addresses('host')) {
      const route = routeOf(encodeURI(address), '');
      const packed = route && (await site.draw('host', route, () => Promise.resolve(null)));
      if (packed?.status !== 200) continue;
      await write(join(folder, id, extname(address) ? address : join(address, 'index.html')), packed);
      files += 1;
    }
  }
  closeWorkshop();
  return `${files} files of ${ids.length} pages are in ${folder}\n`;
}

async function write(path: string, { forms }: Packed): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, forms.identity.body);
  if (forms.br.body === forms.identity.body) return;
  await writeFile(`${path}.br`, forms.br.body);
  await writeFile(`${path}.gz`, forms.gzip.body);
}
