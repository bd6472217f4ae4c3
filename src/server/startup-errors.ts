import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidSettings, type Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import { DataDirectoryInUse } from '../db/data-directory-lock.js';
import { certificateCodes, handshakeCodes, noTlsMessage } from '../db/database-errors.js';
import { UnusableDatabase } from '../db/embedded/data-directory.js';

const database = 'The database of DATABASE_URL';

/** What errors of the operating system have, most of it in some of them only. */
interface SystemError {
  syscall?: string;
  path?: string;
  hostname?: string;
}

/** Messages for errors that the operator can correct, by code. None contains DATABASE_URL and so a password. */
const messages: Record<string, (settings: Settings, error?: SystemError) => string> = {
  EADDRINUSE: settings =>
    `Port ${settings.port} of ${settings.host} is in use by another process. Set PORT to another, or end that process.`,
  EADDRNOTAVAIL: settings =>
    `This machine has no address ${settings.host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
  EACCES: describeMissingRight,
  EPERM: describeMissingRight,
  ENOENT: settings =>
    settings.databaseUrl
      ? `${database} does not respond: there is no Unix socket at that path.`
      : `DATA_DIR (${settings.dataDir}) does not exist and cannot be made.`,
  ENOTDIR: settings => `DATA_DIR (${settings.dataDir}) is not a folder.`,
  EEXIST: settings => `DATA_DIR (${settings.dataDir}) is not a folder.`,
  EROFS: settings => `DATA_DIR (${settings.dataDir}) is on a read-only file system.`,
  ENOSPC: settings => `There is no space left on the disk of DATA_DIR (${settings.dataDir}).`,
  '53100': () => `${database} has no space left on its disk.`,
  ECONNREFUSED: () => `${database} does not respond: nothing listens at that address.`,
  ENOTFOUND: describeUnknownHost,
  EAI_AGAIN: describeUnknownHost,
  ETIMEDOUT: () => `${database} does not respond in time.`,
  '28P01': () => `${database} rejects the user or the password.`,
  '3D000': () => `${database} does not exist on that server. Create it, or correct its name.`,
  '42501': () => `${database} does not allow this user to create tables.`,
  '55P03': () =>
    'A migration needs a table that another session locks, such as pg_dump. Start again when it has ended.',
  '57P03': () => `${database} is starting or stopping.`,
};

function describeMissingRight({ host, port, dataDir }: Settings, { syscall, path }: SystemError = {}): string {
  if (syscall === 'listen')
    return (
      `This user is not allowed to listen on port ${port} of ${host}: ports below 1024 need a right. ` +
      'Set PORT to 1024 or more, and have the proxy forward to it.'
    );
  if (syscall === 'connect')
    return `${database} does not respond: this user is not allowed to use the Unix socket at that path.`;
  return describeUnwritable(path ?? dataDir);
}

const otherFolder = 'set DATA_DIR to a folder that it may write to.';

/** Whose the folder is, and how this process gets it. The nearest folder that exists may be that of the system. */
function describeUnwritable(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const owner = statSync(folder, { throwIfNoEntry: false });
  const user = process.getuid?.();
  if (!owner || user === undefined) return `This user is not allowed to write to ${path}.`;
  if (owner.uid === user) return `This process owns ${folder}, and cannot write to ${path}: ${otherFolder}`;
  const ids = `${user}:${process.getgid!()}`;
  const ownerIds = `${owner.uid === 0 ? 'root ' : ''}(${owner.uid}:${owner.gid})`;
  const belongs = `${folder} belongs to ${ownerIds}, and this process is ${ids}`;
  return folder === resolve(path)
    ? `This process cannot write to ${path}: ${belongs}. Run \`chown -R ${ids} ${path}\`, or ${otherFolder}`
    : `This process cannot create ${path}: ${belongs}. ` +
        `Run \`mkdir -p ${path} && chown ${ids} ${path}\`, or ${otherFolder}`;
}

/** Both the socket that listens and the connection to PostgreSQL look a name up. */
function describeUnknownHost({ host }: Settings, error?: SystemError): string {
  if (error?.hostname !== host) return `${database} is on a host that cannot be found in DNS.`;
  return `HOST (${host}) cannot be found in DNS. Set it to an address of this machine, or to 0.0.0.0 for all.`;
}

/** Returns the message for a connection that the server, or its certificate, does not allow. */
function describeRefusedConnection(code: string, message: string): string | undefined {
  if (code === '42501' && !/schema|database/.test(message))
    return `${database} does not allow this user to do that: ${message}.`;
  if (code === '28000' && /no PostgreSQL user name/.test(message))
    return 'DATABASE_URL has no user, and neither has USER: add one, as in postgres://user@/name?host=/run/postgresql.';
  // The server's own words say which of user, address and encryption it is.
  if (code === '28000') return `${database} rejects the connection: ${message}.`;
  if (message === noTlsMessage) return `${database} does not offer TLS, which sslmode requires.`;
  if (certificateCodes.test(code)) return `The certificate of the database of DATABASE_URL is refused: ${message}.`;
  // A certificate or a key of DATABASE_URL that cannot be read, too.
  const isTls = handshakeCodes.test(code) || code.startsWith('ERR_OSSL_');
  return isTls ? `${database} cannot be reached by TLS: ${message}.` : undefined;
}

/** Files that are missing or cannot be read, and data that is corrupted. */
const damageCodes = /^(58030|58P01|XX00[012])$/;

/** Errors whose message is for the operator. */
const sentences = [InvalidSettings, DataDirectoryInUse, UnusableDatabase, Refusal];

/** The message for an error at start; undefined for an unexpected one. Settings are null until they are read. */
export function describeStartupError(error: unknown, settings: Settings | null): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (sentences.some(sentence => cause instanceof sentence)) return cause.message;
    if (!settings) continue;
    const inner = cause instanceof AggregateError ? cause.errors[0] : undefined;
    const code = String((cause as { code?: unknown }).code ?? (inner as { code?: unknown } | undefined)?.code ?? '');
    if (damageCodes.test(code)) return `The database is damaged: ${cause.message}. Restore it from a backup.`;
    const refusal = describeRefusedConnection(code, cause.message);
    if (refusal) return refusal;
    if (Object.hasOwn(messages, code)) return messages[code]!(settings, (inner ?? cause) as SystemError);
    if (/timeout exceeded when trying to connect|timeout expired|Connection terminated/i.test(cause.message))
      return messages.ETIMEDOUT!(settings);
  }
  return undefined;
}
