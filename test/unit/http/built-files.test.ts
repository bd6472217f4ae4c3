import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import { BuiltFiles } from '../../../src/http/built-files.js';

test('all clients that take no Brotli share one buffer, which those keep that do not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'built-files-'));
  try {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'assets/script.js.br'), brotliCompressSync('let x;'));
    const files = new BuiltFiles(pathToFileURL(`${folder}/`), {});
    const app = new Koa();
    const send = async () => {
      const request = new IncomingMessage(new Socket());
      const ctx = app.createContext(request, new ServerResponse(request));
      await files.send(ctx, 'assets/script.js');
      return ctx.body;
    };
    const [one, other] = await Promise.all([send(), send()]);
    expect(String(one)).toBe('let x;');
    expect(other).toBe(one);
    expect(await send()).toBe(one);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
