import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { CommandError, describeRefusal } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import { toRefusal } from '../../db/database-errors.js';

export type Report = (done: number, total: number) => void;

/** Proxies end a response that is silent for a minute. */
const silenceMs = 5_000;
const reportIntervalMs = 250;

/**
 * Answers with JSON lines while work goes on, however long it takes: `progress`, and at last `result` or `error`. The
 * work goes on without the client.
 */
export function respondWithProgress(
  ctx: Context,
  log: Logger,
  folder: string,
  work: (report: Report) => Promise<unknown>,
): void {
  const output = new PassThrough();
  ctx.type = 'application/x-ndjson';
  // nginx would collect the lines.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = output;
  output.on('error', () => {});
  const send = (line: object) => output.writable && output.write(`${JSON.stringify(line)}\n`);
  let reportedAt = 0;
  const report: Report = (done, total) => {
    if (Date.now() - reportedAt < reportIntervalMs) return;
    reportedAt = Date.now();
    send({ progress: { done, total } });
  };
  send({});
  const timer = setInterval(() => send({}), silenceMs);
  const run = async () => work(report);
  run()
    .then(
      result => send({ result }),
      error => send({ error: describe(error, log, folder) }),
    )
    .finally(() => {
      clearInterval(timer);
      output.end();
    });
}

function describe(error: unknown, log: Logger, folder: string): { code: string; message: string } {
  const refusal = toRefusal(error);
  if (refusal) return { code: refusal.code, message: describeRefusal(refusal) };
  if (error instanceof CommandError) {
    // The commands name the path, which is that of the upload here.
    const message = error.message.trim().replaceAll(`${folder}/`, '').replaceAll(folder, 'The upload');
    return { code: 'BAD_REQUEST', message };
  }
  log.error({ err: error }, 'import failed');
  return { code: 'SYSTEM', message: 'The import failed by an unknown error, which is in the log of the service.' };
}
