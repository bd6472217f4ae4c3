import { mkdir, rename, unlink } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { relative, resolve } from 'node:path';
import type { Logger } from '../core/logger.js';

/**
 * Lets one process at a time use a data directory: two on one embedded database would silently lose rows. The lock is a
 * Unix socket in the directory on which its owner listens, so that a process that died holds nothing. Commands reach
 * the owner through it (see `cli/on-database.ts`).
 */
export type RequestHandler = (request: string) => Promise<string>;

export class DataDirectoryInUse extends Error {}

const findSocketPath = (directory: string): string => {
  const path = resolve(directory, 'service.sock');
  const relativePath = relative(process.cwd(), path);
  const shorter = relativePath.length < path.length ? relativePath : path;
  // The kernel limits the path of a Unix socket to 107 bytes.
  if (Buffer.byteLength(shorter) > 100)
    throw new Error(`DATA_DIR is too long: ${path} is longer than a Unix socket path can be. Choose a shorter path.`);
  return shorter;
};

/** Locks a data directory and answers the requests of commands. Returns what unlocks it. */
export async function lockDataDirectory(
  directory: string,
  handle: RequestHandler,
  log: Logger,
): Promise<() => Promise<void>> {
  // It contains the addresses of subscribers: only the user of the process may read it.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = findSocketPath(directory);
  for (let attempt = 0; attempt < 5; attempt++) {
    const server = await listen(path, handle, log);
    if (server) return () => closeServer(server);
    if (await isAlive(path)) break;
    await removeStaleSocket(path);
  }
  throw new DataDirectoryInUse(
    `Another All Clear process uses the folder ${resolve(directory)}. Stop it, or set DATA_DIR to another folder.`,
  );
}

/** Nobody listens, or the owner ended before it read the request, and so did nothing of it. */
const noOwnerCodes = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** Sends a request to the owner of a data directory. Undefined when nobody owns it. */
export function sendToOwner(directory: string, request: string): Promise<string | undefined> {
  return new Promise((done, fail) => {
    const socket = createConnection(findSocketPath(directory));
    socket.on('error', error =>
      noOwnerCodes.includes((error as NodeJS.ErrnoException).code ?? '') ? done(undefined) : fail(error),
    );
    socket.end(request);
    readAll(socket).then(done, fail);
  });
}

const maximumMessageLength = 65_536;
const idleTimeoutMs = 30_000;

interface LockServer {
  server: Server;
  sockets: Set<Socket>;
}

function closeServer({ server, sockets }: LockServer): Promise<void> {
  const closed = new Promise<void>(done => server.close(() => done()));
  for (const socket of sockets) socket.destroy();
  return closed;
}

/** Undefined when the socket already exists, whether or not its owner is alive. */
function listen(path: string, handle: RequestHandler, log: Logger): Promise<LockServer | undefined> {
  return new Promise((done, fail) => {
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, socket => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => {});
      socket.setTimeout(idleTimeoutMs, () => socket.destroy());
      readAll(socket)
        .then(async request => {
          // A command may run for longer than the timeout.
          socket.setTimeout(0);
          socket.end(request && (await handle(request).catch(error => logFailure(error, log))));
        })
        .catch(() => socket.destroy());
    });
    server.once('error', error =>
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? done(undefined) : fail(error),
    );
    // Only the user of the process may connect.
    const mask = process.umask(0o077);
    server.listen(path, () => {
      server.unref();
      done({ server, sockets });
    });
    process.umask(mask);
  });
}

/** Responds with an empty text, which stands for a failure: its cause is logged here and not sent. */
const logFailure = (error: unknown, log: Logger) => {
  log.error({ err: error }, 'command failed');
  return '';
};

const isAlive = (path: string): Promise<boolean> =>
  new Promise(done => {
    const socket = createConnection(path, () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });

/** Renames the socket and checks it again before deleting it: another process may have replaced it in the meantime. */
async function removeStaleSocket(path: string): Promise<void> {
  const renamed = `${path}.${process.pid}`;
  try {
    await rename(path, renamed);
    if (await isAlive(renamed)) await rename(renamed, path);
    else await unlink(renamed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Reads by events: leaving a `for await` loop would destroy the socket before it has its response. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      text += chunk;
      if (text.length > maximumMessageLength) fail(new Error('The message is too long.'));
    });
    socket.once('end', () => done(text)).once('error', fail);
  });
}
