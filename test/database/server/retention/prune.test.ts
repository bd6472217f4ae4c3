import { beforeEach, describe, expect, test } from '@jest/globals';
import { countPrunable, prune } from '../../../../src/server/retention/prune.js';
import { expiredRows } from '../../../../src/server/retention/expired-rows.js';
import { runCommand } from '../../../../src/cli/run-command.js';
import { deleteOldEntries } from '../../../../src/people/audit/audit-log.service.js';
import { query as queryIn } from '../../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../../src/db/transaction.js';
import { recordOutcomes } from '../../../../src/notifications/delivery/record-outcomes.js';
import { createPublishingPage, fanOutAll, leaseAll } from '../../../support/ledger.js';
import { startWorkerProcess } from '../../../../src/server/start-worker.js';
import { startTestService, useOwnService } from '../../../support/service.js';
import { waitUntilEqual } from '../../../support/wait-until-equal.js';
import { createTestSettings, withChannels } from '../../../support/settings.js';

const service = useOwnService(withChannels);
const days = { deliveryRetentionDays: 400, auditRetentionDays: 0 };
const query = <Row>(sql: string, values: unknown[] = []) => service.database.query<Row>(sql, values);

/** What was deleted, and what was announced before, by kind; without kinds of which there is nothing. */
async function pruneAll(settings = days) {
  const announced = await countPrunable(service.database, settings);
  const pruned = await prune(service.database, settings);
  expect(announced).toEqual(pruned);
  return Object.fromEntries(pruned.filter(({ count }) => count).map(({ kind, count }) => [kind, count]));
}

let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  page = await createPublishingPage(service);
  await query(`update page set disabled_channels = '{chatA,chatB,social}' where id = $1`, [page.id]);
});

const age = (table: string, interval: string, condition = 'page_id = $1', column = 'created_at') =>
  query(`update ${table} set ${column} = ${column} - interval '${interval}' where ${condition}`, [page.id]);

describe('Deliveries', () => {
  const deliver = async (outcomes: Record<string, 'sent' | 'refused'>) => {
    await fanOutAll(service.database);
    const leased = await leaseAll(service.database);
    await recordOutcomes(
      service.database,
      leased.map(({ id, lease, address }) => {
        const outcome = outcomes[address] ?? 'failed';
        const retrySeconds = outcome === 'failed' ? 3_600 : null;
        return { id, lease, outcome, response: outcome, retrySeconds, thread: null };
      }),
    );
  };
  const readPublications = async () => {
    const counted = 'counts { channel state count } audience { channel count } deliveries { totalCount }';
    const { json } = await service.graphql(
      `query ($page: ID!) { publications(pageId: $page) { nodes { ${counted} } } }`,
      { page: page.id },
    );
    expect(json.errors).toBeUndefined();
    return json.data.publications.nodes;
  };

  test('are deleted with their attempts after the configured days, and stay in the counts of their publication', async () => {
    for (const name of ['fine', 'gone', 'full']) await page.subscribe(`${name}@example.com`);
    await page.notice();
    await deliver({ 'fine@example.com': 'sent', 'gone@example.com': 'refused' });
    const [before] = await readPublications();
    await age('delivery', '399 days');
    expect(await pruneAll()).toEqual({});
    await age('delivery', '2 days');
    expect(await pruneAll({ ...days, deliveryRetentionDays: 0 })).toEqual({});
    expect(await pruneAll()).toEqual({ 'deliveries, with their attempts': 2 });
    const [after] = await readPublications();
    expect(after).toEqual({ ...before, deliveries: { totalCount: 1 } });
    // What is still tried is deleted only once it has an outcome.
    await query(`update delivery set due_at = now() - make_interval(secs => 1) where page_id = $1`, [page.id]);
    await deliver({ 'full@example.com': 'sent' });
    expect(await pruneAll()).toEqual({ 'deliveries, with their attempts': 1 });
    expect((await readPublications())[0].counts).toEqual([
      { channel: 'EMAIL', state: 'DEAD', count: 1 },
      { channel: 'EMAIL', state: 'SENT', count: 2 },
    ]);
    const orphans = 'select 1 from attempt a where not exists (select from delivery d where d.id = a.delivery_id)';
    expect(await query(orphans)).toEqual([]);
  });

  test('are not created again, and not while their publication creates more', async () => {
    await page.subscribe('fine@example.com');
    await page.notice();
    await deliver({ 'fine@example.com': 'sent' });
    await age('delivery', '401 days');
    await query('update publication set fanned_out_at = null where page_id = $1', [page.id]);
    expect(await pruneAll()).toEqual({});
    await query('update publication set fanned_out_at = created_at where page_id = $1', [page.id]);
    expect(await pruneAll()).toEqual({ 'deliveries, with their attempts': 1 });
    await fanOutAll(service.database);
    expect(await page.deliveries()).toEqual([]);
  });

  test('of more than a batch are deleted, also where two processes delete', async () => {
    await page.subscribe('fine@example.com');
    await page.notice();
    await deliver({ 'fine@example.com': 'sent' });
    await query(
      `insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, address, state, message_id,
         created_at, queued_at, due_at)
       select page_id, publication_id, notice_id, channel, 'copy ' || n, address, state, message_id,
         created_at, queued_at, due_at
       from delivery, generate_series(1, 2500) n where page_id = $1`,
      [page.id],
    );
    await age('delivery', '401 days');
    await Promise.all([prune(service.database, days), prune(service.database, days)]);
    await prune(service.database, days);
    expect(await page.deliveries()).toEqual([]);
    expect((await readPublications())[0].counts).toEqual([{ channel: 'EMAIL', state: 'SENT', count: 2_501 }]);
  });
});

