import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportAuditLog } from '../../../../src/people/audit/audit-log.service.js';
import { scopes } from '../../../../src/auth/token.service.js';
import { type AccessRecords, createAccessRecords } from '../../../support/access-records.js';
import { createPage } from '../../../support/factories.js';
import { mutations, operationOf } from '../../../support/root-operations.js';
import { prune } from '../../../../src/server/retention/prune.js';
import { useOwnService } from '../../../support/service.js';
import { createToken } from '../../../support/tokens.js';

/** That every write leaves an entry, and a refused one none, is in the access matrix of GraphQL. */
const service = useOwnService({ dnsServers: ['127.0.0.1:1'] });
let operator: string;
let page: { id: string; path: string };
let records: AccessRecords;
beforeAll(async () => {
  operator = await createToken(service.database, 'Ann', scopes.write);
  page = await createPage(service);
  records = await createAccessRecords(service);
}, 60_000);

interface Entry {
  [name: string]: unknown;
  changes: { record: string; recordId: string; field: string; before: string | null; after: string | null }[];
}
const fields = `id recordedAt actor { kind label person { email } } interface operation subject subjectId requestId pageId publicationId
  changes { record recordId field before after }`;
const readLog = async (pageId: string | null, token = service.tokens.write, filter = {}): Promise<Entry[]> => {
  const { json } = await service.graphql(
    `query($pageId: ID, $filter: AuditEntryFilter) { auditLog(pageId: $pageId, filter: $filter, first: 20) { nodes { ${fields} } } }`,
    { pageId, filter },
    { token },
  );
  expect(json.errors).toBeUndefined();
  return json.data.auditLog.nodes;
};
const countEntries = async () =>
  Number((await service.database.query<{ count: string }>('select count(*) from audit_entry'))[0]!.count);

