import { beforeEach, describe, expect, test } from '@jest/globals';
import { advanceDueNotices } from '../../../src/notices/automation/notice.automation.js';
import type { MessageSnapshot } from '../../../src/notifications/messages/message-snapshot.js';
import { createAutomatedPage } from '../../support/automated-notices.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

interface Publication {
  event: string;
  by: string;
  scope: number[] | null;
  snapshot: MessageSnapshot;
  update: number | null;
}

const service = useService();
let page: string;
let path: string;
beforeEach(async () => {
  const values = { name: 'Meridian', timezone: 'Berlin', support_email: 'help@example.com' };
  ({ id: page, path } = await createPage(service, values));
});

const loadPublications = (id = page) =>
  service.database.query<Publication>(
    `select event, made_by as by, scope, message_snapshot as snapshot, update_id as update
     from publication where page_id = $1 order by id`,
    [id],
  );
const loadEvents = async () => (await loadPublications()).map(({ event }) => event);
const loadTexts = async () => (await loadPublications()).map(({ snapshot }) => snapshot.text);
const create = (values: object = {}) =>
  createNotice(service, path, { subject: 'Payments fail', should_publish: true, ...values });
const patch = (id: number, values: object) =>
  service.patch(`${path}/notices/${id}`, { should_publish: true, ...values });
const planned = { type: 'planned', begins_at_date: '2099-03-01', begins_at_time: '22:00', duration_in_minutes: 90 };

