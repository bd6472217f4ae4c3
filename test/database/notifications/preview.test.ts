import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parsePublicUrl } from '../../../src/core/config.js';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { createPreviewLoader } from '../../../src/status-page/server/preview-page.js';
import { hashTables } from '../../support/access-records.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useService } from '../../support/service.js';
import { listWrites, recordClient, recordStatements } from '../../support/statements.js';

const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  page = await createPublishingPage(service, { timezone: 'Berlin' });
});

interface ChannelAudience {
  channel: string;
  count: number;
  sample: string[];
  reason?: string;
}
const fields = `event text noticeState pageState
  audience { channel count sample } excluded { channel reason count sample }
  components { component { name } before after } warnings { code message }
  messages {
    page mail { subject text html } sms slack teams discord mastodon
    ofTeams: text(channel: TEAMS) ofMail: text(channel: EMAIL)
  }`;
const newNotice = { UNPLANNED: 'openIncident', PLANNED: 'scheduleMaintenance', GENERAL: 'announce' };
/** Previews a new notice of a type, or the change of one. */
const preview = ({
  noticeId,
  type = 'UNPLANNED',
  ...input
}: {
  noticeId?: string;
  type?: keyof typeof newNotice;
  [field: string]: unknown;
}) => previewVerb(noticeId ? 'updateNotice' : newNotice[type], input, noticeId);
const previewVerb = async (verb: string, input: object, noticeId?: string) => {
  const { json } = await service.graphql(
    `query ($page: ID!, $noticeId: ID, $input: NoticeChangeInput!) {
       previewPublication(pageId: $page, noticeId: $noticeId, input: $input) { ${fields} }
     }`,
    { page: page.id, noticeId, input: { [verb]: { ...input, shouldPublish: false } } },
    { token: service.tokens.write },
  );
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data.previewPublication;
};
const channelNames: Record<string, string> = {
  EMAIL: 'email',
  SMS: 'sms',
  SLACK: 'chatA',
  TEAMS: 'chatB',
  DISCORD: 'discord',
  MASTODON: 'social',
};
const countByChannel = ({ audience }: { audience: ChannelAudience[] }) =>
  Object.fromEntries(audience.map(({ channel, count }) => [channelNames[channel], count]));
const getCodes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

/** Components, and subscribers of all kinds, the same on every page. */
async function createSubscribers(): Promise<number[]> {
  const top = await page.component('top');
  const parts = [top, await page.component('part', top), await page.component('other')];
  for (const [at, component] of parts.entries()) await page.subscribe(`${at}@example.com`, [component]);
  await page.subscribe('all@example.com');
  await page.subscribe('+4479460001');
  await page.subscribe('+4479460002', [parts[2]!]);
  const unsubscribed = await page.subscribe('unsubscribed@example.com');
  const unconfirmed = await page.subscribe('unconfirmed@example.com');
  const plannedOnly = await page.subscribe('planned-only@example.com');
  await service.database.query('update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [
    unsubscribed,
  ]);
  await service.database.query('update subscriber set confirmed_at = null where id = $1', [unconfirmed]);
  await service.database.query(`update subscriber set kinds = '{planned}' where id = $1`, [plannedOnly]);
  return parts;
}

