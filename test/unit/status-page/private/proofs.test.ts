import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { type GateRequest, type PrivatePageOptions, Proofs } from '../../../../src/status-page/private/proofs.js';

test('forms of a page are refused while many are in progress, before they are counted, and those of others are not', async () => {
  const ready = Promise.withResolvers<{ tries: number; seconds: number }[]>();
  let counted = 0;
  const database = {
    query: () => {
      counted += 1;
      return ready.promise;
    },
  };
  const options = { rateLimiter: { clientAddress: () => '192.0.2.1' } } as unknown as PrivatePageOptions;
  const proofs = new Proofs(options, () => {
    throw new Error('not expected');
  });
  const send = (id: string) => {
    const message = Object.assign(Readable.from([Buffer.from('password=x')]), { method: 'POST', headers: {} });
    return proofs.check({
      message: message as unknown as IncomingMessage,
      target: { generation: { id } },
      access: { by: 'password' },
      deps: { database, signingKey: Buffer.alloc(32) },
    } as unknown as GateRequest);
  };
  const first = Array.from({ length: 20 }, () => send('2017f84a'));
  expect((await send('2017f84a')).status).toBe(503);
  const other = send('4d5e6f70');
  await new Promise(setImmediate);
  expect(counted).toBe(21);
  ready.resolve([{ tries: 11, seconds: 60 }]);
  for (const response of await Promise.all([...first, other])) expect(response.status).toBe(429);
  expect((await send('2017f84a')).status).toBe(429);
});
