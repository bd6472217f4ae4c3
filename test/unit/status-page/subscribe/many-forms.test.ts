import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLogger } from '../../../../src/core/logger.js';
import type { Database } from '../../../../src/db/database.js';
import { RateLimiter } from '../../../../src/http/rate-limit.js';
import { SubscribeHandler } from '../../../../src/status-page/subscribe/subscribe-handler.js';
import { unconfiguredSender } from '../../../../src/subscribers/confirmation-sender.js';
import { createGeneration } from '../../../support/page-generations.js';
import { incident } from '../../../support/sample-pages.js';
import { createTestSettings } from '../../../support/settings.js';

const secrets = async () => [{ secret: '00'.repeat(32), key: '00'.repeat(32) }];

/** Pages with forms, and what each request for them was answered. */
function createForms(runQuery: () => Promise<unknown[]> = secrets) {
  const settings = createTestSettings();
  const log = createLogger('silent');
  const handler = new SubscribeHandler({
    sender: unconfiguredSender,
    rateLimiter: new RateLimiter(settings),
    settings,
    log,
  });
  handler.open({ query: runQuery } as unknown as Database);
  const { page } = incident.snapshot;
  const createPage = (id: string) =>
    createGeneration({ ...incident.snapshot, page: { ...page, id, subscriptionOptions: ['email'] } });
  const ended: string[] = [];
  const send = async (method: string, pageId = page.id) => {
    const message = Object.assign(Readable.from([Buffer.from('kinds=x&choices=1')]), {
      method,
      headers: {},
      socket: { remoteAddress: '192.0.2.1' },
    });
    const { status = 200 } = await handler.respond(message as unknown as IncomingMessage, {
      path: 'subscribe',
      parameters: new URLSearchParams(),
      generation: createPage(pageId),
      mountType: 'path',
      isDatabaseUnavailable: false,
    });
    ended.push(`${method} ${status}`);
    return status;
  };
  return { send, ended };
}

test('forms of a page that anybody may ask for wait for each other, and what is sent does not wait for them', async () => {
  const { send, ended } = createForms();
  const forms = Array.from({ length: 100 }, () => send('GET'));
  expect(await send('POST')).toBe(422);
  expect(ended.filter(one => one === 'GET 200').length).toBeLessThan(20);
  const statuses = await Promise.all(forms);
  expect(statuses.filter(status => status === 503).length).toBeGreaterThan(40);
  expect(statuses.filter(status => status === 200).length).toBeGreaterThan(40);
});

test('others are answered between two forms that were sent with errors', async () => {
  const { send, ended } = createForms();
  const endedByIteration = new Set<number>();
  const forms = Array.from({ length: 10 }, () => send('POST'));
  while (ended.length < forms.length) {
    await new Promise(setImmediate);
    endedByIteration.add(ended.length);
  }
  expect(await Promise.all(forms)).toEqual(forms.map(() => 422));
  expect([...endedByIteration]).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7, 8, 9]));
});

test('forms of a page that wait for the database leave room to those of others', async () => {
  const database = Promise.withResolvers<void>();
  const { send } = createForms(() => database.promise.then(secrets));
  const forms = Array.from({ length: 22 }, () => send('POST', 'crowded'));
  const others = Array.from({ length: 22 }, () => send('POST', 'other'));
  expect(await Promise.all([...forms.slice(20), ...others.slice(20)])).toEqual([503, 503, 503, 503]);
  database.resolve();
  expect(await Promise.all(forms.slice(0, 20))).toEqual(Array(20).fill(422));
  expect(await Promise.all(others.slice(0, 20))).toEqual(Array(20).fill(422));
});
