import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Context } from 'koa';
import { matchesEtag } from './etag.js';

const contentTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

interface BuiltFile {
  contentType: string;
  hash: string;
  compressed: Buffer;
  /** For clients that take no Brotli. */
  decompress(): Promise<Buffer>;
}

const suffix = '.br';
const runDecompress = promisify(brotliDecompress);

/**
 * One buffer for all responses: a client that does not read holds its response, and one of its own would be 5 MB for
 * each of its connections.
 */
function decompressOnce(compressed: Buffer): () => Promise<Buffer> {
  let content: Promise<Buffer> | undefined;
  return () => (content ??= runDecompress(compressed));
}

/** Serves a folder of `dist` that `scripts/bundle.ts` wrote, from memory. */
export class BuiltFiles {
  private files?: Promise<ReadonlyMap<string, BuiltFile>>;

  constructor(
    private readonly folder: URL,
    private readonly headers: Record<string, string>,
  ) {}

  /** Returns whether there is such a file. */
  async send(ctx: Context, name: string): Promise<boolean> {
    const file = (await this.load()).get(name);
    if (!file) return false;
    const isCompressed = ctx.acceptsEncodings('br', 'identity') === 'br';
    const etag = `"${file.hash}${isCompressed ? '-br' : ''}"`;
    ctx.set({
      ...this.headers,
      // The name of an asset has a hash of its content.
      'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ETag: etag,
    });
    ctx.vary('Accept-Encoding');
    if (matchesEtag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return true;
    }
    if (isCompressed) ctx.set('Content-Encoding', 'br');
    ctx.type = file.contentType;
    ctx.body = isCompressed ? file.compressed : await file.decompress();
    return true;
  }

  /** Reads the files once, when a browser first requests one. */
  private load(): Promise<ReadonlyMap<string, BuiltFile>> {
    this.files ??= this.read().catch(error => {
      this.files = undefined;
      throw error;
    });
    return this.files;
  }

  private async read(): Promise<ReadonlyMap<string, BuiltFile>> {
    const names = (await readdir(this.folder, { recursive: true })).filter(name => name.endsWith(suffix));
    const entries = names.map(async (compressedName): Promise<[string, BuiltFile]> => {
      const name = compressedName.slice(0, -suffix.length);
      const compressed = await readFile(new URL(compressedName, this.folder));
      const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      const fileHash = hash('sha256', compressed, 'base64url').slice(0, 22);
      return [name, { contentType, hash: fileHash, compressed, decompress: decompressOnce(compressed) }];
    });
    return new Map(await Promise.all(entries));
  }
}
