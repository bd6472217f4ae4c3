import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CommandError } from '../../core/errors.js';
import type { Digests } from './digest.js';

const manifestSchema = z.object({
  createdAt: z.string(),
  tables: z.record(z.string(), z.object({ rows: z.number(), hash: z.string() })),
});

const manifestPath = (folder: string) => join(folder, 'manifest.json');

/** Says what a backup has. It is written last: a backup without it is incomplete. */
export async function writeManifest(folder: string, tables: Digests): Promise<void> {
  const incomplete = `${manifestPath(folder)}.incomplete`;
  const manifest = { createdAt: new Date().toISOString(), tables };
  await writeFile(incomplete, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await rename(incomplete, manifestPath(folder));
}

export async function readManifest(folder: string): Promise<z.infer<typeof manifestSchema>> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(manifestPath(folder), 'utf8')));
  } catch {
    throw new CommandError(`${resolve(folder)} is not a complete backup: it has no manifest.json that can be read.\n`);
  }
}