describe('a notice', () => {
  test('is published only with should_publish', async () => {
    for (const should_publish of [undefined, false]) await create({ should_publish });
    expect(await loadEvents()).toEqual([]);
    await create();
    expect(await loadEvents()).toEqual(['opened']);
  });

  test('is published with a snapshot that later changes do not modify', async () => {
    const component = (await createComponent(service, path, { name: 'Cards' })).id;
    const notice = await create({ component_ids: [component], initial_comment: 'We *look*.' });
    const [publication] = await loadPublications();
    await patch(notice.id, { subject: 'Other', should_publish: false });
    await service.delete(`${path}/notices/${notice.id}`);
    expect(await loadPublications()).toEqual([publication]);
    expect(publication).toMatchObject({
      event: 'opened',
      by: expect.stringMatching(/^write \(\d+\)$/),
      scope: [component],
    });
    expect(publication!.snapshot).toEqual({
      event: 'opened',
      at: notice.created_at,
      text: 'We *look*.',
      page: {
        id: page,
        name: 'Meridian',
        locale: 'en',
        timezone: 'Berlin',
        zone: 'Europe/Berlin',
        supportEmail: 'help@example.com',
        isPrivate: false,
        address: notice.link.slice(0, notice.link.indexOf('/notices/')),
        brand: expect.objectContaining({ colorStateOk: '#27ae60', colorBodyText: '#2c3e50' }),
        images: {},
      },
      notice: {
        id: notice.id,
        type: 'unplanned',
        state: 'investigating',
        subject: 'Payments fail',
        link: notice.link,
        version: expect.any(Number),
        token: notice.link.split('/notices/')[1].slice(0, 16),
        beginsAt: null,
        endsAt: null,
        beganAt: notice.began_at,
        endedAt: null,
        nextUpdateBy: null,
        components: [{ id: component, name: 'Cards', impact: 'degraded' }],
        furtherWindows: [],
      },
      updates: [
        {
          id: publication!.update,
          content: 'We *look*.',
          kind: 'update',
          state: 'investigating',
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  test('without a comment is published with its state as the text, an announcement with its subject', async () => {
    await create();
    await create({ type: 'general', subject: 'We moved' });
    await create(planned);
    expect([await loadEvents(), await loadTexts()]).toEqual([
      ['opened', 'announced', 'scheduled'],
      ['Investigating', 'We moved', 'Scheduled'],
    ]);
  });
});

describe('a change of a notice', () => {
  test('has as its text the comment, else the state, else the window in both zones, else the subject', async () => {
    const { id } = await create(planned);
    await patch(id, { additional_comment: 'Soon.', state: 'cancelled' });
    await patch(id, { state: 'scheduled', begins_at_time: '23:00' });
    await patch(id, { begins_at_time: '21:00' });
    await patch(id, { tag_list: ['a'] });
    expect((await loadTexts()).slice(1)).toEqual([
      'Soon.',
      'Scheduled',
      'Sunday, 1 March 2099, 22:00 – 23:30 CET\n\nSunday, 1 March 2099, 21:00 – 22:30 UTC',
      'Payments fail',
    ]);
    expect(await loadEvents()).toEqual(['scheduled', 'cancelled', 'scheduled', 'updated', 'updated']);
  });

  test('that changed nothing is not published', async () => {
    const { id, ...record } = await create();
    await patch(id, {});
    await patch(id, { subject: 'Payments fail', state: 'investigating', tag_list: [], component_ids: [] });
    await patch(id, record);
    expect(await loadEvents()).toEqual(['opened']);
  });

  test('that is refused is not published', async () => {
    const { id } = await create();
    expect((await patch(id, { additional_comment: 'x', state: 'underway' })).status).toBe(422);
    expect(await loadEvents()).toEqual(['opened']);
  });

  test('is an update between open states, closed at the end, and opened when it is reopened', async () => {
    const { id } = await create();
    for (const state of ['identified', 'resolved', 'recovering', 'false_alarm']) await patch(id, { state });
    expect(await loadEvents()).toEqual(['opened', 'updated', 'closed', 'opened', 'closed']);
    expect((await loadTexts()).slice(1)).toEqual(['Identified', 'Resolved', 'Recovering', 'False alarm']);
  });

  test('contains the ten newest published updates, newest first', async () => {
    const { id } = await create();
    for (let number = 1; number <= 11; number++) await patch(id, { additional_comment: `No ${number}` });
    const { snapshot } = (await loadPublications()).at(-1)!;
    expect(snapshot.updates.map(({ content }) => content)).toEqual(
      Array.from({ length: 10 }, (_, at) => `No ${11 - at}`),
    );
    expect(snapshot.text).toBe('No 11');
  });

  test('contains the newest updates whose texts have 100,000 characters together', async () => {
    const { id } = await create();
    for (const letter of 'abc') await patch(id, { additional_comment: letter.repeat(45_000) });
    await patch(id, { additional_comment: 'é'.repeat(10_000) });
    const { snapshot } = (await loadPublications()).at(-1)!;
    expect(snapshot.updates.map(({ content }) => [content[0], content.length])).toEqual([
      ['é', 10_000],
      ['c', 45_000],
      ['b', 45_000],
    ]);
  });

  test('contains no unpublished update, with a comment and without one', async () => {
    const { id } = await create({ initial_comment: 'Silent 1', should_publish: false });
    const updates = `${path}/notices/${id}/updates`;
    await service.post(updates, { content: 'Aloud 1' });
    await service.post(updates, { content: 'Silent 2', should_publish: false });
    await patch(id, { additional_comment: 'Silent 3', should_publish: false });
    await patch(id, { additional_comment: 'Aloud 2' });
    await patch(id, { state: 'resolved' });
    const publications = await loadPublications();
    expect(publications.map(({ snapshot }) => [snapshot.text, ...snapshot.updates.map(one => one.content)])).toEqual([
      ['Aloud 1', 'Aloud 1'],
      ['Aloud 2', 'Aloud 2', 'Aloud 1'],
      ['Resolved', 'Aloud 2', 'Aloud 1'],
    ]);
  });
});

describe('an update', () => {
  test('is published unless should_publish is false; a change of it is not published', async () => {
    const { id } = await create({ should_publish: false });
    const updates = `${path}/notices/${id}/updates`;
    await service.post(updates, { content: 'Unpublished', should_publish: false });
    const update = (await service.post(updates, { content: 'Published' })).json.response;
    await service.patch(`${updates}/${update.id}`, { content: 'Changed', should_publish: true });
    const next = (await service.post(updates, { content: 'Published again' })).json.response;
    expect((await loadPublications()).map(({ event, snapshot, update }) => [event, snapshot.text, update])).toEqual([
      ['opened', 'Published', update.id],
      ['updated', 'Published again', next.id],
    ]);
  });

  test.each([
    ['an incident', { state: 'identified' }, 'opened'],
    ['an incident that is over', { state: 'resolved' }, 'updated'],
    ['a maintenance', { type: 'planned', begins_at: '2099-01-01', ends_at: '2099-01-02' }, 'scheduled'],
    [
      'a maintenance that is under way',
      { type: 'planned', begins_at: '2020-01-01', ends_at: '2099-01-02', state: 'underway' },
      'begun',
    ],
    ['an announcement', { type: 'general' }, 'announced'],
  ])('that is the first publication of %s has the event of the notice', async (_, values, event) => {
    const { id } = await create({ should_publish: false, ...values });
    await service.post(`${path}/notices/${id}/updates`, { content: 'Published' });
    expect((await loadPublications()).map(publication => publication.event)).toEqual([event]);
  });
});

describe('the scope of a publication', () => {
  const component = async (name: string, parent_id?: number): Promise<number> =>
    (await createComponent(service, path, { name, parent_id })).id;

  test('is the named component with its ancestors and descendants', async () => {
    const top = await component('top');
    const middle = await component('middle', top);
    const below = await component('below', middle);
    await component('beside', top);
    await create({ component_ids: [middle] });
    expect((await loadPublications())[0]!.scope).toEqual([top, middle, below]);
  });

  test('is null for a notice that never named a component, and empty once its components are deleted', async () => {
    const gone = await component('gone');
    const { id } = await create();
    await patch(id, { component_ids: [gone] });
    await service.delete(`${path}/components/${gone}`);
    await patch(id, { subject: 'Other' });
    expect((await loadPublications()).map(({ scope }) => scope)).toEqual([null, [gone], []]);
  });

  test('stays empty when component_ids is set to [] after the components were deleted', async () => {
    const gone = await component('gone');
    const { id } = await create({ component_ids: [gone] });
    await service.delete(`${path}/components/${gone}`);
    await patch(id, { component_ids: [] });
    await patch(id, { component_ids: [], subject: 'Other' });
    expect((await loadPublications()).map(({ scope }) => scope)).toEqual([[gone], []]);
  });
});

describe('an automatic state change', () => {
  test('is published if the last should_publish was true, begin and end in order when both are due', async () => {
    for (const should_publish of [true, false]) {
      const automated = await createAutomatedPage(service);
      const id = await automated.create({ should_publish });
      await automated.makeStartAndEndDue(id);
      await advanceDueNotices(service.database);
      const publications = await loadPublications(automated.path.split('/').at(-1));
      const seen = publications.map(({ event, by, snapshot }) => [event, by, snapshot.notice.state, snapshot.text]);
      const changes = [
        ['begun', 'automation', 'underway', 'In progress'],
        ['completed', 'automation', 'complete', 'Complete'],
      ];
      expect(should_publish ? seen.slice(1) : seen).toEqual(should_publish ? changes : []);
    }
  });
});
