import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../../../src/core/logger.js';
import { serviceOrigin } from '../../../../src/db/audit.js';
import { openDatabase } from '../../../../src/db/database.js';
import { entities } from '../../../../src/entities.js';
import { disablePerson } from '../../../../src/people/person.service.js';
import { Writer } from '../../../../src/records/writer.js';
import { createService, type Service } from '../../../../src/server/service.js';
import { createTestSettings } from '../../../support/settings.js';
import { origin, type SignInService, startSignInService } from '../../../support/sign-in.js';
import { waitUntilEqual } from '../../../support/wait-until-equal.js';

/** Two services on one database, as two processes are. The embedded database has one process alone. */
const onPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;
let first: SignInService;
let second: Service;
beforeAll(async () => {
  first = await startSignInService();
  const { url } = first.database as unknown as { url: string | null };
  if (!url) return;
  const settings = createTestSettings({ publicUrl: origin, databaseUrl: url, databaseConnections: 4 });
  const database = await openDatabase({ settings, entities, log: createLogger('silent') });
  second = await createService(settings, { database });
});
afterAll(async () => {
  await second?.stop();
  await first.stop();
});

const askSecond = async (query: string, cookie: string) => {
  const response = await fetch(`http://127.0.0.1:${second.port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, cookie },
    body: JSON.stringify({ query }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they access
  return (await response.json()) as any;
};
const whoIsAtSecond = async (cookie: string) =>
  (await askSecond('{ viewer { person { email } } }', cookie)).data.viewer.person?.email ?? null;
const expectEnd = (cookie: string) => waitUntilEqual(() => whoIsAtSecond(cookie), null);

onPostgres('a session of one process counts in another, and ends there when it is signed out', async () => {
  const { cookie, email } = await first.signInByLink();
  expect(await whoIsAtSecond(cookie)).toBe(email);
  await first.ask('mutation { signOut { hasEnded } }', {}, { cookie });
  await expectEnd(cookie);
});

onPostgres('a person who is disabled in one process has no session in another, and no code', async () => {
  const { cookie, email, personId } = await first.signInByLink();
  expect(await whoIsAtSecond(cookie)).toBe(email);
  const requested = await first.requestCode(email);
  const write = new Writer(first.database, { origin: serviceOrigin('command', 'disablePerson') });
  await write.transaction(unit => disablePerson(unit, personId));
  await expectEnd(cookie);
  const { errors } = await askSecond(
    `mutation { signInWithCode(input: { email: "${email}", code: "${requested.code}" }) { email } }`,
    requested.cookie,
  );
  expect(errors[0].extensions.code).toBeDefined();
});

onPostgres('a code is used once by two processes at the same time', async () => {
  const { email } = await first.signInByLink();
  const { code, cookie } = await first.requestCode(email);
  const query = `mutation { signInWithCode(input: { email: "${email}", code: "${code}" }) { email } }`;
  second.settings.smtpUrl = first.settings.smtpUrl;
  const answers = await Promise.all([
    ...[1, 2].map(async () => (await first.ask(query, {}, { cookie })).json),
    ...[1, 2].map(() => askSecond(query, cookie)),
  ]);
  expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
});
