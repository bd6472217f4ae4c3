import { pino } from 'pino';
import { settings } from './config.js';

/** One JSON object a line, on standard error. No token, no address of a subscriber and no body of a request is ever logged. */
export const log = pino(
  { level: settings.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination({ dest: 2, sync: false }),
);
