import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const root = join(import.meta.dirname, '..');

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

/** Of more than a megabyte, the best compression takes many seconds. */
const chooseQuality = ({ length }: Buffer) => (length > 1_000_000 ? 6 : constants.BROTLI_MAX_QUALITY);

/**
 * Bundles what browsers load into `dist/<name>`, with a Brotli file beside each file. It does nothing where the bundle was
 * made from these sources, files and folders.
 */
export async function bundle(
  name: string,
  sources: string[],
  write: (build: typeof import('vite').build, output: string) => Promise<unknown>,
): Promise<void> {
  const output = join(root, 'dist', name);
  const digestFile = join(output, 'sources.sha256');
  const digest = createHash('sha256');
  const paths = sources.flatMap(source => listFiles(join(root, source)).sort());
  for (const path of [...paths, join(root, 'package-lock.json'), import.meta.filename])
    digest.update(path.slice(root.length)).update(readFileSync(path));
  const current = digest.digest('hex');
  if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === current) return;
  process.stderr.write(`Bundling ${name}: this takes a few seconds, and only when it has changed.\n`);
  rmSync(output, { recursive: true, force: true });
  // Tests run this with NODE_ENV=test, and would get React's development build.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await write(build, output);
  for (const path of listFiles(output)) {
    const content = readFileSync(path);
    const params = {
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_QUALITY]: chooseQuality(content),
    };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  }
  // Last: a build that was interrupted is made again.
  writeFileSync(digestFile, current);
}
