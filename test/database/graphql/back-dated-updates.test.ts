import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPublishingPage } from '../../support/ledger.js';
import { useService } from '../../support/service.js';
import { sentencesByField } from '../../support/user-errors.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

/** Updates that are posted in the past, so that history can be moved in, and post-mortems. */
const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let id: string;
beforeEach(async () => {
  page = await createPublishingPage(service, {}, ['chatA']);
  id = await open('subject: "Down", beganAt: "2026-01-10T10:00:00Z", endedAt: "2026-01-10T12:00:00Z", state: RESOLVED');
});

const run = async (document: string) => (await service.graphql(document)).json;
const open = async (input: string) =>
  (
    await run(
      `mutation { openIncident(pageId: "${page.id}", input: { ${input}, shouldPublish: false }) { notice { id } } }`,
    )
  ).data.openIncident.notice.id as string;
const selection =
  'noticeUpdate { id content kind state postedAt isPublished } notice { synopsis } publication { event }';
const post = async (input: string, notice = id) => {
  const { data, errors } = await run(
    `mutation { createNoticeUpdate(pageId: "${page.id}", noticeId: ${notice}, input: { ${input} }) { ${selection} } }`,
  );
  return errors ? sentencesByField({ errors }) : data.createNoticeUpdate;
};
const readUpdates = async () => {
  const { data } = await run(
    `{ notice(pageId: "${page.id}", id: ${id}) { state updates { nodes { content state } } } }`,
  );
  return { state: data.notice.state, updates: data.notice.updates.nodes };
};
const visit = (path: string, isExpected: (text: string) => boolean) =>
  waitForResponse(
    () => requestPage(service.url, `${page.id}.localhost`, path),
    ({ text }) => isExpected(text),
  );

describe('a back-dated update', () => {
  test('takes its place in the timeline, with the state of that time, and leaves the notice as it is', async () => {
    const identified = 'content: "Found", postedAt: "2026-01-10T11:00:00Z", state: IDENTIFIED, shouldPublish: false';
    expect(await post(identified)).toMatchObject({
      noticeUpdate: { content: 'Found', kind: 'UPDATE', state: 'IDENTIFIED', postedAt: '2026-01-10T11:00:00.000Z' },
      notice: { synopsis: 'Found\n' },
      publication: null,
    });
    await post('content: "Still", postedAt: "2026-01-10T11:30:00Z", shouldPublish: false');
    expect(await post('content: "Looking", postedAt: "2026-01-10T10:30:00Z", shouldPublish: false')).toMatchObject({
      notice: { synopsis: 'Looking\n' },
    });
    await post('content: "Now", shouldPublish: false');
    expect(await readUpdates()).toEqual({
      state: 'RESOLVED',
      updates: [
        { content: 'Looking', state: 'INVESTIGATING' },
        { content: 'Found', state: 'IDENTIFIED' },
        { content: 'Still', state: 'IDENTIFIED' },
        { content: 'Now', state: 'RESOLVED' },
      ],
    });
    const v1 = await service.get(`${page.path}/notices/${id}/updates`);
    expect(v1.json.response.map(({ content }: { content: string }) => content)).toEqual([
      'Looking',
      'Found',
      'Still',
      'Now',
    ]);
    expect(Object.keys(v1.json.response[0])).toEqual([
      'id',
      'content',
      'should_publish',
      'created_at',
      'updated_at',
      'link',
    ]);
  });

  test('has its own time on the page, without a mark that it was edited', async () => {
    await post('content: "Looking", postedAt: "2026-01-10T10:30:00Z", shouldPublish: false');
    const { link } = (await run(`{ notice(pageId: "${page.id}", id: ${id}) { link } }`)).data.notice;
    const { text } = await visit(new URL(link).pathname, body => body.includes('Looking'));
    expect(text).toMatch(/<time[^>]*2026-01-10T10:30[^>]*>/);
    expect(text).not.toContain('edited');
  });

  test.each([
    ['shouldPublish: true', { shouldPublish: '`shouldPublish` must be false with `postedAt`, not true.' }],
    [
      'postedAt: "2999-01-01T00:00:00Z"',
      { postedAt: '`postedAt` must not be in the future, not 2999-01-01T00:00:00.000Z.' },
    ],
    [
      'postedAt: "2026-01-10T09:59:59Z"',
      { postedAt: expect.stringContaining('must not be before the notice began (2026-01-10T10:00:00.000Z)') },
    ],
    ['state: UNDERWAY', { state: expect.stringContaining('must be one of INVESTIGATING, ') }],
  ])('is refused with %s', async (input, fields) => {
    const defaults = ['content: "X"', 'postedAt: "2026-01-10T11:00:00Z"', 'shouldPublish: false'];
    const name = input.split(':')[0]!;
    expect(await post([...defaults.filter(one => !one.startsWith(`${name}:`)), input].join(', '))).toEqual(fields);
    expect((await readUpdates()).updates).toEqual([]);
  });

  test('is refused without an offset, and a state without it', async () => {
    expect(await post('content: "X", postedAt: "2026-01-10 11:00", shouldPublish: false')).toEqual({
      postedAt: expect.stringContaining('must have an offset'),
    });
    expect(await post('content: "X", state: IDENTIFIED, shouldPublish: false')).toEqual({
      state: expect.stringContaining('must be omitted without `postedAt`'),
    });
  });

  test('leaves what automation remembers: a maintenance goes on to be published', async () => {
    const maintenance = await page.notice({
      type: 'planned',
      begins_at: '2999-01-01T00:00:00Z',
      ends_at: '2999-01-02T00:00:00Z',
    });
    await service.database.query(`update notice set created_at = '2026-01-01' where id = $1`, [maintenance]);
    await post('content: "X", postedAt: "2026-01-10T11:00:00Z", shouldPublish: false', String(maintenance));
    expect(await service.database.query('select last_should_publish from notice where id = $1', [maintenance])).toEqual(
      [{ last_should_publish: true }],
    );
  });
});