describe('the audience of a preview is that of the deliveries', () => {
  const window = { beginsAt: '2099-01-01T00:00:00Z', endsAt: '2099-01-01T01:00:00Z' };
  const rest = { begins_at: window.beginsAt, ends_at: window.endsAt };
  test.each<[string, string[], (parts: number[]) => object, (parts: number[]) => object]>([
    ['for an incident without components', [], () => ({}), () => ({})],
    [
      'for an incident of a child component',
      [],
      ([, part]) => ({ componentIds: [String(part)] }),
      ([, part]) => ({ component_ids: [part] }),
    ],
    [
      'for an incident of another component',
      [],
      ([, , other]) => ({ componentIds: [String(other)] }),
      ([, , other]) => ({ component_ids: [other] }),
    ],
    ['for a maintenance', [], () => ({ type: 'PLANNED', ...window }), () => ({ type: 'planned', ...rest })],
    ['with switches off', ['chatA', 'sms'], () => ({}), () => ({})],
  ])('%s', async (_, disabledChannels, input, body) => {
    const parts = await createSubscribers();
    await service.database.query('update page set disabled_channels = $2 where id = $1', [page.id, disabledChannels]);
    const previewed = await preview({ subject: 'Payments fail', ...input(parts) });
    await page.notice(body(parts));
    await fanOutAll(service.database);
    const deliveries = await page.deliveries();
    const counts = Object.entries(Object.groupBy(deliveries, ({ channel }) => channel)).map(([channel, all]) => [
      channel,
      all!.length,
    ]);
    expect(countByChannel(previewed)).toEqual(Object.fromEntries(counts));
    expect(counts.length).toBeGreaterThan(0);
    for (const { channel, sample } of previewed.audience as ChannelAudience[])
      expect(
        deliveries.filter(delivery => delivery.channel === channelNames[channel]).map(({ address }) => address),
      ).toEqual(expect.arrayContaining(sample));
  });

  test('with the excluded recipients and their reasons', async () => {
    const [top] = await createSubscribers();
    await service.database.query(`update page set disabled_channels = '{chatA}' where id = $1`, [page.id]);
    const { excluded } = await preview({ subject: 'x', componentIds: [String(top)] });
    expect(
      (excluded as ChannelAudience[]).map(({ channel, reason, count, sample }) => [channel, reason, count, sample]),
    ).toEqual([
      ['SLACK', 'CHANNEL_OFF', 1, ['Slack']],
      ['DISCORD', 'CHANNEL_OFF', 1, ['Discord']],
      ['EMAIL', 'OUT_OF_SCOPE', 2, ['2@example.com', 'planned-only@example.com']],
      ['EMAIL', 'UNCONFIRMED', 1, ['unconfirmed@example.com']],
      ['EMAIL', 'UNSUBSCRIBED', 1, ['unsubscribed@example.com']],
      ['SMS', 'OUT_OF_SCOPE', 1, ['+4479460002']],
    ]);
  });
});

