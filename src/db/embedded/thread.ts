import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { emptyDatabaseArchive } from './empty-database.js';
import { interruptFunction } from './interrupt.js';
import { ResponseBuffer } from './response-buffer.js';

/** The entry of the thread that runs the embedded database. */
export interface ThreadOptions {
  /** A folder, or memory://. */
  dataDir: string;
  /** The path of an archive of a data directory, with which a database in memory starts. */
  template?: string;
}

/** One or more messages of PostgreSQL's protocol, with the memory that they may take; or to close the database. */
export type ToThread = { messages: Uint8Array; maxMemory: number | undefined } | 'close';
/** That the database is open, then the response to each request. */
export type FromThread = 'open' | Uint8Array;

/**
 * Limits the thread to V8's baseline compiler. The optimizing compiler would halve its processor time, but
 * takes 600 MB for the SQL parser alone, and keeps 60 MB for good.
 */
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);

/** All of shared_buffers is memory of the process, beside the file cache of the operating system. */
const memorySettings = ['-c', 'shared_buffers=8MB', '-c', 'wal_buffers=512kB'];

/**
 * PGlite prints what PostgreSQL writes to its log only with a level of debugging, of which 0 counts as true as a text.
 * The last fatal error is why the database cannot be opened.
 */
const printLog = '0' as unknown as PGliteOptions['debug'];
let fatalError: string | undefined;
console.error = (line: unknown) => {
  fatalError = /\b(?:FATAL|PANIC): +(.*)/.exec(String(line))?.[1] ?? fatalError;
};
console.debug = console.error;

/**
 * Limits the memory of the database, which never becomes smaller: a query that needs more fails, as on a machine
 * without memory, and not the process.
 */
const maxMemory = 384 * 1024 * 1024;
interface WasmMemory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}
/** Its types are among those of browsers. */
const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }).WebAssembly
  .Memory;
const { grow } = prototype;
/** Of the request that runs. */
let limit = maxMemory;
prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > limit) throw new RangeError('The database needs too much memory.');
  return grow.call(this, pages);
};

const port = parentPort!;
const { dataDir, template = emptyDatabaseArchive } = workerData as ThreadOptions;
const isCopied = dataDir === 'memory://' && existsSync(template);
const database = await PGlite.create({
  dataDir,
  debug: printLog,
  loadDataDir: isCopied ? new File([await readFile(template)], template) : undefined,
  startParams: [...PGlite.defaultStartParams, ...memorySettings],
}).catch((error: Error) => {
  throw new Error(fatalError ?? error.message, { cause: error });
});

/** The database reuses the memory of each part. */
const response = new ResponseBuffer();

/** The flags by which a signal handler of PostgreSQL asks a statement to end; it looks at them in every loop. */
const { _InterruptPending, _QueryCancelPending } = database.Module as unknown as Record<string, number>;

let requests = 0;
let isRunning = false;

async function run(messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  requests += 1;
  // An interrupt that arrived after the last check of the previous request would end this one.
  database.Module.HEAP8[_QueryCancelPending!] = 0;
  isRunning = true;
  await database.execProtocolRawStream(messages, { syncToFs: false, onRawData: part => response.append(part) });
  isRunning = false;
  return response.take();
}

Object.assign(globalThis, {
  [interruptFunction]: (request: number) => {
    if (!isRunning || request !== requests) return;
    database.Module.HEAP8[_QueryCancelPending!] = 1;
    database.Module.HEAP8[_InterruptPending!] = 1;
  },
});

port.on('message', async (request: ToThread) => {
  if (request === 'close') {
    await database.close();
    process.exit();
  }
  limit = request.maxMemory ?? maxMemory;
  const answer = await run(request.messages);
  port.postMessage(answer satisfies FromThread, [answer.buffer]);
});
port.postMessage('open' satisfies FromThread);
