import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../../src/cli/run-command.js';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { createPublishingPage, fanOutAll, leaseAll } from '../../support/ledger.js';
import { askAs, peopleOrigin, signIn } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService({ ...withChannels, publicUrl: peopleOrigin });
const address = 'Anna.Smith@example.com';
const neighbours = [
  'xanna.smith@example.com',
  "o'anna.smith@example.com",
  'anna.smith@example.com.au',
  'anna-smith@example.com',
];
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let other: typeof page;
let id: number;
beforeAll(async () => {
  page = await createPublishingPage(service);
  other = await createPublishingPage(service);
  const owner = await signIn(service);
  const rename = (personId: number, email: string) =>
    service.database.query('update person set email = $2 where id = $1', [personId, email]);
  await rename(owner.personId, 'owner@example.com');
  // Each way by which an address gets into the database.
  const created = await service.post(
    `${page.path}/subscribers`,
    { email: address, phone_number: '+4915112345678', first_name: 'Annabella', tag_list: 'of anna.smith@example.com' },
    { headers: { 'idempotency-key': 'anna' } },
  );
  id = created.json.response.id;
  await service.patch(`${page.path}/subscribers/${id}`, { last_name: 'Smithfield' });
  const left = await other.subscribe(address.toLowerCase());
  await service.delete(`${other.path}/subscribers/${left}`);
  await other.subscribe(address);
  for (const neighbour of neighbours) await page.subscribe(neighbour);
  const author = await signIn(service, 'publisher');
  await rename(author.personId, address);
  const opened = await askAs(
    service,
    author,
    'mutation ($page: ID!) { openIncident(pageId: $page, input: { subject: "Payments fail", shouldPublish: true }) { notice { id } } }',
    { page: page.id },
  );
  expect(opened.errors).toBeUndefined();
  await other.notice();
  await fanOutAll(service.database);
  const leased = await leaseAll(service.database);
  await recordOutcomes(
    service.database,
    leased.map(({ id, lease, address }) => ({
      id,
      lease,
      outcome: 'refused' as const,
      retrySeconds: null,
      thread: null,
      isGone: true,
      response: `550 <${address}> is unknown`,
    })),
  );
  // Somebody else, who is still to be notified.
  await page.notice();
  await fanOutAll(service.database);
});

