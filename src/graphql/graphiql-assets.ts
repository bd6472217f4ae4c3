import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
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
  const { js, css, ...workers } = await compressPackage();
  const workerPaths = Object.fromEntries(
    Object.entries(workers).map(([name, text]) => [name.replace(/Worker$/, ''), add(name, 'js', text)]),
  );
  return {
    byPath,
    scripts: [add('start', 'js', gzipSync(startScript(workerPaths))), add('graphiql', 'js', js)],
    stylesheets: [add('graphiql', 'css', css), add('start', 'css', gzipSync(styles))],
  };
}

const compressTexts = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { gzipSync } = require('node:zlib');
  const { favicon, ...texts } = require(workerData);
  const files = Object.entries(texts).filter(([, text]) => typeof text === 'string');
  parentPort.postMessage(Object.fromEntries(files.map(([name, text]) => [name, gzipSync(text)])));
`;

/**
 * Compresses the texts that the package exports: `js`, `css` and the workers of the editor. A thread loads the package,
 * since its module of 9 MB would stay in memory for the life of the process.
 */
async function compressPackage(): Promise<Record<string, Uint8Array> & { js: Uint8Array; css: Uint8Array }> {
  const file = createRequire(import.meta.url).resolve('@graphql-yoga/render-graphiql/graphiql');
  const worker = new Worker(compressTexts, { eval: true, workerData: file });
  try {
    const [files] = await once(worker, 'message');
    return files;
  } finally {
    await worker.terminate();
  }
}
