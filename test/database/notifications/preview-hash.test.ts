import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashTables } from '../../support/access-records.js';
import { createPublishingPage } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let component: number;
let notice: number;
let maintenance: number;
beforeEach(async () => {
  page = await createPublishingPage(service, { timezone: 'Berlin' });
  component = await page.component('Payments');
  await page.subscribe('one@example.com', [component]);
  await page.subscribe('two@example.com');
  notice = await page.notice({ initial_comment: 'First.', component_ids: [component] });
  maintenance = await page.notice({
    subject: 'Work',
    type: 'planned',
    begins_at: '2099-01-01T00:00:00Z',
    ends_at: '2099-01-01T01:00:00Z',
  });
});

const ask = async (query: string, variables: object) =>
  (await service.graphql(query, { page: page.id, ...variables })).json;

const previewHash = async (verb: string, input: object, noticeId?: number): Promise<string> => {
  const { data } = await ask(
    `query ($page: ID!, $noticeId: ID, $input: NoticeChangeInput!) {
       previewPublication(pageId: $page, noticeId: $noticeId, input: $input) { hash } }`,
    { noticeId, input: { [verb]: input } },
  );
  return data.previewPublication.hash;
};

const inputTypes: Record<string, string> = { updateNotice: 'UpdateNoticeInput', advanceNotice: 'AdvanceNoticeInput' };
const publish = (verb: string, input: object, hash: string, noticeId?: number) => {
  const [parameter, argument] =
    noticeId === undefined
      ? ['', '']
      : [', $noticeId: ID!', verb === 'createNoticeUpdate' ? ', noticeId: $noticeId' : ', id: $noticeId'];
  const type = inputTypes[verb] ?? `${verb[0]!.toUpperCase()}${verb.slice(1)}Input`;
  return ask(
    `mutation ($page: ID!, $input: ${type}!, $hash: String${parameter}) {
       ${verb}(pageId: $page, input: $input, previewHash: $hash${argument}) {
         publication { id } userErrors { path message } } }`,
    { input, hash, noticeId },
  );
};

const incident = () => ({
  subject: 'Payments fail',
  content: 'We look.',
  componentIds: [String(component)],
  shouldPublish: true,
});

describe('previewHash', () => {
  test.each<[string, () => object, (() => number) | null]>([
    ['openIncident', incident, null],
    [
      'scheduleMaintenance',
      () => ({ ...incident(), beginsAt: '2099-01-01T00:00:00Z', endsAt: '2099-01-01T01:00:00Z', state: 'UNDERWAY' }),
      null,
    ],
    ['announce', () => ({ subject: 'News', content: 'Hello.', shouldPublish: true }), null],
    ['advanceNotice', () => ({ state: 'RESOLVED', content: 'Over.', shouldPublish: true }), () => notice],
    ['advanceNotice', () => ({ state: 'UNDERWAY', shouldPublish: true }), () => maintenance],
    ['updateNotice', () => ({ subject: 'Other', componentIds: [], shouldPublish: true }), () => notice],
    ['updateNotice', () => ({ endsAt: '2099-01-01T03:00:00Z', shouldPublish: true }), () => maintenance],
    ['createNoticeUpdate', () => ({ content: 'Second.', shouldPublish: true }), () => notice],
  ])('lets %s publish what was previewed', async (verb, createInput, noticeId) => {
    const hash = await previewHash(verb, createInput(), noticeId?.());
    const { data, errors } = await publish(verb, createInput(), hash, noticeId?.());
    expect(errors).toBeUndefined();
    expect(data[verb]).toEqual({ publication: { id: expect.any(String) }, userErrors: [] });
  });

  test.each<[string, () => Promise<unknown>, object]>([
    ['text', async () => {}, { content: 'We looked.' }],
    ['text', async () => {}, { subject: 'Payments failed' }],
    ['text', () => service.database.query(`update component set name = 'Renamed' where page_id = $1`, [page.id]), {}],
    ['audience', () => page.subscribe('three@example.com'), {}],
    [
      'audience',
      () => service.database.query(`update page set disabled_channels = '{chatA}' where id = $1`, [page.id]),
      {},
    ],
    [
      'appearance',
      () => service.database.query(`update brand set color_body_links = '#123456' where page_id = $1`, [page.id]),
      {},
    ],
    [
      'appearance',
      () => service.database.query(`update page set support_email = 'help@example.com' where id = $1`, [page.id]),
      {},
    ],
    ['text and states', async () => {}, { state: 'IDENTIFIED' }],
    ['text and states', async () => {}, { componentIds: [] }],
  ])('refuses another %s, and writes nothing', async (different, change, other) => {
    await ask('mutation ($page: ID!, $id: ID!) { deleteNotice(pageId: $page, id: $id) { deletedId } }', { id: notice });
    const hash = await previewHash('openIncident', incident());
    await change();
    const before = await hashTables(service.database);
    const { errors } = await publish('openIncident', { ...incident(), ...other }, hash);
    expect(errors[0]).toMatchObject({
      message: `Nothing was published, since the ${different} would differ from the preview. Preview it again.`,
      extensions: { code: 'PRECONDITION_FAILED', path: ['previewHash'] },
    });
    expect(await hashTables(service.database)).toBe(before);
  });

  test('publishes once in a minute for the same author, also for requests at the same time', async () => {
    const announcement = { subject: 'News', content: 'Hello.', shouldPublish: true };
    const hash = await previewHash('announce', announcement);
    const answers = await Promise.all([1, 2, 3].map(() => publish('announce', announcement, hash)));
    const refused = answers.filter(({ errors }) => errors);
    expect(refused).toHaveLength(2);
    for (const { errors } of refused)
      expect(errors[0]).toMatchObject({
        message: 'Nothing was published, since you published exactly this less than a minute ago.',
        extensions: { code: 'PRECONDITION_FAILED', path: ['previewHash'] },
      });
    const again = async () => (await publish('announce', announcement, hash)).errors?.[0].extensions.code;
    expect(await again()).toBe('PRECONDITION_FAILED');
    await service.database.query(
      `update publication set made_by = 'somebody else' where page_id = $1 and event = 'announced'`,
      [page.id],
    );
    expect(await again()).toBeUndefined();
    expect(await again()).toBe('PRECONDITION_FAILED');
    await service.database.query(
      `update publication set created_at = created_at - interval '1 minute' where page_id = $1`,
      [page.id],
    );
    expect(await again()).toBeUndefined();
  });

  test('does not depend on subscribers who are not notified', async () => {
    const hash = await previewHash('openIncident', incident());
    const other = await page.component('Other');
    await page.subscribe('other@example.com', [other]);
    const { data } = await publish('openIncident', incident(), hash);
    expect(data.openIncident.publication).not.toBeNull();
  });

  test.each([
    ['that nobody is notified of', { subject: 'Other', shouldPublish: false }],
    ['that changes nothing', { shouldPublish: true }],
  ])('is refused with a change %s', async (_, input) => {
    const hash = await previewHash('updateNotice', { subject: 'Other', shouldPublish: true }, notice);
    const { data } = await publish('updateNotice', input, hash, notice);
    expect(data.updateNotice).toEqual({
      publication: null,
      userErrors: [
        { path: ['previewHash'], message: expect.stringContaining('must be omitted when nothing is published') },
      ],
    });
  });

  test('is null for a change that changes nothing', async () => {
    expect(await previewHash('updateNotice', { shouldPublish: true }, notice)).toBeNull();
  });
});
