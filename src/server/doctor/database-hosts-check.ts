import { inspectServers } from '../../db/check-server.js';
import { describeError, failed, ok, onDatabase, skipped, warning } from './check.js';

/** Whether one of the hosts of DATABASE_URL accepts writes, and no other: each process uses the first that does. */
export const checkDatabaseHosts = onDatabase(async ({ embedded }, { settings }) => {
  const hosts = embedded ? [] : await inspectServers(settings);
  if (hosts.length < 2) return skipped('DATABASE_URL does not name several hosts.');
  const primaries = hosts.filter(({ primarySince }) => primarySince);
  if (new Set(primaries.map(({ primarySince }) => primarySince)).size > 1)
    return failed(
      `Several servers of DATABASE_URL accept writes: ${primaries.map(({ host }) => host).join(', ')}. What some ` +
        'processes write is missing where others read.',
      'Stop all processes and compare the databases, then make all but one server a standby of it.',
    );
  const [unreachable] = hosts.filter(({ failure }) => failure);
  if (unreachable)
    return warning(
      `${unreachable.host} of DATABASE_URL cannot be reached: ${describeError(unreachable.failure)}.`,
      'Until it can, it is not known whether it accepts writes, and it cannot take over.',
    );
  return ok(`Of the ${hosts.length} hosts of DATABASE_URL one server accepts writes: ${primaries[0]?.host}.`);
});