test('A service and a worker delete by themselves, unless AUTOMATION is off', async () => {
  const countTokens = async () => (await query('select 1 from used_access_token')).length;
  const { url } = service.database as { url?: string | null };
  const starts = [
    async () => (await startTestService({ automation: true }, { database: service.database })).stop,
    ...(url ? [() => startWorkerProcess(createTestSettings({ databaseUrl: url, automation: true }))] : []),
  ];
  for (const start of starts) {
    await query(`insert into used_access_token values ('expired', now())`);
    const stop = await start();
    await waitUntilEqual(countTokens, 0);
    await stop();
  }
  await query(`insert into used_access_token values ('expired', now())`);
  const { stop } = await startTestService({}, { database: service.database });
  await stop();
  expect(await countTokens()).toBe(1);
});

test('The command counts in a dry run what it deletes', async () => {
  const runPrune = async (...options: string[]) => {
    const context = { database: service.database, settings: service.settings };
    const { text } = await runCommand(context, { args: ['prune', ...options], directory: '/' });
    return text;
  };
  await query('delete from used_access_token');
  await query(`insert into used_access_token select n::text, now() from generate_series(1, 3) n`);
  const announced = await runPrune('--dry-run');
  expect(announced).toContain('3\tused access tokens\n');
  expect(await runPrune()).toBe(announced);
  expect(JSON.parse(await runPrune('--json'))).toContainEqual({ kind: 'used access tokens', count: 0 });
});

test('An address that unsubscribed becomes a hash, by which an import leaves it out on this page alone', async () => {
  const importInto = async (pageId: string, dryRun: boolean, input: object = {}) => {
    const { json } = await service.graphql(
      `mutation ($page: ID!, $dryRun: Boolean!, $input: ImportSubscribersInput!) {
         importSubscribers(pageId: $page, dryRun: $dryRun, input: $input) { added left } }`,
      {
        page: pageId,
        dryRun,
        input: { csv: 'email\nLEFT@example.com\nnew@example.com', consentSource: 'list', ...input },
      },
    );
    return json.data.importSubscribers;
  };
  await page.subscribe('Left@example.com');
  await age('subscriber', '399 days', `page_id = $1`, 'confirmed_at');
  await query(`update subscriber set unsubscribed_at = clock_timestamp() - interval '401 days' where page_id = $1`, [
    page.id,
  ]);
  expect(await pruneAll()).toEqual({ 'people who unsubscribed': 1 });
  expect(await query('select 1 from subscriber where page_id = $1', [page.id])).toEqual([]);
  const hashes = await query<{ hash: string }>('select hash from unsubscribed_address where page_id = $1', [page.id]);
  expect(hashes).toEqual([{ hash: expect.stringMatching(/^[\w-]{43}$/) }]);
  expect(await importInto(page.id, true)).toEqual({ added: 1, left: 1 });
  expect(await importInto((await createPublishingPage(service)).id, true)).toEqual({ added: 2, left: 0 });
  expect(await importInto(page.id, false, { shouldResubscribe: true })).toEqual({ added: 2, left: 0 });
});

