import { mkdir, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { InvalidSettings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import { lockFile } from './file-lock.js';

/**
 * Lets one process at a time use a data directory: two on one embedded database would silently lose rows. Its owner
 * holds a lock on one file in it and listens on another, a Unix socket, through which commands reach the owner (see
 * `cli/on-database.ts`). A process that died holds neither.
 */
type RequestHandler = (request: string) => Promise<string>;

export class DataDirectoryInUse extends Error {}

const findSocketPath = (directory: string): string => {
  const path = resolve(directory, 'service.sock');
  const relativePath = relative(process.cwd(), path);
  const shorter = relativePath.length < path.length ? relativePath : path;
  // The kernel limits the path of a Unix socket to 107 bytes.
  if (Buffer.byteLength(shorter) > 100)
    throw new InvalidSettings(
      `DATA_DIR is too long: ${path} is longer than a Unix socket path can be. Choose a shorter path.`,
    );
  return shorter;
};

const checkIntervalMs = 1_000;

/**
 * Locks a data directory and answers the requests of commands. Returns what unlocks it.
 * Somebody may delete its files, which a lock does not prevent: they are checked every second, and taken again.
 * `onLost` is called when another process was faster, or the folder was replaced; the caller must not write any more.
 */
export async function lockDataDirectory(
  directory: string,
  handle: RequestHandler,
  log: Logger,
  onLost: (error: DataDirectoryInUse) => void = () => {},
): Promise<() => Promise<void>> {
  // It contains the addresses of subscribers: only the user of the process may read it.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const files = [
    await holdFile(join(directory, 'service.lock'), directory, async path => lockFile(path)),
    await holdFile(findSocketPath(directory), directory, path => listenForCommands(path, handle, log)),
  ];
  const checkFiles = async () => {
    for (const file of files) await file.check();
  };
  let checking = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(checkFiles).catch(error => {
      clearInterval(timer);
      onLost(error);
    });
  }, checkIntervalMs).unref();
  return async () => {
    clearInterval(timer);
    await checking;
    for (const file of files.reverse()) await file.release();
  };
}

type Release = () => unknown;

interface HeldFile {
  check(): Promise<void>;
  release: Release;
}

/** Holds a file, which `take` creates; `take` returns null when another process has it. */
async function holdFile(
  path: string,
  directory: string,
  take: (path: string) => Promise<Release | null>,
): Promise<HeldFile> {
  let release: Release = () => {};
  let identity: string | undefined;
  const takeFile = async () => {
    const lock = await take(path);
    if (!lock)
      throw new DataDirectoryInUse(
        `Another All Clear process uses the folder ${resolve(directory)}. Stop it, or set DATA_DIR to another folder.`,
      );
    release = lock;
    identity = await identify(path);
  };
  await takeFile();
  return {
    check: async () => {
      const holder = await identify(path);
      if (holder === identity) return;
      // Releasing a socket deletes the file at its path, so one of another process is not touched.
      if (holder)
        throw new DataDirectoryInUse(
          `This process ends: another one uses the folder ${resolve(directory)}, or the folder was replaced.`,
        );
      await release();
      await takeFile();
    },
    release: () => release(),
  };
}

/** The file that a path leads to: no other has this number while it is open. Undefined without one. */
const identify = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );

/** Listens on a socket. That of a process that died is deleted. */
async function listenForCommands(path: string, handle: RequestHandler, log: Logger): Promise<Release | null> {
  for (;;) {
    const server = await listen(path, handle, log);
    if (server) return () => closeServer(server);
    if (await isAlive(path)) return null;
    await rm(path, { force: true });
  }
}

/** Nobody listens, or the owner ended before it read the request. */
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

const maxRequestLength = 65_536;
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
      readAll(socket, maxRequestLength)
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

/** Reads by events: leaving a `for await` loop would destroy the socket before it has its response. */
function readAll(socket: Socket, maxLength = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      text += chunk;
      if (text.length > maxLength) fail(new Error('The message is too long.'));
    });
    socket.once('end', () => done(text)).once('error', fail);
  });
}
