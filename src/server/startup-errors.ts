import { settings } from '../core/config.js';

const database = 'The database of DATABASE_URL';

/** What keeps a service from starting through no fault of ours, by the code of the system or of PostgreSQL. No sentence repeats an address: it may hold a password. */
const sentences: Record<string, () => string> = {
  EADDRINUSE: () =>
    `Port ${settings.port} of ${settings.host} is taken by another process. Set PORT to another, or end that process.`,
  EADDRNOTAVAIL: () =>
    `This machine has no address ${settings.host} to listen on. Set HOST to one that it has; 0.0.0.0 stands for all.`,
  EACCES: () => `Listening on port ${settings.port}, or writing to ${settings.dataDir}, is not allowed to this user.`,
  ENOTDIR: () => `DATA_DIR (${settings.dataDir}) is not a folder.`,
  EEXIST: () => `DATA_DIR (${settings.dataDir}) is not a folder.`,
  EROFS: () => `DATA_DIR (${settings.dataDir}) cannot be written to.`,
  ENOSPC: () => `There is no room left for DATA_DIR (${settings.dataDir}).`,
  ECONNREFUSED: () => `${database} does not answer: nothing listens there.`,
  ENOTFOUND: () => `${database} is on a host that no name server knows.`,
  EAI_AGAIN: () => `${database} is on a host that no name server knows.`,
  ETIMEDOUT: () => `${database} does not answer in time.`,
  '28P01': () => `${database} refuses the user or the password.`,
  '28000': () => `${database} refuses the user.`,
  '3D000': () => `${database} does not exist on that server.`,
  '42501': () => `${database} does not let this user make tables.`,
  '57P03': () => `${database} is starting or stopping.`,
};

/** The sentence for a start that failed; undefined for what nobody foresaw. */
export function startFailure(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (['WrongSettings', 'FolderInUse'].includes(cause.constructor.name)) return cause.message;
    const inner = cause instanceof AggregateError ? cause.errors[0] : undefined;
    const code = String((cause as { code?: unknown }).code ?? (inner as { code?: unknown } | undefined)?.code ?? '');
    if (Object.hasOwn(sentences, code)) return sentences[code]!();
    if (/timeout exceeded when trying to connect|Connection terminated/i.test(cause.message))
      return sentences.ETIMEDOUT!();
  }
  return undefined;
}
