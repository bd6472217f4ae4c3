import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
});

const notices = (pageId = page) => `/v1/pages/${pageId}/notices`;
const window = { begins_at_date: '2099-03-14', begins_at_time: '22:00:00', duration_in_minutes: 90 };

const create = (values: object, pageId = page) => createNotice(service, `/v1/pages/${pageId}`, values);
const createPlanned = (values: object = {}) => create({ type: 'planned', ...window, ...values });
const patch = (id: number, values: object) => service.patch(`${notices()}/${id}`, values);
const read = async (id: number, query = '') => (await service.get(`${notices()}/${id}${query}`)).json.response;
async function newComponent(name: string, pageId = page): Promise<number> {
  return (await createComponent(service, `/v1/pages/${pageId}`, { name })).id;
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const link = expect.stringMatching(/^http:\/\/[0-9a-f]{8}\..+\/notices\/[a-z0-9]{16}-disk-full$/);
const common = {
  subject: 'Disk full',
  synopsis: 'On it\n',
  created_at: timestamp,
  updated_at: timestamp,
  link,
  tag_list: ['a', 'b'],
};
const given = { initial_comment: 'On **it**', tag_list: ['a', 'b'] };

const unplannedKeys =
  'id type subject synopsis state timeline_state began_at ended_at created_at updated_at link tag_list';
const plannedKeys =
  'id type subject synopsis state timeline_state begins_at ends_at began_at ended_at ' +
  'should_automate_schedule created_at updated_at link tag_list';
const generalKeys = 'id type subject synopsis timeline_state began_at ended_at created_at updated_at link tag_list';
const keys = (record: object) => Object.keys(record).join(' ');

describe('a new notice', () => {
  test('of type unplanned is created in state investigating, and is present', async () => {
    const notice = await create({ type: 'unplanned', ...given });
    expect(notice).toEqual({
      ...common,
      id: expect.any(Number),
      type: 'unplanned',
      state: 'investigating',
      timeline_state: 'present',
      began_at: notice.created_at,
      ended_at: null,
    });
    expect(keys(notice)).toBe(unplannedKeys);
  });

  test('of type planned is scheduled with a window in UTC, whatever the time zone of the page', async () => {
    await service.patch(`/v1/pages/${page}`, { timezone: 'Tokyo' });
    const notice = await createPlanned(given);
    expect(notice).toEqual({
      ...common,
      id: expect.any(Number),
      type: 'planned',
      state: 'scheduled',
      timeline_state: 'future',
      begins_at: '2099-03-14T22:00:00.000Z',
      ends_at: '2099-03-14T23:30:00.000Z',
      began_at: null,
      ended_at: null,
      should_automate_schedule: false,
    });
    expect(keys(notice)).toBe(plannedKeys);
    expect((await service.get(`/v1/pages/${page}`)).json.response.timezone).toBe('Tokyo');
  });

  test('of type general has no state, and is past_recent', async () => {
    const notice = await create({ type: 'general', ...given });
    const { created_at } = notice;
    expect(notice).toEqual({
      ...common,
      id: expect.any(Number),
      type: 'general',
      timeline_state: 'past_recent',
      began_at: created_at,
      ended_at: created_at,
    });
    expect(keys(notice)).toBe(generalKeys);
  });

  test.each([{}, { type: null }, { type: ' ' }])('is unplanned by default: %j', async type => {
    expect((await create(type)).type).toBe('unplanned');
  });

  test('has one update if it was sent with a comment', async () => {
    const notice = await create({ ...given, should_publish: true });
    expect((await read(notice.id, '?include=updates')).updates).toEqual([
      {
        id: expect.any(Number),
        content: 'On **it**',
        link: expect.stringMatching(/\/notices\/[a-z0-9]{16}-[a-z-]+#update-\d+$/),
        should_publish: true,
        created_at: notice.created_at,
        updated_at: notice.created_at,
      },
    ]);
  });

  test.each([{}, { initial_comment: '' }, { initial_comment: ' \n' }, { initial_comment: null }])(
    'has no update without a comment: %j',
    async comment => {
      const notice = await create(comment);
      expect(await read(notice.id, '?include=updates')).toMatchObject({ synopsis: '', updates: [] });
    },
  );
});

describe('the list of notices', () => {
  test('is newest first, each notice with the fields of its type', async () => {
    const { id: own } = await createPage(service);
    for (const values of [{ type: 'unplanned' }, { type: 'planned', ...window }, { type: 'general' }])
      await create(values, own);
    const { json } = await service.get(notices(own));
    expect(Object.keys(json)).toEqual(['response', 'count']);
    expect(json.count).toBe(3);
    expect(json.response.map(keys)).toEqual([generalKeys, plannedKeys, unplannedKeys]);
  });

  test('is empty on a new page, even if another page has notices', async () => {
    expect((await service.get(notices((await createPage(service)).id))).json).toEqual({ response: [], count: 0 });
  });

  test('includes updates oldest first and components by position, filtered on request', async () => {
    const { id: own } = await createPage(service);
    const last = (await createComponent(service, `/v1/pages/${own}`, { name: 'Last', position: 9 })).id;
    const first = await newComponent('First', own);
    await service.patch(`/v1/pages/${own}/components/${first}`, { position: 1 });
    const { id } = await create({ initial_comment: 'one', component_ids: [last, first] }, own);
    await service.post(`${notices(own)}/${id}/updates`, { content: 'two' });
    const shown = async (query: string) => {
      const [notice] = (await service.get(`${notices(own)}?include=updates,components${query}`)).json.response;
      return [
        notice.updates.map((update: { content: string }) => update.content),
        notice.components.map((component: { name: string }) => component.name),
      ];
    };
    expect(await shown('')).toEqual([
      ['one', 'two'],
      ['First', 'Last'],
    ]);
    expect(await shown('&filter[updates][content_eq]=two&filter[components][name_cont]=las')).toEqual([
      ['two'],
      ['Last'],
    ]);
  });
});

describe('an update request', () => {
  test.each(['PATCH', 'PUT'])('by %s answers with the record, and keeps omitted fields', async method => {
    const notice = await createPlanned({ ...given, should_automate_schedule: true });
    const response = await service.call(method, `${notices()}/${notice.id}`, { json: { tag_list: ['c'] } });
    expect(response.status).toBe(200);
    expect(response.json.response).toEqual({ ...notice, tag_list: ['c'], updated_at: timestamp });
    expect(keys(response.json.response)).toBe(plannedKeys);
    expect(response.json.response.updated_at > notice.updated_at).toBe(true);
  });

  test('of the subject changes the slug of the link, not its token', async () => {
    const { id, link: before } = await create({});
    const after = (await patch(id, { subject: 'Straße & Öl: größer!' })).json.response.link;
    expect(after).toBe(before.replace('disk-full', 'strasse-ol-grosser'));
    expect((await patch(id, { subject: '障害' })).json.response.link).toBe(before.replace('-disk-full', ''));
  });

  test('with a comment adds an update with the given should_publish, and keeps the synopsis', async () => {
    const { id } = await create(given);
    const notice = (
      await service.patch(`${notices()}/${id}?include=updates`, { additional_comment: 'Second', should_publish: true })
    ).json.response;
    expect(notice.synopsis).toBe('On it\n');
    expect(notice.updates).toMatchObject([
      { content: 'On **it**', should_publish: false },
      { content: 'Second', should_publish: true, created_at: notice.updated_at },
    ]);
  });
});

test('deleting a notice deletes its updates, and its components become operational', async () => {
  const component = await newComponent('C');
  const { id } = await create({ ...given, component_ids: [component] });
  const response = await service.delete(`${notices()}/${id}`);
  expect([response.status, response.text]).toEqual([204, '']);
  for (const path of ['', '/updates']) expect((await service.get(`${notices()}/${id}${path}`)).status).toBe(404);
  expect((await service.delete(`${notices()}/${id}`)).status).toBe(404);
  expect((await service.get(`/v1/pages/${page}/components/${component}`)).json.response.state).toBe('operational');
  expect(await service.database.query('select 1 from notice_update where notice_id = $1', [id])).toEqual([]);
});
