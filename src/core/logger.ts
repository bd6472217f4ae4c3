import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './config.js';

export type { Logger } from 'pino';

/**
 * Logs JSON lines, to standard error by default. Never log a token, the address of a subscriber, or the body of a
 * request.
 */
export const createLogger = (
  level: Settings['logLevel'],
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } },
    destination,
  );

/**
 * Omits all other properties of an error: the HTTP parser adds the bytes of the request, the database driver the values
 * of a row.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, code: (error as { code?: unknown }).code, message, stack };
}
