import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { toBuiltUrl } from '../core/built-url.js';
import { startScript, styles } from './graphiql-start.js';

export interface Asset {
  contentType: string;
  etag: string;
  compressed: Uint8Array;
}

export interface GraphiqlAssets {
  byPath: ReadonlyMap<string, Asset>;
  /** The paths of the scripts and stylesheets of the page, in the order in which it loads them. */
  scripts: string[];
  stylesheets: string[];
}

/** What `create-graphiql-assets.ts` writes. */
export const graphiqlFolder = toBuiltUrl('./graphiql/', import.meta.url);

const folder = '/graphql/assets/';
const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/** The paths contain a hash of the content, so browsers can cache them forever. */
export const isAssetPath = (path: string): boolean => path.startsWith(folder) && /-[\w-]{22}\.(css|js)$/.test(path);

export async function loadGraphiqlAssets(): Promise<GraphiqlAssets> {
  const byPath = new Map<string, Asset>();
  const add = (name: string, extension: 'css' | 'js', compressed: Uint8Array): string => {
    const hash = createHash('sha256').update(compressed).digest('base64url').slice(0, 22);
    const path = `${folder}${name}-${hash}.${extension}`;
    byPath.set(path, { contentType: contentTypes[extension], etag: `"${hash}"`, compressed });
    return path;
  };
  const { js, css, ...workers } = await readFiles();
  const workerPaths = Object.fromEntries(
    Object.entries(workers).map(([name, text]) => [name.replace(/Worker$/, ''), add(name, 'js', text)]),
  );
  return {
    byPath,
    scripts: [add('start', 'js', gzipSync(startScript(workerPaths))), add('graphiql', 'js', js)],
    stylesheets: [add('graphiql', 'css', css), add('start', 'css', gzipSync(styles))],
  };
}

/** The compressed files, by name: `js`, `css` and the workers of the editor. */
async function readFiles(): Promise<Record<string, Uint8Array> & { js: Uint8Array; css: Uint8Array }> {
  const names = (await readdir(graphiqlFolder)).filter(name => name.endsWith('.gz'));
  const files = names.map(async name => [name.replace('.gz', ''), await readFile(new URL(name, graphiqlFolder))]);
  return Object.fromEntries(await Promise.all(files));
}
