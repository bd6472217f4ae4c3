import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createToken } from '../../support/tokens.js';
import { changeFields, toInput } from '../../support/draft-change.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: { id: string; path: string };
let component: string;
let notice: string;
let drafter: string;
let publisher: string;
beforeAll(async () => {
  drafter = await createToken(service.database, 'Ann', { role: 'drafter', pageIds: null });
  publisher = await createToken(service.database, 'Bob', { role: 'publisher', pageIds: null });
});
beforeEach(async () => {
  page = await createPage(service);
  component = String((await createComponent(service, page.path)).id);
  notice = String((await createNotice(service, page.path, { subject: 'Payments fail' })).id);
});

const ask = async (query: string, variables: object = {}, token = drafter) =>
  (await service.graphql(query, { page: page.id, ...variables }, { token })).json;

const fields = `id verb ${changeFields} subject content author { kind label person { id } } version notice { id }`;
const save = (input: object, more: object = {}, token = drafter) =>
  ask(
    `mutation ($page: ID!, $id: ID, $noticeId: ID, $ifVersion: Int, $input: NoticeChangeInput!) {
       saveDraft(pageId: $page, id: $id, noticeId: $noticeId, ifVersion: $ifVersion, input: $input) {
         draft { ${fields} } userErrors { path message } } }`,
    { input, ...more },
    token,
  );
const saved = async (input: object, more: object = {}) => (await save(input, more)).data.saveDraft.draft;
const list = async () =>
  (await ask(`query ($page: ID!) { drafts(pageId: $page) { nodes { ${fields} } } }`)).data.drafts.nodes;
const publish = (id: string, more: object = {}, token = publisher) =>
  ask(
    `mutation ($page: ID!, $id: ID!, $hash: String, $shouldPublish: Boolean!) {
       publishDraft(pageId: $page, id: $id, input: { shouldPublish: $shouldPublish }, previewHash: $hash) {
         notice { id subject state componentIds latestUpdate { content kind } }
         publication { text } userErrors { path message } } }`,
    { id, shouldPublish: true, ...more },
    token,
  );
const previewHash = async (id: string): Promise<string> =>
  (await ask('query ($page: ID!, $id: ID!) { previewDraft(pageId: $page, id: $id) { hash text } }', { id })).data
    .previewDraft.hash;

const incident = () => ({
  openIncident: {
    subject: 'Search is slow',
    content: 'We look.',
    state: 'IDENTIFIED',
    shouldPublish: true,
    affectedComponents: [{ componentId: component, impact: 'MAJOR_OUTAGE' }],
    beganAt: '2026-01-02T03:04:05.000Z',
  },
});

