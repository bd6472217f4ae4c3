import { mkdir, rename, unlink } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { relative, resolve } from 'node:path';
import { log } from '../core/logger.js';

/**
 * One process a folder: two on one embedded database would lose rows silently. The lock is a socket in the folder on which its owner listens, so that
 * a process that died holds nothing; and it is how a command reaches the owner (see `commands/on-database.ts`).
 */
export type Answerer = (request: string) => Promise<string>;

export class FolderInUse extends Error {}

const socketOf = (folder: string): string => {
  const path = resolve(folder, 'service.sock');
  const shorter = relative(process.cwd(), path);
  const found = shorter.length < path.length ? shorter : path;
  // The kernel's own bound for the name of a socket.
  if (Buffer.byteLength(found) > 100)
    throw new Error(`DATA_DIR is too deep: ${path} is longer than the name of a socket may be. Choose a shorter path.`);
  return found;
};

export async function lockFolder(folder: string, answer: Answerer): Promise<() => Promise<void>> {
  // It holds the addresses of subscribers: nobody else on the machine is to read it.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = socketOf(folder);
  for (let attempt = 0; attempt < 5; attempt++) {
    const server = await listen(path, answer);
    if (server) return () => closed(server);
    if (await isAlive(path)) break;
    await removeDead(path);
  }
  throw new FolderInUse(
    `Another process of All Clear uses the folder ${resolve(folder)}. One process a folder: stop the other one, or set DATA_DIR to another folder.`,
  );
}

/** Nobody listens; or the owner went before it had heard us, and so did nothing of what was asked. */
const noOwner = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** Asks the owner of a folder; undefined when nobody owns it. */
export function askOwner(folder: string, request: string): Promise<string | undefined> {
  return new Promise((done, fail) => {
    const socket = createConnection(socketOf(folder));
    socket.on('error', error =>
      noOwner.includes((error as NodeJS.ErrnoException).code ?? '') ? done(undefined) : fail(error),
    );
    socket.end(request);
    readAll(socket).then(done, fail);
  });
}

const longestMessage = 65_536;
const patience = 30_000;

const open = new Set<Socket>();

function closed(server: Server): Promise<void> {
  const ended = new Promise<void>(done => server.close(() => done()));
  for (const socket of open) socket.destroy();
  return ended;
}

/** Undefined when the socket is there already, of an owner who lives or not. */
function listen(path: string, answer: Answerer): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer({ allowHalfOpen: true }, socket => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
      socket.setTimeout(patience, () => socket.destroy());
      readAll(socket)
        .then(async request => {
          // What was asked for takes the time that it takes.
          socket.setTimeout(0);
          socket.end(request && (await answer(request).catch(failed)));
        })
        .catch(() => socket.destroy());
    });
    server.once('error', error =>
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? done(undefined) : fail(error),
    );
    // Only the owner of the process may connect.
    const mask = process.umask(0o077);
    server.listen(path, () => {
      server.unref();
      done(server);
    });
    process.umask(mask);
  });
}

/** Nothing internal goes to whoever asked: an empty answer says that there is none. */
const failed = (error: unknown) => {
  log.error({ err: error }, 'a command could not be run');
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

/** Taken aside first, and looked at again: between two that start at once, one may have taken the place of the dead already. */
async function removeDead(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
    if (await isAlive(aside)) await rename(aside, path);
    else await unlink(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** By its events: to leave a socket out of `for await` destroys it before it was answered. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      text += chunk;
      if (text.length > longestMessage) fail(new Error('The message is too long.'));
    });
    socket.once('end', () => done(text)).once('error', fail);
  });
}