test('Sessions, codes, links, answers and changes are deleted when their time is over', async () => {
  const person = `(select id from person where email = 'anna@example.com')`;
  const component = await page.component('Payments');
  await query(`insert into person (email, created_at) values ('anna@example.com', now())`);
  const rows: [kind: string, insert: (agoSql: string) => string, keptAfter: string, deletedAfter: string][] = [
    [
      'responses to requests with an Idempotency-Key',
      ago => `insert into idempotent_response values ('id ' || ${ago}, '', 200, '[]', '', ${ago})`,
      ...(['23 hours', '25 hours'] as const),
    ],
    [
      'changes of pages',
      ago => `insert into page_change (page_id, created_at) values ('aaaaaaaa', ${ago})`,
      ...(['9 minutes', '11 minutes'] as const),
    ],
    [
      'sign-in links',
      ago => `insert into sign_in_link values ('hash ' || ${ago}, ${person}, ${ago})`,
      ...(['-1 minutes', '1 minute'] as const),
    ],
    [
      'challenges of passkeys',
      ago => `insert into passkey_challenge values ('hash ' || ${ago}, null, ${ago})`,
      ...(['-1 minutes', '1 minute'] as const),
    ],
    [
      'sign-ins at an identity provider',
      ago => `insert into identity_request values ('hash ' || ${ago}, '', '', '', '', ${ago})`,
      ...(['-1 minutes', '1 minute'] as const),
    ],
    [
      'used access tokens',
      ago => `insert into used_access_token values ('hash ' || ${ago}, ${ago})`,
      ...(['-1 minutes', '1 minute'] as const),
    ],
    [
      'tries of page passwords',
      ago => `insert into access_try values ('${page.id}', 'network ' || ${ago}, 1, ${ago})`,
      ...(['-1 minutes', '1 minute'] as const),
    ],
    [
      'one-time codes',
      ago => `insert into one_time_code (purpose, scope, subject, network, hash, created_at, expires_at)
        values ('sign_in', '', '', 'network', '', ${ago}, ${ago})`,
      ...(['59 minutes', '61 minutes'] as const),
    ],
    [
      'requests for confirmations',
      ago => `insert into subscription_request (page_id, method, recipient, caller, sent, created_at)
        values ('${page.id}', 'email', '', '', true, ${ago})`,
      ...(['23 hours', '25 hours'] as const),
    ],
    [
      'sessions that ended',
      ago => `insert into session (person_id, hash, user_agent, created_at, last_seen_at, revoked_at)
        values (${person}, 'hash ' || ${ago}, '', ${ago}, ${ago}, ${ago})`,
      ...(['29 days', '31 days'] as const),
    ],
    [
      'reservations of domains',
      ago => `insert into domain_reservation values ('d' || ${ago}, '${page.id}', ${ago})`,
      ...(['-1 minutes', '1 minute'] as const),
    ],
    [
      'what upstreams said',
      ago => `insert into upstream_period values ('${page.id}', ${component}, 'unknown', ${ago}, ${ago})`,
      ...(['1095 days', '1097 days'] as const),
    ],
  ];
  for (const [, insert, ...ages] of rows)
    for (const each of ages.reverse()) await query(insert(`(now() - interval '${each}')`));
  // The newest session of a person stays, however old it is.
  await query(`insert into person (email, created_at) values ('ben@example.com', now())`);
  await query(`insert into session (person_id, hash, user_agent, created_at, last_seen_at)
    select id, 'old', '', now() - interval '1 year', now() - interval '1 year' from person where email = 'ben@example.com'`);
  const pruned = await pruneAll();
  expect(pruned).toEqual(
    Object.fromEntries(rows.map(([kind]) => [kind, kind === 'changes of pages' ? expect.any(Number) : 1])),
  );
});

