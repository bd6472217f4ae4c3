import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { moveDueNotices } from '../../../src/notices/notice.automation.js';
import type { PublicationPicture } from '../../../src/notifications/message-snapshot.js';
import { newPageOfMaintenances } from '../../support/automated-notices.js';
import { startTestService, type TestService } from '../../support/service.js';

interface Row {
  event: string;
  by: string;
  scope: number[] | null;
  picture: PublicationPicture;
  update: number | null;
}

let service: TestService;
let page: string;
let path: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  page = (await service.post('/v1/pages', { name: 'Meridian', timezone: 'Berlin', support_email: 'help@example.com' }))
    .json.response.id;
  path = `/v1/pages/${page}`;
});

const told = (id = page) =>
  service.database.query<Row>(
    'select event, made_by as by, scope, picture, update_id as update from publication where page_id = $1 order by id',
    [id],
  );
const events = async () => (await told()).map(({ event }) => event);
const texts = async () => (await told()).map(({ picture }) => picture.text);
const create = async (values: object = {}) => {
  const answer = await service.post(`${path}/notices`, { subject: 'Payments fail', should_publish: true, ...values });
  expect([answer.status, answer.json.messages]).toEqual([201, undefined]);
  return answer.json.response;
};
const patch = (id: number, values: object) =>
  service.patch(`${path}/notices/${id}`, { should_publish: true, ...values });
const planned = { type: 'planned', begins_at_date: '2099-03-01', begins_at_time: '22:00', duration_in_minutes: 90 };

describe('a notice', () => {
  test('is told when should_publish says so, and else is not', async () => {
    for (const should_publish of [undefined, false]) await create({ should_publish });
    expect(await events()).toEqual([]);
    await create();
    expect(await events()).toEqual(['opened']);
  });

  test('is told in the picture of its moment, which nothing moves afterwards', async () => {
    const component = (await service.post(`${path}/components`, { name: 'Cards' })).json.response.id;
    const notice = await create({ component_ids: [component], initial_comment: 'We *look*.' });
    const [publication] = await told();
    await patch(notice.id, { subject: 'Other', should_publish: false });
    await service.delete(`${path}/notices/${notice.id}`);
    expect(await told()).toEqual([publication]);
    expect(publication).toMatchObject({
      event: 'opened',
      by: expect.stringMatching(/^write \(\d+\)$/),
      scope: [component],
    });
    expect(publication!.picture).toEqual({
      event: 'opened',
      at: notice.created_at,
      text: 'We *look*.',
      page: {
        ...{
          id: page,
          name: 'Meridian',
          locale: 'en',
          timezone: 'Berlin',
          zone: 'Europe/Berlin',
          supportEmail: 'help@example.com',
        },
        address: notice.link.slice(0, notice.link.indexOf('/notices/')),
        brand: expect.objectContaining({ colorStateOk: '#27ae60', colorBodyText: '#2c3e50' }),
      },
      notice: {
        ...{
          id: notice.id,
          type: 'unplanned',
          state: 'investigating',
          subject: 'Payments fail',
          link: notice.link,
          version: expect.any(Number),
        },
        token: notice.link.split('/notices/')[1].slice(0, 16),
        ...{ beginsAt: null, endsAt: null, beganAt: notice.began_at, endedAt: null },
        components: [{ id: component, name: 'Cards' }],
      },
      updates: [{ id: publication!.update, content: 'We *look*.', createdAt: expect.stringMatching(/Z$/) }],
    });
  });

  test('without a comment is told by its state, and an announcement by its subject', async () => {
    await create();
    await create({ type: 'general', subject: 'We moved' });
    await create(planned);
    expect([await events(), await texts()]).toEqual([
      ['opened', 'announced', 'scheduled'],
      ['Investigating', 'We moved', 'Scheduled'],
    ]);
  });
});

