import { expect, test } from '@jest/globals';
import { ownBody } from '../../support/alert-payloads.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

/** With the default limits of addresses and sources. */
const service = useOwnService({ rateLimit: null });

test('50 requests of a source at once are accepted, more than an address may guess at once', async () => {
  const page = await createPage(service);
  const { json } = await service.graphql(
    'mutation ($page: ID!) { createAlertSource(pageId: $page, input: { name: "Monitor" }) { hookUrl } }',
    { page: page.id },
  );
  const { pathname } = new URL(json.data.createAlertSource.hookUrl);
  const send = (path: string) => service.post(path, ownBody(), { token: null });
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(pathname)));
  expect(answers.filter(({ status }) => status === 429)).toEqual([]);
  const guesses = await Promise.all(Array.from({ length: 50 }, (_, number) => send(`/hooks/guess-${number}`)));
  expect(guesses.map(({ status }) => status)).toContain(429);
});