test.each(mutations.filter(field => field.args.some(({ name }) => name === 'ifVersion')))(
  '$name leaves no entry if the version is another',
  async field => {
    const before = await countEntries();
    const { query, variables } = operationOf(field, records);
    const withVersion = query.replace(/(\{ \w+\()/, '$1ifVersion: 999, ');
    const { json } = await service.graphql(withVersion, variables, { token: operator });
    expect(json.errors).toHaveLength(1);
    expect(await countEntries()).toBe(before);
  },
);

describe('An entry', () => {
  test('names its record as it is called now', async () => {
    const { path } = await createPage(service, { name: 'Labels' });
    const pageId = path.split('/').at(-1)!;
    const { json } = await service.graphql(
      `mutation($pageId: ID!) {
        openIncident(pageId: $pageId, input: { subject: "Slow", content: "Hm", shouldPublish: false }) { notice { id } }
        createComponent(pageId: $pageId, input: { name: "Shop" }) { component { id } }
        createNoticeTemplate(pageId: $pageId, input: { name: "Usual" }) { template: noticeTemplate { id } }
        createMetric(pageId: $pageId, input: { name: "Queue" }) { metric { id } }
        createAlertSource(pageId: $pageId, input: { name: "Monitor" }) { hookUrl }
      }`,
      { pageId },
    );
    const update = (field: string) => `mutation($pageId: ID!, $id: ID!) { ${field} { userErrors { message } } }`;
    const ids = { pageId, id: json.data.openIncident.notice.id };
    await service.graphql(
      update('createNoticeUpdate(pageId: $pageId, noticeId: $id, input: { content: "Found", shouldPublish: false })'),
      ids,
    );
    await service.graphql(
      update('updateNotice(pageId: $pageId, id: $id, input: { subject: "Fast", shouldPublish: false })'),
      ids,
    );
    const log = await service.graphql(
      'query($pageId: ID!) { auditLog(pageId: $pageId) { nodes { operation subject subjectLabel } } }',
      { pageId },
    );
    expect(log.json.data.auditLog.nodes).toEqual([
      { operation: 'updateNotice', subject: 'Notice', subjectLabel: 'Fast' },
      { operation: 'createNoticeUpdate', subject: 'NoticeUpdate', subjectLabel: 'Fast' },
      { operation: 'createAlertSource', subject: 'AlertSource', subjectLabel: 'Monitor' },
      { operation: 'createMetric', subject: 'Metric', subjectLabel: 'Queue' },
      { operation: 'createNoticeTemplate', subject: 'NoticeTemplate', subjectLabel: 'Usual' },
      { operation: 'createComponent', subject: 'Component', subjectLabel: 'Shop' },
      { operation: 'openIncident', subject: 'Notice', subjectLabel: 'Fast' },
      { operation: 'createPage', subject: 'Page', subjectLabel: 'Labels' },
    ]);
  });

  test('has the changed fields before and after, and the publication', async () => {
    const { json, headers } = await service.graphql(
      `mutation($pageId: ID!) {
        openIncident(pageId: $pageId, input: { subject: "Slow", content: "Hm", shouldPublish: true }) { notice { id } }
      }`,
      { pageId: page.id },
      { token: operator, headers: { 'x-request-id': 'req-7' } },
    );
    expect(headers.get('x-request-id')).toBe('req-7');
    const { id } = json.data.openIncident.notice;
    const [opened] = await readLog(page.id);
    expect(opened).toMatchObject({
      operation: 'openIncident',
      subject: 'Notice',
      subjectId: id,
      requestId: 'req-7',
      pageId: page.id,
      actor: { kind: 'TOKEN' },
      interface: 'GRAPHQL',
      publicationId: expect.any(String),
    });
    expect(opened!.changes).toContainEqual({
      record: 'Notice',
      recordId: id,
      field: 'subject',
      before: null,
      after: 'Slow',
    });
    const { recordId: updateId } = opened!.changes.find(({ record }) => record === 'NoticeUpdate')!;
    expect(opened!.changes).toContainEqual({
      record: 'NoticeUpdate',
      recordId: updateId,
      field: 'notice',
      before: null,
      after: id,
    });
    await service.patch(`${page.path}/notices/${id}`, { subject: 'Slower' }, { token: operator });
    const [updated] = await readLog(page.id);
    expect(updated).toMatchObject({ operation: 'updateNotice', interface: 'V1', subject: 'Notice', subjectId: id });
    expect(updated!.changes).toContainEqual({
      record: 'Notice',
      recordId: id,
      field: 'subject',
      before: 'Slow',
      after: 'Slower',
    });
    expect(updated!.changes.map(({ field }) => field).toSorted()).toEqual(['path', 'subject']);
    await service.delete(`${page.path}/notices/${id}`, { token: operator });
    const [deleted] = await readLog(page.id);
    expect(deleted).toMatchObject({ operation: 'deleteNotice', interface: 'V1', subject: 'Notice', subjectId: id });
    expect(deleted!.changes).toContainEqual({
      record: 'Notice',
      recordId: id,
      field: 'subject',
      before: 'Slower',
      after: null,
    });
  });

  test('of an import has the fields of each subscriber', async () => {
    const run = async (csv: string) => {
      const input = { consentSource: 'a list', csv, shouldResubscribe: true };
      const { json } = await service.graphql(
        'mutation($pageId: ID!, $input: ImportSubscribersInput!) { importSubscribers(pageId: $pageId, dryRun: false, input: $input) { added } }',
        { pageId: page.id, input },
        { token: operator },
      );
      expect(json.errors).toBeUndefined();
      return (await readLog(page.id))[0]!;
    };
    const added = await run('email,first_name\nann@example.com,Ann\nbob@example.com,Bob\n');
    expect(added.operation).toBe('importSubscribers');
    const values = added.changes.map(({ field, before, after }) => [field, before, after]);
    for (const [email, name] of [
      ['ann@example.com', 'Ann'],
      ['bob@example.com', 'Bob'],
    ])
      expect(values).toEqual(
        expect.arrayContaining([
          ['email', null, email],
          ['firstName', null, name],
        ]),
      );
    expect(new Set(added.changes.map(({ recordId }) => recordId)).size).toBe(2);
    await service.database.query(`update subscriber set unsubscribed_at = now() where email = 'ann@example.com'`);
    const renewed = await run('email,first_name\nann@example.com,Anna\n');
    expect(renewed.changes).toContainEqual(
      expect.objectContaining({ record: 'Subscriber', field: 'firstName', before: 'Ann', after: 'Anna' }),
    );
  });

  test('has no secret', async () => {
    const secret = 'hooks-secret-1234567890';
    const { json } = await service.graphql(
      `mutation($pageId: ID!, $input: ConfigureChannelInput!) { configureChannel(pageId: $pageId, input: $input) { page { id } } }`,
      { pageId: page.id, input: { channel: 'MASTODON', url: 'https://mastodon.example', token: secret } },
      { token: operator },
    );
    expect(json.errors).toBeUndefined();
    const made = await service.graphql(
      'mutation { createToken(input: { label: "x", role: VIEWER }) { secret } }',
      {},
      { token: operator },
    );
    const stored = JSON.stringify([
      await service.database.query('select * from audit_entry'),
      await service.database.query('select * from audit_change'),
    ]);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(made.json.data.createToken.secret);
  });

  test('is written once where a request is repeated with an Idempotency-Key', async () => {
    const before = await countEntries();
    const send = (name: string) =>
      service.graphql(
        'mutation($pageId: ID!, $name: String!) { createComponent(pageId: $pageId, input: { name: $name }) { component { id } } }',
        { pageId: page.id, name },
        { token: operator, headers: { 'idempotency-key': 'once' } },
      );
    await send('One');
    await send('One');
    expect(await countEntries()).toBe(before + 1);
  });

  test('of a failed part of a request with an Idempotency-Key is undone', async () => {
    const before = await countEntries();
    const { json } = await service.graphql(
      `mutation($pageId: ID!) {
        one: createComponent(pageId: $pageId, input: { name: "One" }) { component { id } }
        two: createComponent(pageId: $pageId, input: { name: "" }) { component { id } }
      }`,
      { pageId: page.id },
      { token: operator, headers: { 'idempotency-key': 'half' } },
    );
    expect(json.data.two).toBeNull();
    expect(await countEntries()).toBe(before + 1);
  });
});

test('is exported as lines of JSON, of a page and since a time', async () => {
  const lines = (text: string): { page_id: string; operation: string; changes: unknown[] }[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  const all = lines((await exportAuditLog(service.database, {}, 100_000)).text);
  expect(all).toHaveLength(await countEntries());
  const ofPage = lines((await exportAuditLog(service.database, { pageId: page.id }, 100_000)).text);
  expect(ofPage).toEqual(all.filter(({ page_id }) => page_id === page.id));
  expect(ofPage.find(({ operation }) => operation === 'openIncident')!.changes).toContainEqual(
    expect.objectContaining({ record: 'Notice', field: 'subject', before: null, after: 'Slow' }),
  );
  expect(await exportAuditLog(service.database, { since: new Date('2999-01-01') })).toEqual({ text: '', last: null });
  const parts: object[][] = [];
  let last: number | null = 0;
  while (last !== null) {
    const part: { text: string; last: number | null } = await exportAuditLog(service.database, { after: last }, 5);
    parts.push(lines(part.text));
    last = part.last;
  }
  expect(parts.flat()).toEqual(all);
  expect(parts.length).toBe(Math.floor(all.length / 5) + 1);
});

test('loses the entries that are older than the retention, and no others', async () => {
  const before = await countEntries();
  await service.database.query(
    `update audit_entry set at = at - interval '31 days' where id in (select id from audit_entry order by id limit 2)`,
  );
  const deleteOlderThan = async (auditRetentionDays: number) => {
    const pruned = await prune(service.database, { deliveryRetentionDays: 0, auditRetentionDays });
    return pruned.find(({ kind }) => kind === 'entries of the audit log')?.count;
  };
  expect(await deleteOlderThan(0)).toBeUndefined();
  expect(await deleteOlderThan(32)).toBe(0);
  expect(await deleteOlderThan(30)).toBe(2);
  expect(await countEntries()).toBe(before - 2);
  const orphans = 'select 1 from audit_change c where not exists (select 1 from audit_entry e where e.id = c.entry_id)';
  expect(await service.database.query(orphans)).toEqual([]);
});

describe('The log', () => {
  test('is open to owners, of their pages alone', async () => {
    const other = await createPage(service);
    const owner = await createToken(service.database, 'owner', { role: 'owner', pageIds: [page.id] });
    const publisher = await createToken(service.database, 'publisher', { role: 'publisher' });
    expect(new Set((await readLog(null, owner)).map(({ pageId }) => pageId))).toEqual(new Set([page.id]));
    expect((await readLog(null)).some(({ pageId }) => pageId === other.id)).toBe(true);
    const codeOf = async (pageId: string | null, token: string) =>
      (
        await service.graphql(
          'query($pageId: ID) { auditLog(pageId: $pageId) { nodes { id } } }',
          { pageId },
          { token },
        )
      ).json.errors?.[0].extensions.code;
    expect(await codeOf(other.id, owner)).toBe('NOT_FOUND');
    expect(await codeOf(page.id, publisher)).toBe('FORBIDDEN');
    expect(await codeOf(page.id, service.tokens.read)).toBe('FORBIDDEN');
  });

  test('is filtered by operation and actor', async () => {
    const operation = { eq: 'deleteNotice' };
    const entries = await readLog(page.id, service.tokens.write, { operation });
    expect(entries.map(entry => entry.operation)).toEqual(['deleteNotice']);
    const { kind, label } = entries[0]!.actor as { kind: string; label: string };
    const filterBy = (actorLabel: object) =>
      readLog(page.id, service.tokens.write, { operation, actorKind: { eq: kind }, actorLabel });
    expect(await filterBy({ eq: label })).toEqual(entries);
    expect(await filterBy({ notEq: label })).toEqual([]);
  });

  test('has no entry of what visitors do', async () => {
    const before = await countEntries();
    const form = new URLSearchParams({ email: 'visitor@example.com' }).toString();
    await service.call('POST', `/status/${page.id}/subscribe`, { form, token: null });
    expect(await countEntries()).toBe(before);
  });
});
