import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { writeDocuments } from './generate-documents.ts';

/**
 * Part of `npm run build`: bundles the console into dist/console, with a Brotli file beside each asset. It does nothing
 * where the bundle was made from these sources.
 */
const folder = import.meta.dirname;
const output = join(folder, '../dist/console');
const digestFile = join(output, 'sources.sha256');

function listFiles(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

await writeDocuments();
const sources = [...listFiles(folder).sort(), join(folder, '../package-lock.json')];
const digest = createHash('sha256');
for (const path of sources) digest.update(path.slice(folder.length)).update(readFileSync(path));
const current = digest.digest('hex');

if (!existsSync(digestFile) || readFileSync(digestFile, 'utf8') !== current) {
  process.stderr.write('Building the console: this takes a few seconds, and only when it has changed.\n');
  // Tests run this with NODE_ENV=test, and would get React's development build.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'error' });
  for (const path of listFiles(output)) {
    const content = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  }
  // Last: a build that was interrupted is made again.
  writeFileSync(digestFile, current);
}
