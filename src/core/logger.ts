import { type Logger, pino } from 'pino';
import type { Settings } from './config.js';

export type { Logger } from 'pino';

/** Logs JSON lines to standard error. Never log a token, the address of a subscriber, or the body of a request. */
export const createLogger = (level: Settings['logLevel']): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: false }));