describe('a preview', () => {
  test('changes no table', async () => {
    await createSubscribers();
    const before = await hashTables(service.database);
    await preview({ subject: 'Payments fail', content: 'We look.' });
    expect(await hashTables(service.database)).toBe(before);
  });

  // The embedded database has one connection, which waits for a transaction to end.
  const withSeveralConnections = process.env.TEST_DATABASE_URL ? test : test.skip;
  withSeveralConnections(
    'is refused, to be repeated, while a write holds its page for more than a second',
    async () => {
      await inTransaction(service.database, async em => {
        await query(em, 'select 1 from page where id = $1 for no key update', [page.id]);
        await expect(preview({ subject: 'x' })).rejects.toThrow('"code":"UNAVAILABLE"');
      });
      expect((await preview({ subject: 'x' })).event).toBe('OPENED');
    },
  );

  test('is rolled back, announces nothing and leaves no lock, also when it is refused', async () => {
    const announced = jest.fn();
    service.database.changes.on('committed', announced);
    const statements: string[] = [];
    const { connect } = service.database;
    service.database.connect = async () => recordClient(await connect(), text => statements.push(text));
    try {
      await preview({ subject: 'x', content: 'x', componentIds: [String(await page.component('top'))] });
      announced.mockClear();
      statements.length = 0;
      await preview({ subject: 'x', content: 'x' });
      await expect(preview({ subject: 'x', content: 'x', componentIds: ['2147483647'] })).rejects.toThrow('NOT_FOUND');
    } finally {
      service.database.connect = connect;
      service.database.changes.off('committed', announced);
    }
    expect(statements.filter(text => /^(begin|commit|rollback)$/.test(text))).toEqual([
      'begin',
      'rollback',
      'begin',
      'rollback',
    ]);
    expect(announced).not.toHaveBeenCalled();
    expect(listWrites(statements)).toContain('insert into publication');
    expect(listWrites(statements)).not.toContain('insert into page_change');
    await page.notice({ should_publish: false });
  });

  test('computes only what is selected', async () => {
    const tablesFor = async (selection: string) => {
      const statements = await recordStatements(service.database, () =>
        service.graphql(
          `query ($page: ID!) { previewPublication(pageId: $page, input: { openIncident: { subject: "x", shouldPublish: true } }) { ${selection} } }`,
          { page: page.id },
        ),
      );
      return {
        audience: statements.some(statement => statement.includes('subscriber s')),
        page: statements.some(statement => statement.includes('timelineSortOrder')),
      };
    };
    expect(await tablesFor('event text noticeState')).toEqual({ audience: false, page: false });
    expect(await tablesFor('audience { count }')).toEqual({ audience: true, page: false });
    expect(await tablesFor('...{ all: hash }')).toEqual({ audience: true, page: false });
    expect(await tablesFor('warnings { code }')).toEqual({ audience: true, page: false });
    expect(await tablesFor('messages { sms mail { subject } }')).toEqual({ audience: false, page: false });
    expect(await tablesFor('messages { sms } all: messages { page }')).toEqual({ audience: false, page: true });
    expect(await tablesFor('messages { page @include(if: false) }')).toEqual({ audience: false, page: false });
  });

  test('has a cost, so that a document can have a few and not twenty', async () => {
    const several = (count: number) =>
      service.graphql(
        `query ($page: ID!) { ${Array.from(
          { length: count },
          (_, index) =>
            `a${index}: previewPublication(pageId: $page, input: { openIncident: { subject: "x", shouldPublish: true } }) { event }`,
        ).join(' ')} }`,
        { page: page.id },
      );
    expect((await several(20)).json.errors[0]).toMatchObject({
      message: 'The response could hold 200,000 records; the limit is 100,000. Ask for less at once.',
      extensions: { code: 'BAD_REQUEST' },
    });
    const { json } = await several(5);
    expect(Object.values(json.data)).toEqual(Array.from({ length: 5 }, () => ({ event: 'OPENED' })));
  });

  test('shows the whole page after a change of a notice with updates, tags and components', async () => {
    const top = await page.component('top');
    const part = await page.component('part', top);
    const id = await page.notice({ component_ids: [top], should_publish: false, initial_comment: 'We *look*.' });
    await page.notice({ subject: 'Slow cards', component_ids: [part], should_publish: false });
    const change = { state: 'IDENTIFIED', content: 'Found `it`.', componentIds: [String(part)], tagList: ['cards'] };
    const { messages } = await preview({ noticeId: String(id), subject: 'Cards fail', ...change });
    await service.patch(`/v1/pages/${page.id}/notices/${id}`, {
      subject: 'Cards fail',
      state: 'identified',
      additional_comment: 'Found `it`.',
      component_ids: [part],
      tag_list: ['cards'],
      should_publish: true,
    });
    const load = createPreviewLoader(parsePublicUrl(service.settings));
    const stored = await (await load(service.database.read, page.id))();
    for (const text of ['Cards fail', 'Slow cards', '<code>it</code>', 'cards']) expect(stored).toContain(text);
    // The moments of the preview and of the change differ, the id of the update, and the count of changes.
    const elements = (html: string) =>
      html
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d?:\d\d(:\d\d)?|\d+ seconds?/g, 'time')
        .replace(/update-\d+/g, 'update')
        .replace(/data-after="\d+"/, 'data-after')
        .split(/(?=<)/);
    expect(elements(messages.page)).toEqual(elements(stored));
  });

  test('contains the messages, the states and the page after the change', async () => {
    const [top] = await createSubscribers();
    const previewed = await preview({ subject: 'Payments fail', content: 'We *look*.', componentIds: [String(top)] });
    expect(previewed).toMatchObject({
      event: 'OPENED',
      text: 'We *look*.',
      noticeState: 'INVESTIGATING',
      pageState: 'DEGRADED',
      components: [
        { component: { name: 'top' }, before: 'OPERATIONAL', after: 'DEGRADED' },
        { component: { name: 'part' }, before: 'OPERATIONAL', after: 'PARTIALLY_DEGRADED' },
      ],
      warnings: [],
    });
    const { mail, sms, slack, teams, mastodon, page: document, ofTeams, ofMail } = previewed.messages;
    expect([ofTeams, ofMail]).toEqual([teams, mail.text]);
    for (const text of [document, mail.subject, mail.text, mail.html, sms, slack, teams, mastodon])
      expect(text).toContain('Payments fail');
    for (const html of [mail.html, document]) expect(html).toContain('<em>look</em>');
    expect([document.slice(0, 15), document.trim().slice(-7)]).toEqual(['<!doctype html>', '</html>']);
    for (const purpose of ['preferences', 'unsubscribe'])
      for (const form of [mail.text, mail.html]) expect(form).toContain(`/${purpose}/preview`);
    expect((await service.get(`/status/${page.id}/`)).text).not.toContain('Payments fail');
  });

  test('contains no unpublished update in any message, and all updates on the page', async () => {
    const id = await page.notice({ initial_comment: 'Silent', should_publish: false });
    const { mail, page: document, ...texts } = (await preview({ noticeId: String(id), content: 'Aloud' })).messages;
    for (const text of [mail.text, mail.html, ...Object.values(texts)]) {
      expect(text).toContain('Aloud');
      expect(text).not.toContain('Silent');
    }
    expect(document).toContain('Silent');
  });

  test('of a change describes the changed notice', async () => {
    const id = await page.notice({ should_publish: false });
    expect(await preview({ noticeId: String(id), state: 'RESOLVED' })).toMatchObject({
      event: 'CLOSED',
      text: 'Resolved',
      noticeState: 'RESOLVED',
      pageState: 'OPERATIONAL',
    });
    const unchanged = await preview({ noticeId: String(id), subject: 'Payments fail' });
    expect(unchanged).toMatchObject({ event: null, text: null, audience: [], excluded: [], messages: null });
    expect(getCodes(unchanged)).toEqual(['UNCHANGED']);
  });

  test('is refused with the errors of the change', async () => {
    await expect(preview({ subject: 'x', state: 'UNDERWAY' })).rejects.toThrow('BAD_USER_INPUT');
    await expect(preview({})).rejects.toThrow('INVALID');
    await expect(preview({ noticeId: '2147483647' })).rejects.toThrow('NOT_FOUND');
    await expect(preview({ subject: 'x', content: 'a\u0000' })).rejects.toThrow(
      '"path":["input","openIncident","content"]',
    );
    const id = await page.notice();
    await expect(preview({ noticeId: String(id), content: 'x'.repeat(65_536) })).rejects.toThrow(
      '"path":["input","updateNotice","content"]',
    );
  });
});