/** Ends after the first batch of a kind. */
function afterOneBatch(kind: string): AbortSignal {
  let left = expiredRows.findIndex(each => each.kind === kind) + 1;
  return {
    get aborted() {
      return left-- <= 0;
    },
  } as AbortSignal;
}

test('Of responses of megabytes few are deleted by a statement', async () => {
  await query(`insert into idempotent_response
    select n, '', 200, '[]', '', now() - interval '25 hours', 'caller', 4000000 from generate_series(1, 21) n`);
  const kind = 'long responses to requests with an Idempotency-Key';
  expect(await prune(service.database, days, afterOneBatch(kind))).toContainEqual({ kind, count: 20 });
  expect(await pruneAll()).toEqual({ [kind]: 1 });
});

test('Of entries of the audit log with thousands of changes few are deleted by a statement', async () => {
  await query(`insert into audit_entry (id, at, actor_kind, actor, interface, operation)
    select -n, '2020-01-01', 'command', '', 'cli', '' from generate_series(1, 3) n`);
  await query(`insert into audit_change (entry_id, record, record_id, field)
    select -n, '', '', '' from generate_series(1, 3) n, generate_series(1, 1500)`);
  expect(await inTransaction(service.database, em => deleteOldEntries(em, 400, 1_000))).toBe(1);
  expect(await pruneAll({ ...days, auditRetentionDays: 400 })).toEqual({ 'entries of the audit log': 2 });
  expect(await query('select from audit_change where entry_id < 0')).toEqual([]);
});

test('A kind that cannot be deleted keeps no other', async () => {
  await query(`insert into access_try (page_id, network, tries, expires_at) values ($1, '', 1, now())`, [page.id]);
  await query(`insert into used_access_token values ('used', now())`);
  await query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await query('create trigger refuse before delete on access_try execute function refuse()');
  try {
    await expect(prune(service.database, days)).rejects.toThrow('refused');
    expect(await query(`select from used_access_token where hash = 'used'`)).toEqual([]);
  } finally {
    await query('drop function refuse cascade');
    await query('delete from access_try');
  }
});

test('Of records to which thousands of rows belong few are deleted by a statement', async () => {
  const component = await page.component('Payments');
  await query(
    `with made as (
       insert into subscriber (page_id, email, consent_source, created_at, updated_at, chose_components)
       select $1, n || '@example.com', 'interface', old, old, true
       from generate_series(1, 21) n, (select now() - interval '8 days') ago (old) returning id)
     insert into subscriber_component select id, $2 from made`,
    [page.id, Number(component)],
  );
  const kind = 'subscriptions that were not confirmed';
  expect(await prune(service.database, days, afterOneBatch(kind))).toContainEqual({ kind, count: 20 });
  expect(await pruneAll()).toEqual({ [kind]: 1 });
});

// The embedded database has one connection.
const onPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;

onPostgres('A row that is changed while it would be deleted is kept, unless it is still to be deleted', async () => {
  await query(
    `insert into access_try (page_id, network, tries, expires_at) values ($1, 'renewed', 1, now()), ($1, 'raised', 1, now())`,
    [page.id],
  );
  const countWaiting = `select 1 from pg_stat_activity where query like 'delete from access_try%' and wait_event_type = 'Lock'`;
  const pruned = await inTransaction(service.database, async em => {
    await queryIn(em, `update access_try set expires_at = now() + interval '1 hour' where network = 'renewed'`);
    await queryIn(em, `update access_try set tries = 2 where network = 'raised'`);
    const pruning = prune(service.database, days);
    await waitUntilEqual(async () => (await query(countWaiting)).length, 1);
    return { pruning };
  });
  expect(await pruned.pruning).toContainEqual({ kind: 'tries of page passwords', count: 1 });
  expect(await query(`select network from access_try where network in ('renewed', 'raised')`)).toEqual([
    { network: 'renewed' },
  ]);
});