describe('a change of a notice', () => {
  test('is told by its comment, else its state, else its window in the zone of the page and in UTC, else its subject', async () => {
    const { id } = await create(planned);
    await patch(id, { additional_comment: 'Soon.', state: 'cancelled' });
    await patch(id, { state: 'scheduled', begins_at_time: '23:00' });
    await patch(id, { begins_at_time: '21:00' });
    await patch(id, { tag_list: ['a'] });
    expect((await texts()).slice(1)).toEqual([
      'Soon.',
      'Scheduled',
      'Sunday, 1 March 2099, 22:00 – 23:30 CET\n\nSunday, 1 March 2099, 21:00 – 22:30 UTC',
      'Payments fail',
    ]);
    expect(await events()).toEqual(['scheduled', 'cancelled', 'scheduled', 'updated', 'updated']);
  });

  test('that changed nothing tells nothing', async () => {
    const { id, ...record } = await create();
    await patch(id, {});
    await patch(id, { subject: 'Payments fail', state: 'investigating', tag_list: [], component_ids: [] });
    await patch(id, record);
    expect(await events()).toEqual(['opened']);
  });

  test('that is refused tells nothing', async () => {
    const { id } = await create();
    expect((await patch(id, { additional_comment: 'x', state: 'underway' })).status).toBe(422);
    expect(await events()).toEqual(['opened']);
  });

  test('carries what happened: between open states an update, over is closed, and open again is opened', async () => {
    const { id } = await create();
    for (const state of ['identified', 'resolved', 'recovering', 'false_alarm']) await patch(id, { state });
    expect(await events()).toEqual(['opened', 'updated', 'closed', 'opened', 'closed']);
    expect((await texts()).slice(1)).toEqual(['Identified', 'Resolved', 'Recovering', 'False alarm']);
  });

  test('shows the ten newest updates, newest first', async () => {
    const { id } = await create();
    for (let number = 1; number <= 11; number++)
      await patch(id, { additional_comment: `No ${number}`, should_publish: number === 11 });
    const { picture } = (await told()).at(-1)!;
    expect(picture.updates.map(({ content }) => content)).toEqual(
      Array.from({ length: 10 }, (_, at) => `No ${11 - at}`),
    );
    expect(picture.text).toBe('No 11');
  });
});

describe('an update', () => {
  test('is told unless should_publish is false; its own change is not told', async () => {
    const { id } = await create({ should_publish: false });
    const at = `${path}/notices/${id}/updates`;
    await service.post(at, { content: 'Not told', should_publish: false });
    const update = (await service.post(at, { content: 'Told' })).json.response;
    await service.patch(`${at}/${update.id}`, { content: 'Changed', should_publish: true });
    const next = (await service.post(at, { content: 'Told again' })).json.response;
    expect((await told()).map(({ event, picture, update }) => [event, picture.text, update])).toEqual([
      ['opened', 'Told', update.id],
      ['updated', 'Told again', next.id],
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
  ])('is the first that is told of %s: that it is there', async (_, values, event) => {
    const { id } = await create({ should_publish: false, ...values });
    await service.post(`${path}/notices/${id}/updates`, { content: 'Told' });
    expect((await told()).map(one => one.event)).toEqual([event]);
  });
});

describe('who hears', () => {
  const make = async (name: string, parent_id?: number) =>
    (await service.post(`${path}/components`, { name, parent_id })).json.response.id as number;

  test('of a notice that names a component: whoever chose it, what it is part of or what is part of it', async () => {
    const top = await make('top');
    const middle = await make('middle', top);
    const below = await make('below', middle);
    await make('beside', top);
    await create({ component_ids: [middle] });
    expect((await told())[0]!.scope).toEqual([top, middle, below]);
  });

  test('of a notice that never named any is everybody; of one whose components went nobody who chose', async () => {
    const gone = await make('gone');
    const { id } = await create();
    await patch(id, { component_ids: [gone] });
    await service.delete(`${path}/components/${gone}`);
    await patch(id, { subject: 'Other' });
    expect((await told()).map(({ scope }) => scope)).toEqual([null, [gone], []]);
  });

  test('of a notice whose components went is everybody once it is said that it names none', async () => {
    const gone = await make('gone');
    const { id } = await create({ component_ids: [gone] });
    await service.delete(`${path}/components/${gone}`);
    await patch(id, { component_ids: [] });
    await patch(id, { component_ids: [], subject: 'Other' });
    expect((await told()).map(({ scope }) => scope)).toEqual([[gone], null, null]);
  });
});

describe('an automatic move', () => {
  test('is told when the last request that said so wanted it, both in order where both are past', async () => {
    for (const should_publish of [true, false]) {
      const on = await newPageOfMaintenances(service);
      const id = await on.create({ should_publish });
      await on.toBePast(id);
      await moveDueNotices(service.database);
      const rows = await told(on.path.split('/').at(-1));
      const seen = rows.map(({ event, by, picture }) => [event, by, picture.notice.state, picture.text]);
      const moves = [
        ['begun', 'automation', 'underway', 'Under way'],
        ['completed', 'automation', 'complete', 'Complete'],
      ];
      expect(should_publish ? seen.slice(1) : seen).toEqual(should_publish ? moves : []);
    }
  });
});
