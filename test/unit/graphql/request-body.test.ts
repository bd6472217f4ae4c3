import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import type { Caller } from '../../../src/auth/access.js';
import { Refusal } from '../../../src/core/errors.js';
import { readBodyText } from '../../../src/graphql/request-body.js';

const tokenOf = (role: string) =>
  ({ kind: 'token', grants: { everywhere: null, pages: { '2017f84a': role }, hasReadScope: false } }) as never;
const anonymous = { kind: 'anonymous', reads: 'public' } as Caller;

/** Sends a body of so many bytes. Returns what became of it. */
async function send(caller: Caller, length: number): Promise<string> {
  const steps: string[] = [];
  const app = new Koa();
  app.use(async ctx => {
    try {
      const text = await readBodyText(ctx, caller, {
        bodyLimits: { countForWriters: () => void steps.push('counted for writers') },
        admission: { beginParsing: async bytes => void steps.push(`waited with ${bytes}`) },
      });
      steps.push(`read ${text.length}`);
    } catch (error) {
      steps.push((error as Refusal).code);
    }
    ctx.set('Connection', 'close');
    ctx.body = '';
  });
  const server = createServer((request, response) => void app.callback()(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ' '.repeat(length),
  });
  await new Promise(done => server.close(done));
  return steps.join(', ');
}

const megabyte = 1024 * 1024;

test.each<[name: string, length: number, caller: Caller, steps: string]>([
  ['an anonymous caller', 20_000, anonymous, 'waited with 20000, read 20000'],
  ['a VIEWER', 20_000, tokenOf('viewer'), 'waited with 20000, read 20000'],
  ['a DRAFTER', megabyte, tokenOf('drafter'), `counted for writers, read ${megabyte}`],
  [
    'a DRAFTER',
    3 * megabyte,
    tokenOf('drafter'),
    `counted for writers, waited with ${3 * megabyte}, read ${3 * megabyte}`,
  ],
  ['a DRAFTER', 3 * megabyte + 1, tokenOf('drafter'), 'counted for writers, PAYLOAD_TOO_LARGE'],
  ['a PUBLISHER', megabyte, tokenOf('publisher'), `counted for writers, read ${megabyte}`],
  [
    'a PUBLISHER',
    2 * megabyte,
    tokenOf('publisher'),
    `counted for writers, waited with ${2 * megabyte}, read ${2 * megabyte}`,
  ],
  ['a PUBLISHER', 14 * megabyte + 1, tokenOf('publisher'), 'counted for writers, PAYLOAD_TOO_LARGE'],
])('handles a body of %s with %i bytes', async (_name, length, caller, steps) => {
  expect(await send(caller, length)).toBe(steps);
});
