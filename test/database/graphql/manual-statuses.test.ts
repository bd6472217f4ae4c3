import { beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const service = useService();
let page: { id: string; path: string };
let parent: string;
let shop: string;
let mail: string;

beforeEach(async () => {
  page = await createPage(service, { timezone: 'UTC' });
  const add = async (name: string, parent_id?: string) =>
    String((await createComponent(service, page.path, { name, parent_id })).id);
  parent = await add('Services');
  shop = await add('Shop', parent);
  mail = await add('Mail');
});

const fields = 'components { id state manualStatus { status note } } page { state }';
const types = { page: 'ID!', ids: '[ID!]!', input: 'SetComponentStatusInput!' };
const write = async (mutation: string, variables: object = {}) => {
  const declared = Object.entries(types).flatMap(([name, type]) =>
    mutation.includes(`$${name}`) ? `$${name}: ${type}` : [],
  );
  const { json } = await service.graphql(
    `mutation ${declared.length ? `(${declared.join(', ')})` : ''} { result: ${mutation} }`,
    { page: page.id, input: { status: 'OPERATIONAL' }, ...variables },
  );
  return json.errors ? json.errors[0].extensions : json.data.result;
};
const set = (id: string, status: string, note?: string) =>
  write(`setComponentStatus(id: "${id}", input: $input) { component { version } ${fields} userErrors { path code } }`, {
    input: { status, note },
  });
const clear = (id: string) => write(`clearComponentStatus(id: "${id}") { component { version } ${fields} }`);
const open = async (componentIds: string[]) => {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $ids: [ID!]!) { openIncident(pageId: $page, input: {
      subject: "Down", componentIds: $ids, shouldPublish: false }) { notice { id } } }`,
    { page: page.id, ids: componentIds },
  );
  return json.data.openIncident.notice.id as string;
};
const visit = (path: string) => requestPage(service.url, `${page.id}.localhost`, `/${path}`);
const statesOf = async () => {
  const { json } = await service.get(`${page.path}/components`);
  return Object.fromEntries(json.response.map((one: { name: string; state: string }) => [one.name, one.state]));
};

describe('a manual status', () => {
  test('counts for the component, those above it and the page, until it is cleared', async () => {
    const { component, components, page: changed } = await set(shop, 'MAJOR_OUTAGE', ' A cable was cut. ');
    expect(components).toEqual([
      { id: parent, state: 'PARTIALLY_DEGRADED', manualStatus: null },
      { id: shop, state: 'DEGRADED', manualStatus: { status: 'MAJOR_OUTAGE', note: 'A cable was cut.' } },
    ]);
    expect([component.version, changed.state]).toEqual([2, 'DEGRADED']);
    expect(await statesOf()).toEqual({ Services: 'partially-degraded', Shop: 'degraded', Mail: 'operational' });
    expect((await service.get(page.path)).json.response.state).toBe('degraded');
    const after = await clear(shop);
    expect(after.components.map(({ state }: { state: string }) => state)).toEqual(['OPERATIONAL', 'OPERATIONAL']);
    expect([after.component.version, after.page.state]).toEqual([3, 'OPERATIONAL']);
  });

  test('counts in place of notices that begin and end, and gives way to them once it is cleared', async () => {
    await set(shop, 'OPERATIONAL');
    await open([shop, mail]);
    expect(await statesOf()).toEqual({ Services: 'operational', Shop: 'operational', Mail: 'degraded' });
    await set(parent, 'PARTIAL_OUTAGE');
    expect(await statesOf()).toEqual({ Services: 'degraded', Shop: 'operational', Mail: 'degraded' });
    await clear(parent);
    await clear(shop);
    expect(await statesOf()).toEqual({ Services: 'partially-degraded', Shop: 'degraded', Mail: 'degraded' });
    await set(mail, 'MAINTENANCE');
    expect(await statesOf()).toMatchObject({ Mail: 'degraded' });
  });

  test('is replaced by another, keeps its time with another note, and is a write only where it changes', async () => {
    const began = async () =>
      (await service.graphql(`{ component(id: "${mail}") { version manualStatus { beganAt note } } }`)).json.data
        .component;
    await set(mail, 'DEGRADED', 'Slow');
    const first = await began();
    await set(mail, 'DEGRADED', 'Very slow');
    const second = await began();
    expect(second).toEqual({ version: 3, manualStatus: { ...first.manualStatus, note: 'Very slow' } });
    await set(mail, 'DEGRADED', 'Very slow');
    expect((await began()).version).toBe(3);
    await set(mail, 'MAJOR_OUTAGE');
    const periods = await service.database.query<{ state: string; ended: boolean }>(
      'select state, ended_at is not null as ended from manual_status where component_id = $1 order by id',
      [mail],
    );
    expect(periods).toEqual([
      { state: 'degraded', ended: true },
      { state: 'major-outage', ended: false },
    ]);
  });

  test('cannot be one that follows from other records', async () => {
    const message = /^`status` must be one of OPERATIONAL, MAINTENANCE, DEGRADED, PARTIAL_OUTAGE, MAJOR_OUTAGE/;
    for (const status of ['UNKNOWN', 'PARTLY_AFFECTED'])
      expect((await set(shop, status)).userErrors).toEqual([{ path: ['input', 'status'], code: 'NOT_IN_LIST' }]);
    const { userErrors } = await write(
      `setComponentStatuses(pageId: $page, ids: ["${shop}"], input: { status: UNKNOWN }) { userErrors { message } }`,
    );
    expect(userErrors[0].message).toMatch(message);
  });

  test('is refused at another version, with a text that is too long, and on another page', async () => {
    const old = `setComponentStatus(id: "${mail}", ifVersion: 7, input: $input) { component { id } }`;
    expect(await write(old)).toMatchObject({ code: 'PRECONDITION_FAILED', currentVersion: 1 });
    expect(await set(mail, 'DEGRADED', 'x'.repeat(256))).toMatchObject({
      userErrors: [{ path: ['input', 'note'], code: 'TOO_LONG' }],
    });
    const other = await createPage(service);
    const elsewhere = `setComponentStatus(pageId: "${other.id}", id: "${mail}", input: $input) { component { id } }`;
    expect(await write(elsewhere)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is set and cleared for several components at once, or for none', async () => {
    const many = { ids: [shop, mail], input: { status: 'MAINTENANCE', note: 'Moving' } };
    const done = await write(`setComponentStatuses(pageId: $page, ids: $ids, input: $input) { ${fields} }`, many);
    expect(done.components).toMatchObject([
      { id: parent, state: 'PARTIALLY_DEGRADED' },
      { id: shop, manualStatus: { status: 'MAINTENANCE', note: 'Moving' } },
      { id: mail, manualStatus: { status: 'MAINTENANCE', note: 'Moving' } },
    ]);
    const clearing = `clearComponentStatuses(pageId: $page, ids: $ids) { ${fields} userErrors { path code } }`;
    const refused = await write(clearing, { ids: [shop, '999999'] });
    expect(refused.userErrors).toEqual([{ path: ['ids', '1'], code: 'NOT_FOUND' }]);
    expect((await write(clearing, { ids: [] })).userErrors).toEqual([{ path: ['ids'], code: 'BLANK' }]);
    expect((await write(clearing, { ids: [shop, mail] })).page.state).toBe('OPERATIONAL');
  });

  test('notifies nobody, and is an entry of the audit log with the state', async () => {
    await set(mail, 'PARTIAL_OUTAGE', 'Slow');
    const { json } = await service.graphql(`{ auditLog(pageId: "${page.id}", first: 1) { nodes {
      operation subject subjectLabel changes { record field after } } } }`);
    const [entry] = json.data.auditLog.nodes;
    expect(entry).toMatchObject({ operation: 'setComponentStatus', subject: 'Component', subjectLabel: 'Mail' });
    expect(entry.changes).toContainEqual({ record: 'ManualStatus', field: 'status', after: 'partial-outage' });
    expect(await service.database.query('select 1 from publication where page_id = $1', [page.id])).toEqual([]);
  });

  test('is warned of in the preview of an incident that names the component', async () => {
    await set(shop, 'MAJOR_OUTAGE');
    const { json } = await service.graphql(
      `query ($page: ID!, $ids: [ID!]!) { previewPublication(pageId: $page, input: { openIncident: {
        subject: "Down", componentIds: $ids, shouldPublish: true } }) { pageState warnings { code message } } }`,
      { page: page.id, ids: [shop, mail] },
    );
    expect(json.data.previewPublication.warnings).toContainEqual({
      code: 'MANUAL_STATUS',
      message: 'These components keep the status that a person set, whatever the notice says: "Shop" (major outage).',
    });
  });

  test('is shown by the page and what is read from it, its note as plain text', async () => {
    await set(shop, 'MAJOR_OUTAGE', '<b>Cut</b> & *gone*');
    const index = await waitForResponse(
      () => visit(''),
      ({ text }) => text.includes('&amp; *gone*'),
    );
    expect(index.text).toContain('&lt;b&gt;Cut&lt;/b&gt; &amp; *gone*');
    expect(index.text).toContain('data-state="major-outage"');
    expect(index.text).not.toContain('All systems are operational');
    const read = async (path: string) => JSON.parse((await visit(path)).text);
    const { components, status } = await read('api/v2/summary.json');
    expect(components.map(({ status: one }: { status: string }) => one)).toEqual([
      'degraded_performance',
      'major_outage',
      'operational',
    ]);
    expect(status).toMatchObject({ indicator: 'critical' });
    expect((await read('api/v1/status')).page.state).toBe('degraded');
    expect((await read('summary.json')).page.status).toBe('HASISSUES');
    expect((await read('widget.json')).notices).toMatchObject([
      { title: 'Shop: <b>Cut</b> & *gone*', state: 'Major outage', link: expect.stringMatching(`#c${shop}$`) },
    ]);
    expect((await visit(`badge.svg?component=${shop}`)).text).toContain('Major outage');
    const { json } = await service.graphql(`{ page(id: "${page.id}") { banner { status } }
      component(id: "${shop}") { status parent { status } history(days: 1) { status noticeCount } } }`);
    expect(json.data.page.banner.status).toBe('MAJOR_OUTAGE');
    expect(json.data.component).toEqual({
      status: 'MAJOR_OUTAGE',
      parent: { status: 'PARTLY_AFFECTED' },
      history: [{ status: 'MAJOR_OUTAGE', noticeCount: 0 }],
    });
  });
});
