import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashTables } from '../../support/access-records.js';
import { createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();
let pages: { id: string; path: string }[];
beforeEach(async () => {
  pages = [await createPage(service), await createPage(service), await createPage(service)];
});

const mutation = `mutation ($input: [PageChangeInput!]!) {
  publishOnPages(input: $input) {
    results { notice { id subject state page { id } } publication { text } }
    userErrors { path message } } }`;
const publish = async (input: object[], request = {}) => (await service.graphql(mutation, { input }, request)).json;
const incident = (subject = 'Search is slow') => ({
  openIncident: { subject, content: 'We look.', shouldPublish: true },
});
const countNotices = async () =>
  (await service.database.query<{ count: number }>('select count(*)::integer as count from notice'))[0]!.count;

describe('publishOnPages', () => {
  test('publishes on each page, and answers in the order of the input', async () => {
    const notice = String((await createNotice(service, pages[2]!.path)).id);
    const { data } = await publish([
      {
        pageId: pages[2]!.id,
        noticeId: notice,
        change: { advanceNotice: { state: 'RESOLVED', shouldPublish: false } },
      },
      ...pages.map(({ id }) => ({ pageId: id, change: incident(`On ${id}`) })),
    ]);
    expect(data.publishOnPages).toEqual({
      results: [
        {
          notice: { id: notice, subject: expect.any(String), state: 'RESOLVED', page: { id: pages[2]!.id } },
          publication: null,
        },
        ...pages.map(({ id }) => ({
          notice: { id: expect.any(String), subject: `On ${id}`, state: 'INVESTIGATING', page: { id } },
          publication: { text: 'We look.' },
        })),
      ],
      userErrors: [],
    });
  });

  test('names the values of an enum as clients write them', async () => {
    const noticeId = String((await createNotice(service, pages[0]!.path)).id);
    const change = { advanceNotice: { state: 'UNDERWAY', shouldPublish: false } };
    expect((await publish([{ pageId: pages[0]!.id, noticeId, change }])).data.publishOnPages.userErrors).toEqual([
      {
        path: ['input', '0', 'change', 'advanceNotice', 'state'],
        message: expect.stringMatching(/must be one of INVESTIGATING, .*, not UNDERWAY\.$/),
      },
    ]);
  });

  test('writes nothing if one change is refused, and names it', async () => {
    const before = await hashTables(service.database);
    const refused = await publish([
      { pageId: pages[0]!.id, change: incident() },
      { pageId: pages[1]!.id, change: { openIncident: { shouldPublish: true } } },
    ]);
    expect(refused.data.publishOnPages).toEqual({
      results: null,
      userErrors: [
        {
          path: ['input', '1', 'change', 'openIncident', 'subject'],
          message: expect.stringContaining('must not be blank'),
        },
      ],
    });
    expect(await hashTables(service.database)).toBe(before);
  });

  test('writes nothing if one page does not exist, or is none of the caller', async () => {
    const token = await createToken(service.database, 'own', { role: 'publisher', pageIds: [pages[0]!.id] });
    const before = await hashTables(service.database);
    for (const [second, request] of [
      ['00000000', {}],
      [pages[1]!.id, { token }],
    ] as const) {
      const { errors } = await publish(
        [
          { pageId: pages[0]!.id, change: incident() },
          { pageId: second, change: incident() },
        ],
        request,
      );
      expect(errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', path: ['input', '1', 'pageId'] });
    }
    expect(await hashTables(service.database)).toBe(before);
  });

  test('checks the preview of each page', async () => {
    const preview = async (pageId: string) => {
      const { json } = await service.graphql(
        `query ($pageId: ID!, $input: NoticeChangeInput!) { previewPublication(pageId: $pageId, input: $input) { hash } }`,
        { pageId, input: incident() },
      );
      return json.data.previewPublication.hash;
    };
    const input = await Promise.all(
      pages.map(async ({ id }) => ({ pageId: id, change: incident(), previewHash: await preview(id) })),
    );
    const count = await countNotices();
    const { errors } = await publish([input[0]!, { ...input[1]!, change: incident('Other') }]);
    expect(errors[0].extensions).toEqual({
      code: 'PRECONDITION_FAILED',
      path: ['input', '1', 'previewHash'],
      changedParts: ['TEXT'],
    });
    expect(await countNotices()).toBe(count);
    expect((await publish(input)).data.publishOnPages.results).toHaveLength(3);
  });

  test('is done once with an Idempotency-Key', async () => {
    const request = { headers: { 'idempotency-key': 'one message' } };
    const input = pages.map(({ id }) => ({ pageId: id, change: incident() }));
    const count = await countNotices();
    const first = await publish(input, request);
    expect(await publish(input, request)).toEqual(first);
    expect(await countNotices()).toBe(count + 3);
  });

  test('deletes the draft that a change was written from, and writes nothing where it is gone', async () => {
    const { json } = await service.graphql(
      'mutation ($page: ID!, $input: NoticeChangeInput!) { saveDraft(pageId: $page, input: $input) { draft { id } } }',
      { page: pages[0]!.id, input: incident('Serach') },
    );
    const draftId = json.data.saveDraft.draft.id;
    const input = [
      { pageId: pages[0]!.id, change: incident(), draftId },
      { pageId: pages[1]!.id, change: incident() },
    ];
    const { results } = (await publish(input)).data.publishOnPages;
    expect(results[0].notice.subject).toBe('Search is slow');
    const tables = await hashTables(service.database);
    const { errors } = await publish(input.toReversed());
    expect(errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', path: ['input', '1', 'pageId'] });
    expect(await hashTables(service.database)).toEqual(tables);
  });

  test('changes a notice at the version that is named', async () => {
    const { id, path } = await createNotice(service, pages[0]!.path);
    const { json } = await service.graphql('query ($id: ID!) { notice(id: $id) { version } }', { id });
    const { version } = json.data.notice;
    const change = { updateNotice: { content: 'It is fixed.', shouldPublish: false } };
    const input = [{ pageId: pages[0]!.id, noticeId: String(id), change, ifVersion: version }];
    await service.patch(path, { subject: 'Other' });
    const { errors } = await publish(input);
    expect(errors[0].extensions).toMatchObject({ code: 'PRECONDITION_FAILED', path: ['input', '0', 'ifVersion'] });
    expect((await publish([{ ...input[0]!, ifVersion: version + 1 }])).data.publishOnPages.userErrors).toEqual([]);
  });

  test('adds an update at the version that is named alone, and creates no notice at one', async () => {
    const { id } = await createNotice(service, pages[0]!.path);
    const at = { pageId: pages[0]!.id, ifVersion: 7 };
    const tables = await hashTables(service.database);
    const update = { createNoticeUpdate: { content: 'It is fixed.', shouldPublish: false } };
    const stale = await publish([{ ...at, noticeId: String(id), change: update }]);
    expect(stale.errors[0].extensions).toMatchObject({
      code: 'PRECONDITION_FAILED',
      path: ['input', '0', 'ifVersion'],
    });
    const created = await publish([{ ...at, change: incident() }]);
    expect(created.errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST', path: ['input', '0', 'ifVersion'] });
    expect(await hashTables(service.database)).toEqual(tables);
  });

  test('refuses three changes of one page', async () => {
    const [first, other] = pages.map(({ id }) => ({ pageId: id, change: incident() }));
    const message = 'At most 2 changes are of the same page.';
    expect((await publish([first!, other!, first!, first!])).errors).toEqual([expect.objectContaining({ message })]);
  });

  test.each([
    [0, 'must not be blank'],
    [21, 'must have at most 20 members'],
  ])('refuses %i changes', async (count, message) => {
    const input = Array.from({ length: count }, () => ({ pageId: pages[0]!.id, change: incident() }));
    const { data } = await publish(input);
    expect(data.publishOnPages).toEqual({
      results: null,
      userErrors: [{ path: ['input'], message: expect.stringContaining(message) }],
    });
  });
});
