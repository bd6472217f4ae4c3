import { Writable } from 'node:stream';
import type { Settings } from '../../src/core/config.js';
import { createLogger, type Logger } from '../../src/core/logger.js';

/** A logger that stores its lines. */
export function createTestLogger(level: Settings['logLevel'] = 'debug'): {
  log: Logger;
  text(): string;
  lines(): Record<string, unknown>[];
} {
  let text = '';
  const log = createLogger(
    level,
    new Writable({
      write(chunk, _, done) {
        text += chunk;
        done();
      },
    }),
  );
  return {
    log,
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  };
}