describe('a preview takes the input of a verb', () => {
  test.each([
    ['announce', { subject: 'News' }, 'ANNOUNCED'],
    [
      'scheduleMaintenance',
      { subject: 'Disks', beginsAt: '2035-01-01T00:00:00Z', endsAt: '2035-01-01T01:00:00Z' },
      'SCHEDULED',
    ],
  ])('%s', async (verb, input, event) => {
    expect((await previewVerb(verb, input)).event).toBe(event);
  });

  test.each([
    ['advanceNotice', { state: 'RESOLVED' }, 'CLOSED'],
    ['createNoticeUpdate', { content: 'Still slow' }, 'UPDATED'],
    ['updateNotice', { state: 'RESOLVED' }, 'CLOSED'],
  ])('%s, which changes a notice', async (verb, input, event) => {
    await page.subscribe('ada@example.com');
    const id = await page.notice({ should_publish: true });
    expect((await previewVerb(verb, input, String(id))).event).toBe(event);
  });

  test('createNoticeUpdate of a post-mortem, as it is published', async () => {
    await page.subscribe('ada@example.com');
    const id = await page.notice({ should_publish: true });
    await service.patch(`${page.path}/notices/${id}`, { state: 'resolved', should_publish: true });
    const input = { content: 'A disk was full.', kind: 'POSTMORTEM' };
    expect((await previewVerb('createNoticeUpdate', input, String(id))).event).toBe('POSTMORTEM');
  });

  const refusedPath = async (variables: object) => {
    const { json } = await service.graphql(
      `query ($page: ID!, $noticeId: ID, $input: NoticeChangeInput!) {
         previewPublication(pageId: $page, noticeId: $noticeId, input: $input) { event userErrors { path code } } }`,
      { page: page.id, ...variables },
    );
    return json.data?.previewPublication ?? json;
  };
  const announce = { subject: 'x', shouldPublish: true };
  const advanceNotice = { state: 'RESOLVED', shouldPublish: true };
  test.each([
    ['a new notice with an id', { noticeId: '1', input: { announce } }, ['noticeId'], 'NOT_APPLICABLE'],
    ['a change without one', { input: { advanceNotice } }, ['noticeId'], 'BLANK'],
    [
      'an update in the past',
      {
        noticeId: '1',
        input: { createNoticeUpdate: { content: 'x', postedAt: '2020-01-01T00:00:00Z', shouldPublish: false } },
      },
      ['input', 'createNoticeUpdate', 'postedAt'],
      'NOT_APPLICABLE',
    ],
    [
      'a blank subject',
      { input: { announce: { ...announce, subject: ' ' } } },
      ['input', 'announce', 'subject'],
      'BLANK',
    ],
  ])('and refuses %s', async (_, variables, path, code) => {
    expect(await refusedPath(variables)).toEqual({ event: null, userErrors: [{ path, code }] });
  });

  test.each([
    ['none', {}],
    ['two', { announce, openIncident: announce }],
  ])('and its type refuses %s', async (_, input) => {
    const { errors } = await refusedPath({ input });
    expect(errors).toMatchObject([
      { message: expect.stringContaining('Exactly one'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });
});

describe('a preview warns', () => {
  test('about a window that is over', async () => {
    const previewed = await preview({
      subject: 'x',
      type: 'PLANNED',
      beginsAt: '2020-01-01T00:00:00Z',
      endsAt: '2020-01-01T01:00:00Z',
    });
    expect(previewed.warnings[0]).toEqual({ code: 'WINDOW_PAST', message: 'The window is already over.' });
  });

  test('about clocks that change within the window, in the zone of the page', async () => {
    const at = (beginsAt: string) =>
      preview({
        subject: 'x',
        type: 'PLANNED',
        beginsAt,
        endsAt: new Date(Date.parse(beginsAt) + 2 * 3_600_000).toISOString(),
      });
    expect(getCodes(await at('2027-03-28T00:30:00Z'))).toContain('SUMMER_TIME');
    expect(getCodes(await at('2027-03-29T00:30:00Z'))).not.toContain('SUMMER_TIME');
  });

  test('that all subscribers are notified when no component is named, and there are some', async () => {
    const component = await page.component('A');
    expect(getCodes(await preview({ subject: 'x' }))).toEqual([]);
    await page.subscribe('all@example.com');
    expect(getCodes(await preview({ subject: 'x' }))).toEqual(['ALL_SUBSCRIBERS']);
    expect(getCodes(await preview({ subject: 'x', componentIds: [String(component)] }))).toEqual([]);
  });

  test('about another open notice that names one of the components', async () => {
    const component = await page.component('A');
    const id = await page.notice({ subject: 'Slow cards', component_ids: [component], should_publish: false });
    const previewed = await preview({ subject: 'x', componentIds: [String(component)] });
    expect(previewed.warnings).toEqual([
      { code: 'OVERLAPPING_NOTICE', message: 'Another open notice affects the same components: "Slow cards".' },
    ]);
    expect(getCodes(await preview({ noticeId: String(id), content: 'x' }))).toEqual([]);
  });

  test('about another open notice that names an ancestor or descendant', async () => {
    const top = await page.component('top');
    const part = await page.component('part', top);
    const beside = await page.component('beside', top);
    await page.notice({ subject: 'Slow', component_ids: [part], should_publish: false });
    expect(getCodes(await preview({ subject: 'x', componentIds: [String(top)] }))).toEqual(['OVERLAPPING_NOTICE']);
    expect(getCodes(await preview({ subject: 'x', componentIds: [String(beside)] }))).toEqual([]);
  });
});
