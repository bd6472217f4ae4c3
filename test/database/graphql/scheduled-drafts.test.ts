import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hashToken } from '../../../src/auth/token.service.js';
import { publishDueDrafts } from '../../../src/notices/drafts/draft.automation.js';
import { createUnpublishedMails } from '../../../src/notices/drafts/error-report.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { startNoticeAutomation } from '../../../src/notices/automation/notice.automation.js';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { schema } from '../../../src/schema.js';
import { createPublishingPage } from '../../support/ledger.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { createToken } from '../../support/tokens.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useOwnService({ ...withChannels, publicUrl: peopleOrigin, automation: false });
const format = createInputFormat(schema);
const reportFailed = (send: SendMail) =>
  sendOperatorMails(service.database, createUnpublishedMails(service.database, peopleOrigin), send);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let author: SignedInPerson;
let drafter: string;
beforeAll(async () => {
  drafter = await createToken(service.database, 'Ann', { role: 'drafter', pageIds: null });
});
beforeEach(async () => {
  await service.database.query('delete from draft');
  page = await createPublishingPage(service);
  author = await signIn(service, 'publisher', [page.id]);
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const fields = 'id version publishAt scheduledBy { label } failure';
const announcement = { announce: { subject: 'Opening hours', content: 'We open at 8.', shouldPublish: true } };

const ask = async (query: string, variables: object) =>
  (await service.graphql(query, { page: page.id, ...variables }, { token: drafter })).json;
async function save(input: object = announcement, more: object = {}): Promise<string> {
  const { data } = await ask(
    `mutation ($page: ID!, $id: ID, $noticeId: ID, $input: NoticeChangeInput!) {
       saveDraft(pageId: $page, id: $id, noticeId: $noticeId, input: $input) { draft { id } } }`,
    { input, ...more },
  );
  return data.saveDraft.draft.id;
}
const previewHash = async (id: string): Promise<string> =>
  (await ask('query ($page: ID!, $id: ID!) { previewDraft(pageId: $page, id: $id) { hash } }', { id })).data
    .previewDraft.hash;
const read = async (id: string) =>
  (await ask(`query ($page: ID!, $id: ID!) { draft(pageId: $page, id: $id) { ${fields} } }`, { id })).data.draft;
const schedule = async (id: string, more: object = {}) =>
  askAs(
    service,
    author,
    `mutation ($id: ID!, $at: Timestamp!, $hash: String!) {
       scheduleDraft(id: $id, input: { publishAt: $at }, previewHash: $hash) {
         draft { ${fields} } userErrors { path message } } }`,
    { id, at: inAnHour(), hash: await previewHash(id), ...more },
  );
const unschedule = (id: string) =>
  ask(`mutation ($id: ID!) { unscheduleDraft(id: $id) { draft { ${fields} } userErrors { path } } }`, { id });
const makeDue = () => service.database.query(`update draft set publish_at = clock_timestamp() - interval '1 second'`);
const publishDue = (bootstrapToken = '') => publishDueDrafts(service.database, format, { bootstrapToken });
async function scheduled(input?: object, more?: object): Promise<string> {
  const id = await save(input, more);
  expect((await schedule(id)).data.scheduleDraft.userErrors).toEqual([]);
  return id;
}
const publications = async () =>
  (
    await service.graphql(
      `{ publications(pageId: "${page.id}") { nodes { text publishedBy { label } } } notices(pageId: "${page.id}") { nodes { subject } } }`,
    )
  ).json.data;
const latestEntry = async () =>
  (
    await service.graphql(
      `{ auditLog(pageId: "${page.id}", first: 1) { nodes { actor { kind label } interface operation subject changes { field after } } } }`,
    )
  ).json.data.auditLog.nodes[0];

describe('scheduleDraft', () => {
  test('has the draft published at its time, once by however many processes, in the name of who scheduled it', async () => {
    const at = inAnHour();
    const id = await save();
    expect((await schedule(id, { at })).data.scheduleDraft.draft).toEqual({
      id,
      version: 2,
      publishAt: at,
      scheduledBy: { label: author.email },
      failure: null,
    });
    expect(await publishDue()).toBe(0);
    await makeDue();
    const counts = await Promise.all(Array.from({ length: 5 }, () => publishDue()));
    expect(counts.reduce((sum, one) => sum + one)).toBe(1);
    expect(await publications()).toEqual({
      publications: { nodes: [{ text: 'We open at 8.', publishedBy: { label: author.email } }] },
      notices: { nodes: [{ subject: 'Opening hours' }] },
    });
    expect(await read(id)).toBeNull();
    expect(await latestEntry()).toMatchObject({
      actor: { kind: 'PERSON', label: author.email },
      interface: 'AUTOMATION',
      operation: 'publishScheduledDraft',
      subject: 'Notice',
    });
  });

  test('publishes an update of a notice, also to who has subscribed since', async () => {
    const noticeId = String(await page.notice());
    await scheduled({ createNoticeUpdate: { content: 'It is fixed.', shouldPublish: true } }, { noticeId });
    await page.subscribe('late@example.com');
    await makeDue();
    expect(await publishDue()).toBe(1);
    expect((await publications()).publications.nodes[0]).toEqual({
      text: 'It is fixed.',
      publishedBy: { label: author.email },
    });
  });

  test.each<[string, () => Promise<object>, RegExp]>([
    ['a time in the past', async () => ({ at: '2020-01-01T00:00:00Z' }), /publishAt.*in the future/],
    ['a time in another century', async () => ({ at: '2199-01-01T00:00:00Z' }), /publishAt.*within 366 days/],
    ['a time without an offset', async () => ({ at: '2100-01-01T00:00:00' }), /publishAt.*must have an offset/],
    [
      'the hash of another preview',
      async () => ({ hash: await previewHash(await save({ announce: { subject: 'x', shouldPublish: true } })) }),
      /Preview it again/,
    ],
  ])('refuses %s', async (_, createMore, message) => {
    const id = await save();
    const { data, errors } = await schedule(id, await createMore());
    expect(errors?.[0].message ?? data.scheduleDraft.userErrors[0].message).toMatch(message);
    expect(await read(id)).toMatchObject({ version: 1, publishAt: null });
  });

  test('refuses a time after the next update that the draft promises', async () => {
    const soon = new Date(Date.now() + 1_800_000).toISOString();
    const id = await save({ openIncident: { subject: 'x', content: 'y', nextUpdateBy: soon, shouldPublish: true } });
    expect((await schedule(id)).data.scheduleDraft.userErrors).toMatchObject([{ path: ['input', 'publishAt'] }]);
  });

  test('is not for a drafter', async () => {
    const id = await save();
    const { errors } = await ask(
      `mutation ($id: ID!, $at: Timestamp!) { scheduleDraft(id: $id, input: { publishAt: $at }, previewHash: "x") { draft { id } } }`,
      { id, at: inAnHour() },
    );
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

describe('a scheduled draft', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['cancelled', unschedule],
    ['saved', id => save(announcement, { id })],
  ])('is not published once it is %s', async (_, end) => {
    const id = await scheduled();
    await end(id);
    await makeDueIfScheduled();
    expect(await publishDue()).toBe(0);
    expect(await read(id)).toMatchObject({ publishAt: null, scheduledBy: null, failure: null });
  });
  const makeDueIfScheduled = () =>
    service.database.query(
      `update draft set publish_at = now() - make_interval(secs => 1) where publish_at is not null`,
    );

  test('cannot be cancelled twice', async () => {
    const id = await scheduled();
    await unschedule(id);
    expect((await unschedule(id)).data.unscheduleDraft.userErrors).toEqual([{ path: ['id'] }]);
  });

  test.each<[string, (noticeId: number) => Promise<unknown>, RegExp]>([
    ['has another update', id => page.update(id, 'News.'), /the text would differ/],
    ['is resolved', id => service.patch(`${page.path}/notices/${id}`, { state: 'resolved' }), /states would differ/],
    [
      'is on a page where who scheduled it has no rights any more',
      () => service.database.query('delete from membership where person_id = $1', [author.personId]),
      /may no longer publish/,
    ],
  ])('is not published, and says why, if its notice %s', async (_, change, reason) => {
    const notice = await page.notice();
    const id = await scheduled(
      { createNoticeUpdate: { content: 'Soon.', shouldPublish: true } },
      { noticeId: String(notice) },
    );
    await change(notice);
    const before = await publications();
    await makeDue();
    expect(await publishDue()).toBe(0);
    expect(await publications()).toEqual(before);
    expect(await read(id)).toMatchObject({ publishAt: null, failure: expect.stringMatching(reason) });
    expect(await latestEntry()).toMatchObject({
      actor: { kind: 'PERSON', label: author.email },
      operation: 'endSchedule',
      subject: 'Draft',
    });
    expect(await publishDue()).toBe(0);
    await save(announcement, { id });
    expect(await read(id)).toMatchObject({ failure: null });
  });

  test('that is not published is reported once to the person who scheduled it', async () => {
    const component = await page.component('API');
    const input = { subject: 'Search is slow', componentIds: [String(component)], shouldPublish: true };
    const id = await scheduled({ openIncident: input });
    await service.delete(`${page.path}/components/${component}`);
    await makeDue();
    await publishDue();
    expect(await read(id)).toMatchObject({ failure: expect.stringContaining('`componentIds`') });
    const mails: Parameters<SendMail>[0][] = [];
    const report = () => reportFailed(async mail => void mails.push(mail));
    expect(await report()).toBe(1);
    expect(await report()).toBe(0);
    expect(mails).toMatchObject([{ to: author.email, subject: 'Not published as scheduled: Search is slow' }]);
    expect(mails[0]!.text).toContain(`${peopleOrigin}/console/pages/${page.id}/drafts/${id}`);
    expect(mails[0]!.text).toContain('componentIds');
  });

  describe.each<[string, () => Promise<{ schedulerKey: string; end: () => Promise<unknown> }>]>([
    ['BOOTSTRAP_TOKEN, which is not set any more', async () => ({ schedulerKey: 'bootstrap', end: async () => {} })],
    [
      'a service token that was revoked',
      async () => {
        const secret = await createToken(service.database, 'CI', { role: 'publisher', pageIds: null });
        const [row] = await service.database.query<{ id: number }>('select id from token where hash = $1', [
          hashToken(secret),
        ]);
        const revokeSql = 'update token set revoked_at = clock_timestamp() where id = $1';
        const end = () => service.database.query(revokeSql, [row!.id]);
        return { schedulerKey: String(row!.id), end };
      },
    ],
    [
      'a person who was disabled',
      async () => {
        const { personId } = await signIn(service, 'publisher', [page.id]);
        const disableSql = 'update person set disabled_at = clock_timestamp() where id = $1';
        const end = () => service.database.query(disableSql, [personId]);
        return { schedulerKey: `person ${personId}`, end };
      },
    ],
  ])('that was scheduled by %s', (_, createScheduler) => {
    test('is not published, says why, and is reported to the owners of the page', async () => {
      const id = await scheduled();
      const { schedulerKey, end } = await createScheduler();
      await service.database.query('update draft set scheduler_key = $1 where id = $2', [schedulerKey, Number(id)]);
      const owner = await signIn(service, 'owner', [page.id]);
      await end();
      await makeDue();
      expect(await publishDue()).toBe(0);
      const reason = expect.stringContaining('may no longer publish');
      expect(await read(id)).toMatchObject({ publishAt: null, failure: reason });
      expect((await publications()).notices.nodes).toEqual([]);
      const mails: Parameters<SendMail>[0][] = [];
      await reportFailed(async mail => void mails.push(mail));
      expect(mails).toMatchObject([{ to: owner.email, text: reason }]);
    });
  });

  test('that was scheduled by BOOTSTRAP_TOKEN is published while it is set', async () => {
    const id = await scheduled();
    await service.database.query(`update draft set scheduler_key = 'bootstrap' where id = $1`, [Number(id)]);
    await makeDue();
    expect(await publishDue('x'.repeat(32))).toBe(1);
  });

  test('wakes the automation', async () => {
    const stop = startNoticeAutomation(service.database, format, { bootstrapToken: '' });
    try {
      await scheduled(announcement);
      await service.database.query(`update draft set publish_at = now() - make_interval(secs => 1)`);
      await waitUntilEqual(async () => (await publications()).notices.nodes, [{ subject: 'Opening hours' }]);
    } finally {
      await stop();
    }
  });

  test('is in the list of all pages by its time', async () => {
    const late = await scheduled();
    await save();
    const early = await save();
    await schedule(early, { at: new Date(Date.now() + 60_000).toISOString() });
    const { data } = await askAs(
      service,
      author,
      `{ drafts(filter: { publishAt: { present: true } }, orderBy: [{ field: PUBLISH_AT }]) { nodes { id page { id } } } }`,
    );
    expect(data.drafts.nodes).toEqual([early, late].map(id => ({ id, page: { id: page.id } })));
  });
});
