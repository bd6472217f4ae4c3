import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';
import { createStatuspageAnswers } from '../../../support/statuspage-answers.js';

const service = useService();
const { run, runAsGiven, report } = createImport(service);
removeSavedAnswers();

const read = async (page: string) =>
  (
    await service.graphql(
      `query ($page: ID!) { page(id: $page) {
        name timezone supportUrl websiteUrl metaDescription
        components { nodes { name parent { name } description createdAt } }
        notices { nodes {
          subject state beganAt endedAt createdAt affectedComponents { component { name } impact }
          ... on PlannedNotice { beginsAt endsAt shouldAutomateSchedule reminder }
          updates { nodes { content state kind postedAt isPublished } }
        } }
        subscribers { nodes { email phoneNumber componentIds createdAt } }
      } }`,
      { page },
    )
  ).json.data.page;
const countOf = async (table: string, page: string) =>
  (
    await service.database.query<{ n: number }>(`select count(*)::int as n from ${table} where page_id = $1`, [page])
  )[0]!.n;

const component = (id: string, more: object = {}) => ({
  id,
  group_id: null,
  group: false,
  name: id,
  description: null,
  position: 1,
  status: 'operational',
  created_at: '2020-01-01T00:00:00Z',
  ...more,
});
const update = (id: string, status: string, display_at: string, more: object = {}) => ({
  id,
  status,
  display_at,
  created_at: '2026-03-01T00:00:00Z',
  body: `Text of ${id}`,
  ...more,
});
const affects = (code: string, new_status: string) => ({
  affected_components: [{ code, name: code, old_status: 'operational', new_status }],
});
const incident = (id: string, more: object = {}) => ({
  id,
  name: `Name of ${id}`,
  status: 'resolved',
  impact: 'major',
  scheduled_for: null,
  scheduled_until: null,
  resolved_at: '2026-03-01T11:00:00.000-01:00',
  created_at: '2026-03-01T10:05:00Z',
  components: [],
  postmortem_body: null,
  incident_updates: [],
  ...more,
});
const subscriber = (id: string, more: object) => ({
  id,
  mode: 'email',
  email: null,
  phone_number: null,
  phone_country: null,
  display_phone_number: null,
  components: null,
  quarantined_at: null,
  created_at: '2024-05-06T07:08:09Z',
  ...more,
});

const small = () => ({
  'page.json': {
    id: 'p',
    name: 'Meridian Freight',
    page_description: 'How we are doing',
    url: 'ftp://meridian.example',
    support_url: 'https://help.meridian.example',
    time_zone: 'America/New_York',
  },
  'component-groups.json': [component('core', { name: 'Core', components: ['api'] })],
  'components.json': [component('core', { group: true }), component('api', { group_id: 'core' }), component('web')],
  'incidents.json': [
    incident('outage', {
      components: [component('api'), component('gone')],
      postmortem_body: '<h2>Cause</h2><p>A <a href="https://example.com/x">disk</a>.</p>',
      postmortem_published_at: '2026-03-03T00:00:00Z',
      incident_updates: [
        update('u3', 'resolved', '2026-03-01T12:00:00Z', affects('api', 'operational')),
        update('u2', 'monitoring', '2026-03-01T11:00:00Z', affects('api', 'degraded_performance')),
        update('u1', 'investigating', '2026-03-01T10:00:00Z', {
          ...affects('api', 'major_outage'),
          body: 'We <strong>look</strong><br>into it.',
        }),
      ],
    }),
    incident('move', {
      status: 'scheduled',
      impact: 'maintenance',
      resolved_at: null,
      components: [component('web')],
      scheduled_for: '2099-01-01T00:00:00Z',
      scheduled_until: '2099-01-01T02:00:00Z',
      scheduled_auto_in_progress: true,
      scheduled_auto_completed: true,
      incident_updates: [update('m1', 'scheduled', '2026-03-02T00:00:00Z')],
    }),
    incident('odd', { status: 'exploded' }),
    incident('endless', { scheduled_for: '2026-01-01T00:00:00Z', status: 'completed' }),
    { id: 'nameless' },
  ],
  'subscribers.json': [
    subscriber('s1', { email: 'anna@example.com' }),
    subscriber('s2', { mode: 'sms', phone_number: '0171 2345678', phone_country: 'DE', components: ['api'] }),
    subscriber('s3', { email: 'full@example.com', quarantined_at: '2025-01-01T00:00:00Z' }),
    subscriber('s4', { mode: 'slack' }),
    subscriber('s5', { email: 'nobody' }),
    subscriber('s6', { email: 'lost@example.com', components: ['gone'] }),
  ],
});