/** The rows of all tables that contain a text, whatever its case, by table. */
async function grep(text: string): Promise<Record<string, number>> {
  const tables = await service.database.query<{ name: string }>(
    `select format('%I', table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(40);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = await service.database.query(
      `select from ${name} t where position(lower($1) in lower(to_jsonb(t)::text)) > 0
         and not (to_jsonb(t)::text ~* any($2::text[]))`,
      [text, neighbours.map(neighbour => neighbour.replaceAll('.', '\\.'))],
    );
    if (rows.length) found[name] = rows.length;
  }
  return found;
}

const run = async (...args: string[]) =>
  runCommand({ database: service.database, settings: service.settings }, { args: ['person', ...args], directory: '/' });

test('All that is stored of a person is exported, and the audit log says so without the address', async () => {
  const { text } = await run('export', address);
  const data = JSON.parse(text);
  expect(data).toMatchObject({
    subscriptions: [{ first_name: 'Annabella', last_name: 'Smithfield' }, { page_id: other.id }],
    accounts: [{ email: address }],
    roles: [{ role: 'publisher' }],
    actions: expect.arrayContaining([expect.objectContaining({ operation: 'openIncident' })]),
    changes: expect.arrayContaining([expect.objectContaining({ field: 'lastName', after: 'Smithfield' })]),
  });
  expect(data.deliveries[0]).toMatchObject({
    address,
    state: 'dead',
    attempts: [{ response: `550 <${address}> is unknown` }],
  });
  expect(text).not.toMatch(/"(hash|public_key)"/);
  for (const neighbour of neighbours) expect(text).not.toContain(neighbour);
  const [entry] = await service.database.query(
    `select c.field, c.after from audit_entry e join audit_change c on c.entry_id = e.id
     where e.operation = 'exportPersonData'`,
  );
  expect(entry).toEqual({ field: 'exported', after: expect.stringMatching(/^2 subscriptions; \d+ deliveries; /) });
});

test('An erasure is announced without --yes, and then leaves the address nowhere in the database', async () => {
  const before = await grep(address);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['attempt', 'audit_change', 'audit_entry', 'delivery', 'idempotent_response', 'person']),
  );
  const announced = await run('erase', address);
  expect(announced.text).toMatch(/^Would be erased with --yes:\n2\tsubscriptions\n\d+\tdeliveries/);
  expect(await grep(address)).toEqual(before);
  const { text } = await run('erase', 'anna.smith@EXAMPLE.com', '--yes');
  expect(text).toBe(announced.text.replace('Would be erased with --yes', 'Erased'));
  for (const erased of [address, '+4915112345678', 'Annabella', 'Smithfield'])
    expect([erased, await grep(erased)]).toEqual([erased, {}]);
  // Others stay as they were.
  expect((await page.deliveries()).filter(({ channel }) => channel === 'email')).toHaveLength(neighbours.length);
  const logged = await service.database.query(`select from audit_change where after = any($1::text[])`, [neighbours]);
  expect(logged).toHaveLength(neighbours.length);
  // The counts of a publication stay, and what was still to be sent counts as skipped.
  const counts = await service.database.query(
    `select state, reason, sum("count")::integer as count from deleted_delivery_count group by 1, 2 order by 1, 2`,
  );
  expect(counts).toContainEqual({ state: 'skipped', reason: 'subscriber deleted', count: expect.any(Number) });
  expect(await run('erase', address, '--yes')).toMatchObject({ text: 'Nothing is stored of this address.\n' });
});

test('An address that was erased is left out by an import, and its owner may subscribe again', async () => {
  const mutation = `mutation($page: ID!, $input: ImportSubscribersInput!) {
    importSubscribers(pageId: $page, dryRun: false, input: $input) { added left } }`;
  const input = { csv: `email\n${address}`, consentSource: 'list' };
  const { json } = await service.graphql(mutation, { page: page.id, input });
  expect(json.data.importSubscribers).toEqual({ added: 0, left: 1 });
  expect(await page.subscribe(address)).toBeGreaterThan(id);
});

test('The only owner is not erased, and what operators wrote is named in the receipt', async () => {
  const erase = (text: string) =>
    service.graphql(
      `mutation ($address: String!) { erasePersonData(input: { address: $address }) {
         erased { kind count } remaining { kind count } userErrors { code message } } }`,
      { address: text },
    );
  const refused = (await erase('owner@example.com')).json;
  expect(refused.errors[0].message).toMatch(/^This is the only owner of all pages\./);
  await service.patch(page.path, { support_email: 'help@example.com' });
  expect((await erase('help@example.com')).json.data.erasePersonData).toEqual({
    erased: [{ kind: 'changes in the audit log', count: 1 }],
    remaining: [{ kind: 'page.support_email', count: 1 }],
    userErrors: [],
  });
});

test('A subscriber in whose other fields an operator wrote the address stays out of it', async () => {
  const mentioned = 'bea@example.com';
  const name = 'Zimmer';
  const somebody = { email: 'zoe@example.org', last_name: name, company: `recommended by ${mentioned}` };
  await service.post(`${page.path}/subscribers`, somebody);
  const { text } = await run('export', mentioned);
  expect(JSON.parse(text).changes).toEqual([expect.objectContaining({ field: 'company', after: somebody.company })]);
  expect(text).not.toContain(name);
  await run('erase', mentioned, '--yes');
  const logged = await service.database.query(
    `select field from audit_change where after = any($1::text[]) order by 1`,
    [[somebody.email, name, 'recommended by (erased)']],
  );
  expect(logged).toEqual([{ field: 'company' }, { field: 'email' }, { field: 'lastName' }]);
});

test('A text that is no address is refused as a mistake of the input', async () => {
  for (const operation of ['exportPersonData', 'erasePersonData']) {
    const { json } = await service.graphql(
      `mutation { ${operation}(input: { address: "foo" }) { userErrors { path code message } } }`,
    );
    const message = '`address` must be an e-mail address, or a phone number with its country code, not "foo".';
    expect(json.data[operation].userErrors).toEqual([{ path: ['input', 'address'], code: 'INVALID', message }]);
  }
});
