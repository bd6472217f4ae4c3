import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashTables } from '../../support/access-records.js';
import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
} from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();
let page: { id: string; path: string };
beforeEach(async () => {
  page = await createPage(service, { name: 'Meridian Freight' });
});

const change = async (name: 'createDemoData' | 'deleteDemoData', token = service.tokens.write) =>
  (
    await service.graphql(
      `mutation ($pageId: ID!) { ${name}(pageId: $pageId) { page { hasDemoData } userErrors { message } } }`,
      { pageId: page.id },
      { token },
    )
  ).json;
const count = async (table: string) =>
  (
    await service.database.query<{ count: number }>(
      `select count(*)::integer as count from ${table} where page_id = $1`,
      [page.id],
    )
  )[0]!.count;
const readRecords = async () => {
  const query = `query ($pageId: ID!) { page(id: $pageId) {
    hasDemoData
    components { nodes { id name parentId version } } noticeTemplates { nodes { id name version } }
    notices { nodes { id subject state componentIds version updates { nodes { id createdAt } } } } } }`;
  return (await service.graphql(query, { pageId: page.id })).json.data.page;
};

describe('createDemoData', () => {
  test('adds components, a history and templates to a page, and notifies nobody', async () => {
    await createSubscriber(service, page.path, { email: 'ada@customer.example' });
    await service.database.query(`update page set reminder = 'one_day' where id = $1`, [page.id]);
    expect((await change('createDemoData')).data.createDemoData).toEqual({
      page: { hasDemoData: true },
      userErrors: [],
    });
    const { components, notices, noticeTemplates } = await readRecords();
    expect(components.nodes.map(({ name }: { name: string }) => name)).toContain('Card payments');
    expect(noticeTemplates.nodes).toHaveLength(3);
    expect(notices.nodes.map(({ state }: { state: string }) => state)).toEqual(
      expect.arrayContaining(['IDENTIFIED', 'RESOLVED', 'SCHEDULED', 'COMPLETE', 'FALSE_ALARM']),
    );
    const oldest = notices.nodes.at(-1);
    expect(Date.now() - Date.parse(oldest.updates.nodes[0].createdAt)).toBeGreaterThan(20 * 86_400_000);
    expect([await count('publication'), await count('delivery')]).toEqual([0, 0]);
    const planned = await service.database.query(
      `select reminder, should_automate_schedule as automated from notice where page_id = $1 and type = 'planned'`,
      [page.id],
    );
    for (const notice of planned) expect(notice).toEqual({ reminder: 'none', automated: false });
    const query = `query ($pageId: ID!) { auditLog(pageId: $pageId, first: 100, filter: { operation: { eq: "createDemoData" } }) {
      nodes { subject } } }`;
    const { nodes } = (await service.graphql(query, { pageId: page.id })).json.data.auditLog;
    expect(new Set(nodes.map(({ subject }: { subject: string }) => subject))).toEqual(
      new Set(['Component', 'Notice', 'NoticeTemplate', 'NoticeUpdate', 'Page']),
    );
  });

  test('is refused a second time, and for a publisher', async () => {
    await change('createDemoData');
    const publisher = await createToken(service.database, 'p', { role: 'publisher', pageIds: [page.id] });
    const before = await hashTables(service.database);
    expect((await change('createDemoData')).errors[0].extensions.code).toBe('CONFLICT');
    expect((await change('deleteDemoData', publisher)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await hashTables(service.database)).toBe(before);
  });
});

describe('deleteDemoData', () => {
  test('deletes exactly what was created', async () => {
    const component = await createComponent(service, page.path, { name: 'Own' });
    await createNotice(service, page.path, { subject: 'Own', component_ids: [component.id] });
    await createTemplate(service, page.path, { name: 'Own' });
    const before = await readRecords();
    await change('createDemoData');
    const { components, notices } = await readRecords();
    const idOf = (name: string) => components.nodes.find((each: { name: string }) => each.name === name).id;
    // A record that somebody has added below one of them stays, and one that somebody has deleted is no obstacle.
    const below = await createComponent(service, page.path, { name: 'Below', parent_id: idOf('API') });
    const [demo] = notices.nodes.filter(({ subject }: { subject: string }) => subject !== 'Own');
    await service.call('DELETE', `${page.path}/notices/${demo.id}`);
    await service.call('DELETE', `${page.path}/components/${idOf('Website')}`);
    expect((await change('deleteDemoData')).data.deleteDemoData).toEqual({
      page: { hasDemoData: false },
      userErrors: [],
    });
    await service.call('DELETE', `${page.path}/components/${below.id}`);
    expect(await readRecords()).toEqual(before);
    expect((await change('deleteDemoData')).errors).toBeUndefined();
    expect((await readRecords()).components).toEqual(before.components);
    await change('createDemoData');
    expect((await readRecords()).hasDemoData).toBe(true);
  });
});