describe('allclear import --from statuspage', () => {
  let folder: string;
  beforeEach(() => {
    folder = saveAnswers(small());
  });

  test('adds a page for some visitors only to a private page', async () => {
    const answers = { ...small(), 'page.json': { ...small()['page.json'], viewers_must_be_team_members: true } };
    const options = [saveAnswers(answers), '--from', 'statuspage', '--yes'];
    expect((await run(...options)).error).toContain('the page is for some visitors only. Choose a private page');
    const { pageId } = await report(folder, '--from', 'statuspage', '--yes');
    expect((await run(...options, '--page', pageId!)).code).toBe(1);
    await service.database.query(`update page set visibility = 'members' where id = $1`, [pageId]);
    expect((await run(...options, '--page', pageId!)).code).toBe(0);
  });

  test('creates a page with its history, and reports what it left out', async () => {
    const { pageId, leftOut, ...rest } = await report(folder, '--from', 'statuspage', '--yes');
    expect(toCounts({ pageId, leftOut, ...rest })).toEqual({
      component: [3, 0, 0, 0],
      notice: [2, 0, 0, 3],
      update: [5, 0, 0, 0],
      subscriber: [2, 0, 0, 4],
    });
    expect(leftOut.map(({ kind, sourceId, reason }) => `${kind} ${sourceId}: ${reason}`)).toEqual([
      'notice odd: has the unknown status "exploded"',
      'notice endless: has no window',
      'notice nameless: `status`: Invalid input: expected string, received undefined',
      'subscriber s3: is in quarantine: messages to the address failed',
      'subscriber s4: has the channel slack, which cannot be moved',
      'reference outage: names the component gone, which is not there',
      expect.stringMatching(/^setting websiteUrl: `websiteUrl` must be an address that begins with/),
      'subscriber s6: chose only components that are not there',
      'subscriber s5: `email` must be an e-mail address, not "nobody".',
    ]);
    const { notices, components, subscribers, ...page } = await read(pageId!);
    expect(page).toEqual({
      name: 'Meridian Freight',
      timezone: 'America/New_York',
      websiteUrl: null,
      supportUrl: 'https://help.meridian.example',
      metaDescription: 'How we are doing',
    });
    expect(components.nodes.map((one: { name: string; parent: unknown }) => [one.name, one.parent])).toEqual([
      ['Core', null],
      ['api', { name: 'Core' }],
      ['web', null],
    ]);
    const [move, outage] = notices.nodes;
    expect(move).toMatchObject({
      subject: 'Name of move',
      state: 'SCHEDULED',
      beganAt: null,
      endedAt: null,
      reminder: 'NONE',
      beginsAt: '2099-01-01T00:00:00.000Z',
      endsAt: '2099-01-01T02:00:00.000Z',
      shouldAutomateSchedule: false,
    });
    expect(outage).toMatchObject({
      subject: 'Name of outage',
      state: 'RESOLVED',
      createdAt: '2026-03-01T10:05:00.000Z',
      beganAt: '2026-03-01T10:00:00.000Z',
      endedAt: '2026-03-01T12:00:00.000Z',
      affectedComponents: [{ component: { name: 'api' }, impact: 'MAJOR_OUTAGE' }],
    });
    const line = (one: Record<string, string>) => [one.content, one.state, one.kind, one.postedAt, one.isPublished];
    expect(outage.updates.nodes.map(line)).toEqual([
      ['We **look**  \ninto it.', 'INVESTIGATING', 'UPDATE', '2026-03-01T10:00:00.000Z', false],
      ['Text of u2', 'RECOVERING', 'UPDATE', '2026-03-01T11:00:00.000Z', false],
      ['Text of u3', 'RESOLVED', 'UPDATE', '2026-03-01T12:00:00.000Z', false],
      ['## Cause\n\nA [disk](https://example.com/x).', 'RESOLVED', 'POSTMORTEM', '2026-03-03T00:00:00.000Z', false],
    ]);
    expect(subscribers.nodes).toMatchObject([
      { email: 'anna@example.com', componentIds: [], createdAt: '2024-05-06T07:08:09.000Z' },
      { phoneNumber: '+491712345678', componentIds: [expect.any(String)] },
    ]);
    const consents = await service.database.query(
      'select consent_source as source, confirmed_at as at from subscriber where page_id = $1 order by id limit 1',
      [pageId],
    );
    expect(consents).toEqual([{ source: 'Statuspage import', at: '2024-05-06 07:08:09+00' }]);
  });

  test('rebuilds the impact over time, as manual statuses of the times at which it was milder', async () => {
    const { pageId } = await report(folder, '--from', 'statuspage', '--yes');
    const periods = await service.database.query(
      'select state, began_at as began, ended_at as ended from manual_status where page_id = $1',
      [pageId],
    );
    expect(periods).toEqual([{ state: 'degraded', began: '2026-03-01 11:00:00+00', ended: '2026-03-01 12:00:00+00' }]);
  });

  test('writes nothing without --yes, and reports the same', async () => {
    const dry = await report(folder, '--from', 'statuspage');
    expect(dry).toMatchObject({ dryRun: true, pageId: null });
    const { text } = await run(folder, '--from', 'statuspage');
    expect(text).toContain('Nothing is written. An import would do this:');
    expect(text).toContain('  subscriber s3: is in quarantine: messages to the address failed\n');
    expect(text).toMatch(/With --yes it is written to a new page\.\n$/);
    const written = await report(folder, '--from', 'statuspage', '--yes');
    expect(written).toEqual({ ...dry, dryRun: false, pageId: expect.any(String) });
    expect(await report(folder, '--from', 'statuspage', '--yes', '--dry-run')).toEqual(dry);
  });

  test('run again updates what has changed, keeps what was edited here, and doubles nothing', async () => {
    const { pageId } = await report(folder, '--from', 'statuspage', '--yes');
    const again = (answers: object) =>
      report(saveAnswers({ ...answers }), '--from', 'statuspage', '--page', pageId!, '--yes');
    expect(toCounts(await again(small()))).toEqual({
      component: [0, 0, 3, 0],
      notice: [0, 0, 2, 3],
      update: [0, 0, 5, 0],
      subscriber: [0, 0, 2, 4],
    });
    const { notices } = await read(pageId!);
    await service.database.query(`update notice set subject = 'Edited here' where page_id = $1 and type = 'planned'`, [
      pageId,
    ]);
    await service.database.query(`delete from component where page_id = $1 and name = 'web'`, [pageId]);
    const answers = small();
    const [outage] = answers['incidents.json'] as unknown as Record<string, object[]>[];
    outage!.incident_updates!.push(update('u4', 'resolved', '2026-03-01T13:00:00Z'));
    Object.assign(outage!, { name: 'Another name' });
    Object.assign(outage!.incident_updates![1]!, { ...affects('api', 'operational'), body: 'Another text' });
    const report2 = await again(answers);
    expect(toCounts(report2)).toEqual({
      component: [0, 0, 2, 1],
      notice: [0, 1, 1, 3],
      update: [1, 1, 4, 0],
      subscriber: [0, 0, 2, 4],
    });
    expect(report2.leftOut).toContainEqual({
      kind: 'component',
      sourceId: 'web',
      reason: 'was deleted here since the last import',
    });
    const after = (await read(pageId!)).notices.nodes;
    expect(after.map(({ subject }: { subject: string }) => subject)).toEqual(['Edited here', 'Another name']);
    expect(after[1].updates.nodes.map(({ content }: { content: string }) => content)).toEqual([
      'We **look**  \ninto it.',
      'Another text',
      'Text of u3',
      'Text of u4',
      notices.nodes[1].updates.nodes[3].content,
    ]);
    expect(await service.database.query('select state from manual_status where page_id = $1', [pageId])).toEqual([
      { state: 'operational' },
    ]);
    expect(await countOf('import_source', pageId!)).toBe(3 + 2 + 6 + 1);
  });

  test('without --page goes to the page of the import before it, and asks where there are several', async () => {
    const given = saveAnswers({ ...small(), 'page.json': { ...small()['page.json'], name: 'Only once' } });
    const importTo = (...page: string[]) => runAsGiven(given, '--from', 'statuspage', '--yes', '--json', ...page);
    const pageOf = ({ text }: { text: string }) => JSON.parse(text).pageId;
    const first = pageOf(await importTo());
    expect((await runAsGiven(given, '--from', 'statuspage')).text).toContain(
      `With --yes it is written to page ${first}.`,
    );
    expect(pageOf(await importTo())).toBe(first);
    const other = pageOf(await importTo('--page', 'new'));
    expect(other).not.toBe(first);
    // Another installation may have a page of this name, and records with these ids.
    const components = small()['components.json'].map(one => ({ ...one, name: `Other ${one.name}` }));
    const elsewhere = saveAnswers({
      'page.json': { ...small()['page.json'], name: 'Only once' },
      'components.json': components,
    });
    expect((await runAsGiven(elsewhere, '--from', 'statuspage')).text).toContain('is written to a new page.');
    const ids = [first, other].toSorted().join(', ');
    expect(await importTo()).toMatchObject({
      code: 1,
      error: `Several pages called Only once have records of Statuspage: ${ids}. Choose one by --page.\n`,
    });
  });

  test('notifies nobody, and leaves a line in the audit log', async () => {
    const { pageId } = await report(folder, '--from', 'statuspage', '--yes');
    expect(await countOf('publication', pageId!)).toBe(0);
    const armed = 'select 1 from notice where page_id = $1 and (begin_armed or complete_armed or last_should_publish)';
    expect(await service.database.query(armed, [pageId])).toEqual([]);
    const entries = await service.database.query<{ operation: string; interface: string }>(
      'select distinct operation, interface from audit_entry where page_id = $1',
      [pageId],
    );
    expect(entries).toEqual([{ operation: 'importPage', interface: 'cli' }]);
  });

  test('an open incident affects its components', async () => {
    const answers = small();
    Object.assign(answers['incidents.json'][0]!, { status: 'monitoring', resolved_at: null, postmortem_body: null });
    const { pageId } = await report(saveAnswers(answers), '--from', 'statuspage', '--yes');
    const states = await service.database.query('select name, state from component where page_id = $1 order by id', [
      pageId,
    ]);
    expect(states).toContainEqual({ name: 'api', state: 'degraded' });
    expect(states).toContainEqual({ name: 'Core', state: 'partially-degraded' });
  });

  test.each<[string, (folder: string) => string[], RegExp]>([
    ['a folder without its files', () => [saveAnswers({ 'other.json': [] })], /has none of the files page\.json/],
    ['a missing folder', () => ['/nowhere'], /^\/nowhere cannot be read\.\n$/],
    ['what is not JSON', () => [saveAnswers({ 'page.json': '<html>' })], /^page\.json is not JSON: /],
    ['an answer of another shape', () => [saveAnswers({ 'incidents.json': { error: 'x' } })], /must be a list/],
    ['an unknown page', path => [path, '--page', '00000000'], /couldn't find the page/],
    ['no page', () => [saveAnswers({ 'incidents.json': [] })], /does not say what the page is called/],
  ])('refuses %s', async (_, args, message) => {
    const { code, error } = await run(...args(folder), '--from', 'statuspage');
    expect([code, error]).toEqual([1, expect.stringMatching(message)]);
  });

  test('imports hundreds of incidents in several transactions', async () => {
    const large = saveAnswers(createStatuspageAnswers({ components: 5, incidents: 600, subscribers: 600 }));
    const first = await report(large, '--from', 'statuspage', '--yes');
    expect(toCounts(first)).toEqual({
      component: [6, 0, 0, 0],
      notice: [600, 0, 0, 0],
      update: [2_460, 0, 0, 0],
      subscriber: [600, 0, 0, 0],
    });
    const second = await report(large, '--from', 'statuspage', '--yes', '--page', first.pageId!);
    expect(toCounts(second)).toEqual({
      component: [0, 0, 6, 0],
      notice: [0, 0, 600, 0],
      update: [0, 0, 2_460, 0],
      subscriber: [0, 0, 600, 0],
    });
    expect(await countOf('notice', first.pageId!)).toBe(600);
  });
});
