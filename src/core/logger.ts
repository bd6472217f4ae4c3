import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './config.js';

export type { Logger } from 'pino';

/** Logs JSON lines, to standard error by default. Never log a token, a subscriber's address, or a request's body. */
export const createLogger = (
  level: Settings['logLevel'],
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } },
    destination,
  );

/** Omits all other properties of an error, such as the bytes of a request or the values of a row. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, code: (error as { code?: unknown }).code, message, stack };
}