describe('a draft', () => {
  test('is listed as it was saved, with its author', async () => {
    const draft = await saved(incident());
    expect(await list()).toEqual([
      {
        id: draft.id,
        verb: 'OPEN_INCIDENT',
        change: expect.objectContaining({ openIncident: expect.objectContaining({ subject: 'Search is slow' }) }),
        subject: 'Search is slow',
        content: 'We look.',
        author: { kind: 'TOKEN', label: expect.stringMatching(/^Ann \(\d+\)$/), person: null },
        version: 1,
        notice: null,
      },
    ]);
  });

  test('is read field by field, with what it clears and with the records that it names', async () => {
    await saved(incident());
    const [draft] = await list();
    expect(toInput(draft.change)).toEqual(incident());
    const change = { nextUpdateBy: null, reminder: 'ONE_DAY', componentIds: [component], shouldPublish: false };
    const { id } = await saved({ updateNotice: change }, { noticeId: notice });
    const { data } = await ask(
      `query ($id: ID!) { draft(id: $id) { ${changeFields}
         named: change { updateNotice { given: nextUpdateBy components { id name status } } } } }`,
      { id },
    );
    expect(toInput(data.draft.change)).toEqual({ updateNotice: change });
    expect(data.draft.named.updateNotice).toEqual({
      given: null,
      components: [{ id: component, name: expect.any(String), status: 'OPERATIONAL' }],
    });
    const windows = [{ beginsAt: '2031-01-09T01:00:00.000Z', endsAt: '2031-01-09T02:00:00.000Z' }];
    const recurrence = { rule: null, windows, onMissingHour: 'SKIP' };
    const window = { beginsAt: '2031-01-02T01:00:00.000Z', endsAt: '2031-01-02T02:00:00.000Z' };
    const maintenance = { scheduleMaintenance: { ...window, recurrence, metadata: { a: [1] }, shouldPublish: true } };
    expect(toInput((await saved(maintenance)).change)).toEqual(maintenance);
  });

  test('of a notice names it, and goes with it', async () => {
    await saved({ advanceNotice: { state: 'RESOLVED', shouldPublish: false } }, { noticeId: notice });
    expect(await list()).toMatchObject([{ verb: 'ADVANCE_NOTICE', notice: { id: notice }, subject: null }]);
    await service.delete(`${page.path}/notices/${notice}`);
    expect(await list()).toEqual([]);
  });

  test('is replaced at the version that its author has seen', async () => {
    const { id } = await saved(incident());
    const other = { announce: { subject: 'News', shouldPublish: false } };
    expect(await saved(other, { id, ifVersion: 1 })).toMatchObject({
      id,
      version: 2,
      verb: 'ANNOUNCE',
      change: { announce: { subject: 'News', content: null, tagList: null, cleared: [] }, openIncident: null },
    });
    const { errors } = await save(incident(), { id, ifVersion: 1 });
    expect(errors[0].extensions).toMatchObject({ code: 'PRECONDITION_FAILED', currentVersion: 2 });
    expect(await list()).toHaveLength(1);
  });

  test('may be incomplete', async () => {
    const { id } = await saved({ openIncident: { subject: '', shouldPublish: true } });
    const { data } = await publish(id);
    expect(data.publishDraft.userErrors).toEqual([
      { path: ['subject'], message: expect.stringContaining('must not be blank') },
    ]);
    expect(await list()).toHaveLength(1);
  });

  test.each<[string, () => object, () => object, string[]]>([
    [
      'of a notice without its id',
      () => ({ advanceNotice: { state: 'RESOLVED', shouldPublish: true } }),
      () => ({}),
      ['noticeId'],
    ],
    ['of a new notice with an id', incident, () => ({ noticeId: notice }), ['noticeId']],
    [
      'that is too long',
      () => ({ openIncident: { content: 'x'.repeat(100_000), shouldPublish: true } }),
      () => ({}),
      ['input'],
    ],
  ])('%s is refused', async (_, createInput, createMore, path) => {
    const { data } = await save(createInput(), createMore());
    expect(data.saveDraft).toEqual({ draft: null, userErrors: [{ path, message: expect.any(String) }] });
    expect(await list()).toEqual([]);
  });

  test.each<[string, () => object]>([
    ['without a verb', () => ({})],
    ['with two verbs', () => ({ ...incident(), announce: { subject: 'x', shouldPublish: true } })],
  ])('%s is refused by the type of its input', async (_, createInput) => {
    const { errors } = await save(createInput());
    expect(errors[0].message).toMatch(/[Ee]xactly one (key|field)/);
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect(await list()).toEqual([]);
  });

  test.each(['\0', '\ud800'])('with a text that cannot be stored (%j) is refused', async text => {
    const { data } = await save({ announce: { subject: `x${text}`, shouldPublish: false } });
    expect(data.saveDraft).toEqual({ draft: null, userErrors: [{ path: ['input'], message: expect.any(String) }] });
  });

  test('that names a deleted component says so when it is previewed and published', async () => {
    const { id } = await saved({ openIncident: { subject: 'x', componentIds: [component], shouldPublish: true } });
    await service.delete(`${page.path}/components/${component}`);
    const preview = await ask(
      'query ($page: ID!, $id: ID!) { previewDraft(pageId: $page, id: $id) { userErrors { path } } }',
      { id },
    );
    expect(preview.data.previewDraft.userErrors).toEqual([{ path: ['componentIds', '0'] }]);
    const { data } = await publish(id);
    expect(data.publishDraft.userErrors).toEqual([{ path: ['componentIds', '0'], message: expect.any(String) }]);
  });

  test('of a notice of another page is refused', async () => {
    const other = await createNotice(service, (await createPage(service)).path);
    const { errors } = await save(
      { advanceNotice: { state: 'RESOLVED', shouldPublish: true } },
      { noticeId: String(other.id) },
    );
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('is one of at most 200 on a page', async () => {
    await service.database.query(
      `insert into draft (page_id, verb, change, author_key, created_at, updated_at)
       select $1, 'announce', '{"announce": {}}', '1', now(), now() from generate_series(1, 200)`,
      [page.id],
    );
    const { data } = await save(incident());
    expect(data.saveDraft.userErrors).toEqual([
      { path: ['input'], message: expect.stringContaining('a page has at most 200 drafts') },
    ]);
  });
});

describe('publishDraft', () => {
  test('publishes what was previewed, and deletes the draft', async () => {
    const { id } = await saved(incident());
    const { data } = await publish(id, { hash: await previewHash(id) });
    expect(data.publishDraft).toEqual({
      notice: {
        id: expect.any(String),
        subject: 'Search is slow',
        state: 'IDENTIFIED',
        componentIds: [component],
        latestUpdate: { content: 'We look.', kind: 'UPDATE' },
      },
      publication: { text: 'We look.' },
      userErrors: [],
    });
    expect(await list()).toEqual([]);
  });

  test('posts an update of a notice', async () => {
    const input = { createNoticeUpdate: { content: 'Still there.', shouldPublish: true } };
    const { id } = await saved(input, { noticeId: notice });
    const { data } = await publish(id, { hash: await previewHash(id) });
    expect(data.publishDraft).toMatchObject({
      notice: { id: notice, latestUpdate: { content: 'Still there.' } },
      publication: { text: 'Still there.' },
    });
  });

  test('notifies nobody unless it says so, whatever the draft says', async () => {
    const { id } = await saved(incident());
    const { data } = await publish(id, { shouldPublish: false });
    expect(data.publishDraft).toMatchObject({ notice: { subject: 'Search is slow' }, publication: null });
  });

  test('is refused if the draft has changed since its preview, and leaves it', async () => {
    const { id } = await saved(incident());
    const hash = await previewHash(id);
    await saved({ openIncident: { ...incident().openIncident, content: 'We know.' } }, { id });
    const { errors } = await publish(id, { hash });
    expect(errors[0]).toMatchObject({
      message: 'Nothing was published, since the text would differ from the preview. Preview it again.',
      extensions: { code: 'PRECONDITION_FAILED' },
    });
    expect(await list()).toMatchObject([{ content: 'We know.' }]);
  });

  test('is not for a drafter', async () => {
    const { id } = await saved(incident());
    const { errors } = await publish(id, {}, drafter);
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await list()).toHaveLength(1);
  });
});