describe('a post-mortem', () => {
  const postmortem = 'content: "A disk **was** full.", kind: POSTMORTEM';

  test('is published as what it is', async () => {
    expect(await post(`${postmortem}, shouldPublish: true`)).toMatchObject({
      noticeUpdate: { kind: 'POSTMORTEM', state: 'RESOLVED', isPublished: true },
      notice: { synopsis: '' },
      publication: { event: 'POSTMORTEM' },
    });
    const [row] = await service.database.query<{ message_snapshot: { updates: object[] } }>(
      'select message_snapshot from publication order by id desc limit 1',
    );
    expect(row!.message_snapshot.updates).toMatchObject([{ kind: 'postmortem', state: 'resolved' }]);
  });

  test('has its own place on the page of the notice, and a link in the list of past notices', async () => {
    await run(`mutation { updateNotice(pageId: "${page.id}", id: ${id}, input: {
      endedAt: "${new Date(Date.now() - 60_000).toISOString()}", content: "All is well.", shouldPublish: false }) { notice { id } } }`);
    const { noticeUpdate: update } = await post(`${postmortem}, shouldPublish: false`);
    const { link } = (await run(`{ notice(pageId: "${page.id}", id: ${id}) { link } }`)).data.notice;
    const path = new URL(link).pathname;
    const whole = await visit(path, body => body.includes('was</strong>'));
    expect(whole.text).toMatch(new RegExp(`<h2 id="postmortem">Post-mortem</h2>\\s*<div id="update-${update.id}">`));
    expect(whole.text.match(/A disk/g)).toHaveLength(1);
    const front = await visit('/', body => body.includes('#postmortem'));
    expect(front.text).toContain(`<a href="${path}#postmortem">Post-mortem</a>`);
    expect(front.text).toContain('All is well.');
    expect(front.text).not.toContain('A disk');
  });

  test('is in the feeds, in the API of the page and in the format of others', async () => {
    await post(`${postmortem}, shouldPublish: false`);
    await service.database.query('update notice set ended_at = clock_timestamp() where page_id = $1', [page.id]);
    const read = async (path: string) => (await visit(path, body => body.includes('disk'))).text;
    expect(await read('/feed.json')).toContain('<h3>Post-mortem</h3>');
    expect(JSON.parse(await read(`/api/v1/notices/${id}`)).notice).toMatchObject({
      updates: [{ content: expect.stringContaining('<strong>was</strong>'), state: 'resolved' }],
    });
    const { incidents } = JSON.parse(await read('/api/v2/incidents.json'));
    expect(incidents[0]).toMatchObject({
      status: 'postmortem',
      incident_updates: [
        { status: 'postmortem', body: 'A disk was full.' },
        { status: 'resolved', body: 'Down' },
      ],
    });
  });

  test('is refused for a notice that is open or has no states, and a second time', async () => {
    const openIncident = await open('subject: "Open"');
    const announced = await run(
      `mutation { announce(pageId: "${page.id}", input: { subject: "Hi", shouldPublish: false }) { notice { id } } }`,
    );
    for (const notice of [openIncident, announced.data.announce.notice.id])
      expect(await post(`${postmortem}, shouldPublish: false`, notice)).toEqual({
        kind: expect.stringContaining('must be UPDATE unless an incident or a maintenance is over'),
      });
    await post(`${postmortem}, shouldPublish: false`);
    expect(await post(`${postmortem}, shouldPublish: false`)).toEqual({
      kind: expect.stringContaining('since the notice has a post-mortem already'),
    });
  });
});
