import { expect, test } from '@jest/globals';
import { ownBody } from '../../support/alert-payloads.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { recordClient, recordStatements } from '../../support/statements.js';

/** With the default limits of addresses and sources. */
const service = useOwnService({ rateLimit: null });
const other = useOwnService();

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

test('the requests that are kept of a source are 5 MB at most, the latest ones', async () => {
  const page = await createPage(other);
  const { json } = await other.graphql(
    'mutation ($page: ID!) { createAlertSource(pageId: $page, input: { name: "Large" }) { hookUrl alertSource { id } } }',
    { page: page.id },
  );
  const { hookUrl, alertSource } = json.data.createAlertSource;
  for (let number = 0; number < 13; number++)
    await other.post(new URL(hookUrl).pathname, { ...ownBody(), number, note: 'x'.repeat(500_000) }, { token: null });
  const [kept] = await other.database.query<{ count: number; bytes: number; latest: string }>(
    `select count(*)::integer as count, sum(octet_length(body))::integer as bytes,
       (array_agg(body::json ->> 'number' order by id desc))[1] as latest
     from alert_payload where source_id = $1`,
    [Number(alertSource.id)],
  );
  expect([kept!.count, kept!.latest, kept!.bytes < 5_200_000]).toEqual([10, '12', true]);
});

test('1,000 groups in one request are 100 and one, by transactions of 50', async () => {
  const page = await createPage(other);
  const { json } = await other.graphql(
    'mutation ($page: ID!) { createAlertSource(pageId: $page, input: { name: "Storm" }) { hookUrl alertSource { id } } }',
    { page: page.id },
  );
  const { hookUrl, alertSource } = json.data.createAlertSource;
  const alerts = Array.from({ length: 1_000 }, (_, number) => ({ title: `Host ${number} is down`, status: 'firing' }));
  const { connect } = other.database;
  let groups = 0;
  const groupsOfTransactions: number[] = [];
  other.database.connect = async () => {
    groups = 0;
    return recordClient(await connect(), text => {
      if (text.includes('insert into alert_group')) groups += 1;
      if (text === 'commit' && groups) groupsOfTransactions.push(groups);
    });
  };
  const statements = await recordStatements(other.database, async () => {
    const { text } = await other.post(new URL(hookUrl).pathname, { alerts }, { token: null });
    expect(text).toBe('alerts: 1000, drafts: 101\n');
  });
  Object.assign(other.database, { connect });
  expect(groupsOfTransactions).toEqual([50, 50, 1]);
  expect(statements.filter(text => text.includes('insert into alert_group'))).toHaveLength(101);
  expect(statements.filter(text => text.includes('insert into alert_payload'))).toHaveLength(1);
  const stored = await other.database.query<{ key: string; count: number }>(
    'select key, received_count as count from alert_group where source_id = $1 order by key limit 2',
    [Number(alertSource.id)],
  );
  expect(stored.map(({ count }) => count)).toEqual([900, 1]);
});
