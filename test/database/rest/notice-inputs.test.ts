import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { type TestResponse, useService } from '../../support/service.js';

const service = useService();
let page: string;
let notices: string;
const components: number[] = [];
beforeAll(async () => {
  page = (await createPage(service)).path;
  notices = `${page}/notices`;
  for (const name of ['A', 'B']) components.push((await createComponent(service, page, { name })).id);
});

type Values = Record<string, unknown>;
const window = { begins_at_date: '2099-03-14', begins_at_time: '22:00:00', duration_in_minutes: 90 };
const planned = { type: 'planned', subject: 'Works', ...window };

const create = (values: Values) => createNotice(service, page, values);
const patch = (id: number, values: Values) => service.patch(`${notices}/${id}`, values);
const toRefusal = ({ status, json }: TestResponse) => [status, json.error, json.messages];
const expectedRefusal = (messages: object) => [422, 'invalid_resource', messages];

/** Arrays become repeated parameters with square brackets. */
const pairs = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map(item => [`${name}[]`, String(item)]) : [[name, String(value)]],
  );
const toTexts = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
const encode = (values: Values) => new URLSearchParams(pairs(values)).toString();
function multipart(values: Values): FormData {
  const data = new FormData();
  for (const [name, value] of pairs(values)) data.append(name, value);
  return data;
}

type Send = (method: string, path: string, values: Values) => Promise<TestResponse>;
const formats: [string, Send][] = [
  ['the query string', (method, path, values) => service.call(method, `${path}&${encode(values)}`)],
  [
    'the query string, with an empty JSON body',
    (method, path, values) =>
      service.call(method, `${path}&${encode(values)}`, { headers: { 'content-type': 'application/json' } }),
  ],
  ['a form', (method, path, values) => service.call(method, path, { form: encode(values) })],
  ['JSON', (method, path, values) => service.call(method, path, { json: values })],
  ['JSON with text values only', (method, path, values) => service.call(method, path, { json: toTexts(values) })],
  ['a multipart body', (method, path, values) => service.call(method, path, { body: multipart(values) })],
];
describe.each(formats)('sent as %s', (_, send) => {
  const query = '?include=updates,components';
  const contents = (record: { updates: Values[] }) =>
    record.updates.map(({ content, should_publish }) => [content, should_publish]);
  const ids = (record: { components: Values[] }) => record.components.map(({ id }) => id);

  test('a new planned notice accepts every parameter', async () => {
    const more = {
      initial_comment: 'Ä & ö = ü+',
      should_publish: true,
      component_ids: components,
      tag_list: ['x y', 'z'],
      should_automate_schedule: true,
    };
    const { status, json } = await send('POST', `${notices}${query}`, { ...planned, ...more });
    expect([status, json.messages]).toEqual([201, undefined]);
    expect(json.response).toMatchObject({
      type: 'planned',
      subject: 'Works',
      synopsis: 'Ä & ö = ü+\n',
      state: 'scheduled',
      begins_at: '2099-03-14T22:00:00.000Z',
      ends_at: '2099-03-14T23:30:00.000Z',
      should_automate_schedule: true,
      tag_list: ['x y', 'z'],
    });
    expect(ids(json.response)).toEqual(components);
    expect(contents(json.response)).toEqual([['Ä & ö = ü+', true]]);
  });

  test.each(['unplanned', 'general'])('a new notice of type %s ignores the fields of planned ones', async type => {
    const { status, json } = await send('POST', `${notices}${query}`, {
      ...planned,
      type,
      should_automate_schedule: true,
      tag_list: ['t'],
    });
    expect([status, json.response.type, json.response.tag_list]).toEqual([201, type, ['t']]);
    expect(Object.keys(json.response)).not.toEqual(expect.arrayContaining(['begins_at']));
    expect(Object.keys(json.response)).not.toEqual(expect.arrayContaining(['should_automate_schedule']));
  });

  test('an update accepts every parameter', async () => {
    const { id } = await create(planned);
    const { status, json } = await send('PATCH', `${notices}/${id}${query}`, {
      subject: 'Greater works',
      additional_comment: 'It takes longer',
      state: 'underway',
      should_publish: true,
      component_ids: [components[1]],
      begins_at_date: '2098-01-02',
      begins_at_time: '03:04:05',
      duration_in_minutes: 1,
      should_automate_schedule: true,
      tag_list: ['new'],
    });
    expect([status, json.messages]).toEqual([200, undefined]);
    expect(json.response).toMatchObject({
      subject: 'Greater works',
      state: 'underway',
      timeline_state: 'present',
      begins_at: '2098-01-02T03:04:05.000Z',
      ends_at: '2098-01-02T03:05:05.000Z',
      began_at: json.response.updated_at,
      should_automate_schedule: true,
      tag_list: ['new'],
    });
    expect(ids(json.response)).toEqual([components[1]]);
    expect(contents(json.response)).toEqual([['It takes longer', true]]);
  });

  test('a new notice returns the timestamps that were sent', async () => {
    const values = {
      type: 'planned',
      subject: 'Works',
      state: 'complete',
      begins_at: '2020-03-14T22:00:00.000Z',
      ends_at: '2020-03-14T23:30:00.250Z',
      began_at: '2020-03-14T22:00:01.000Z',
      ended_at: '2020-03-14T23:29:59.999Z',
      tag_list: ['a'],
    };
    const { json } = await send('POST', `${notices}${query}`, values);
    expect(json.response).toMatchObject({ ...values, timeline_state: 'past_distant' });
  });
});

describe('the window', () => {
  test.each<[string, Values, object]>([
    [
      'no values',
      { begins_at_date: null, begins_at_time: null, duration_in_minutes: null },
      {
        begins_at_date: ["can't be blank"],
        begins_at_time: ["can't be blank"],
        duration_in_minutes: ["can't be blank"],
      },
    ],
    ['an impossible date', { begins_at_date: '2099-02-30' }, { begins_at_date: ['is invalid'] }],
    ['an impossible time', { begins_at_time: '24:00' }, { begins_at_time: ['is invalid'] }],
    ['a duration of zero', { duration_in_minutes: 0 }, { duration_in_minutes: ['must be greater than 0'] }],
    ['a negative duration', { duration_in_minutes: '-5' }, { duration_in_minutes: ['must be greater than 0'] }],
    ['a fractional duration', { duration_in_minutes: '0.5' }, { duration_in_minutes: ['must be an integer'] }],
    [
      'a duration that is not a number',
      { duration_in_minutes: 'an hour' },
      { duration_in_minutes: ['is not a number'] },
    ],
    ['a start that is not a timestamp', { begins_at: 'tomorrow' }, { begins_at: ['is invalid'] }],
    ['an end that is not a timestamp', { duration_in_minutes: null, ends_at: 'later' }, { ends_at: ['is invalid'] }],
    [
      'an end that is not after the start',
      { duration_in_minutes: null, ends_at: '2099-03-14T22:00:00Z' },
      { ends_at: ['is invalid'] },
    ],
  ])('is refused with %s', async (_, values, messages) => {
    expect(toRefusal(await service.post(notices, { ...planned, ...values }))).toEqual(expectedRefusal(messages));
  });

  test.each<[string, Values, string, string]>([
    ['a time without seconds', { begins_at_time: '01:02' }, '2099-03-14T01:02:00.000Z', '2099-03-14T02:32:00.000Z'],
    ['a new date', { begins_at_date: '2099-03-15' }, '2099-03-15T22:00:00.000Z', '2099-03-15T23:30:00.000Z'],
    ['a new start', { begins_at: '2099-03-14 21:00:00 +0100' }, '2099-03-14T20:00:00.000Z', '2099-03-14T21:30:00.000Z'],
    ['a new duration', { duration_in_minutes: 1 }, '2099-03-14T22:00:00.000Z', '2099-03-14T22:01:00.000Z'],
    ['a new end', { ends_at: '2099-03-15' }, '2099-03-14T22:00:00.000Z', '2099-03-15T00:00:00.000Z'],
    [
      'both ways at once',
      { begins_at: '2020-01-01', ends_at: '2020-01-02', ...window },
      '2099-03-14T22:00:00.000Z',
      '2099-03-14T23:30:00.000Z',
    ],
  ])('moves with %s', async (_, values, begins_at, ends_at) => {
    const { id } = await create(planned);
    expect((await patch(id, values)).json.response).toMatchObject({ begins_at, ends_at });
  });

  test.each(['unplanned', 'general'])('is ignored for a notice of type %s, even if malformed', async type => {
    const junk = {
      begins_at: 'x',
      ends_at: {},
      begins_at_date: 7,
      begins_at_time: 'x',
      duration_in_minutes: [],
      should_automate_schedule: 'x',
    };
    const notice = await create({ type, ...junk });
    expect((await patch(notice.id, junk)).json).toEqual({ response: notice });
  });
});

describe('back-dating', () => {
  test('sets when an incident began and ended', async () => {
    const span = { began_at: '2020-01-01T00:00:00.000Z', ended_at: '2020-01-02T00:00:00.000Z' };
    expect(await create({ state: 'resolved', ...span })).toMatchObject({ ...span, timeline_state: 'past_distant' });
    const { id } = await create({ began_at: '2020-01-01' });
    expect((await patch(id, { state: 'resolved', ended_at: '2020-01-02T01:00:00+01:00' })).json.response).toMatchObject(
      span,
    );
  });

  test.each<[Values, object]>([
    [{ began_at: '2099-01-01' }, { began_at: ['is invalid'] }],
    [{ state: 'resolved', ended_at: '2099-01-01' }, { ended_at: ['is invalid'] }],
    [{ state: 'resolved', began_at: '2020-01-02', ended_at: '2020-01-01' }, { ended_at: ['is invalid'] }],
    [{ began_at: 'yesterday' }, { began_at: ['is invalid'] }],
    [{ state: 'resolved', ended_at: 'yesterday' }, { ended_at: ['is invalid'] }],
  ])('is refused with %j', async (values, messages) => {
    expect(toRefusal(await service.post(notices, { subject: 'Disk full', ...values }))).toEqual(
      expectedRefusal(messages),
    );
    const { id } = await create({});
    expect(toRefusal(await patch(id, values))).toEqual(expectedRefusal(messages));
  });

  test('is ignored for general notices', async () => {
    const notice = await create({ type: 'general', began_at: '2020-01-01', ended_at: '2020-01-02' });
    expect([notice.began_at, notice.ended_at]).toEqual([notice.created_at, notice.created_at]);
  });
});

describe('a new notice without a subject', () => {
  const comment = '**Payments** fail for [some cards](https://x.example).\n\nWe look.';

  test.each<[string, Values]>([
    ['unplanned', {}],
    ['planned', { type: 'planned', ...window }],
    ['general', { type: 'general', subject: ' ' }],
  ])('of type %s takes the first line of its comment, without markup', async (_, values) => {
    const { status, json } = await service.post(notices, { initial_comment: comment, ...values });
    expect(status).toBe(201);
    expect(json.response).toMatchObject({
      subject: 'Payments fail for some cards.',
      link: expect.stringMatching(/-payments-fail-for-some-cards$/),
      synopsis: 'Payments fail for some cards.\n\nWe look.\n',
    });
  });

  test('is cut at a word before 100 characters', async () => {
    const { json } = await service.post(notices, { initial_comment: 'word '.repeat(30) });
    expect(json.response.subject).toBe('word '.repeat(20).trim());
  });

  test.each<[string, Values, object]>([
    ['nor a comment', {}, { subject: ["can't be blank"] }],
    ['and a blank comment', { subject: '', initial_comment: ' ' }, { subject: ["can't be blank"] }],
    ['and a comment without text', { initial_comment: '<!-- -->' }, { subject: ["can't be blank"] }],
    [
      'and a comment that is too long',
      { initial_comment: 'x'.repeat(65_536) },
      { initial_comment: ['is too long (maximum is 65535 characters)'] },
    ],
    ['and an unreadable subject', { subject: ['x'], initial_comment: comment }, { subject: ['is invalid'] }],
  ])('%s is refused', async (_, values, messages) => {
    expect(toRefusal(await service.post(notices, values))).toEqual(expectedRefusal(messages));
  });

  test('keeps its subject when it is blanked later', async () => {
    const { id } = (await service.post(notices, { initial_comment: comment })).json.response;
    expect(toRefusal(await patch(id, { subject: '', additional_comment: 'More' }))).toEqual(
      expectedRefusal({ subject: ["can't be blank"] }),
    );
  });
});

describe('tags', () => {
  test.each<[unknown, string[]]>([
    ['a, b ,,a', ['a', 'b']],
    [
      ['  b', 'a', '', 'b '],
      ['b', 'a'],
    ],
    [[''], []],
    ['', []],
    [null, []],
    [7, ['7']],
  ])('sent as %j are stored as %j', async (tag_list, expected) => {
    const { id } = await create({ tag_list: ['old'] });
    expect((await patch(id, { tag_list })).json.response.tag_list).toEqual(expected);
    expect((await create({ tag_list })).tag_list).toEqual(expected);
  });
});

describe('component_ids', () => {
  test('replace all components of the notice; omitted keeps them, blank removes them', async () => {
    const [a, b] = components;
    const { id } = await create({ component_ids: [a] });
    const patchComponents = async (values: object) => {
      const { components: shown } = (await service.patch(`${notices}/${id}?include=components`, values)).json.response;
      return shown.map((component: { id: number; state: string }) => [component.id, component.state]);
    };
    expect(await patchComponents({ component_ids: [b, b] })).toEqual([[b, 'degraded']]);
    expect(await patchComponents({ subject: 'Other' })).toEqual([[b, 'degraded']]);
    expect((await service.get(`${page}/components/${a}`)).json.response.state).toBe('operational');
    expect(await patchComponents({ component_ids: [''] })).toEqual([]);
  });

  test('are refused if one is foreign, unknown or invalid', async () => {
    const { id } = await create({});
    for (const invalidId of [
      (await createComponent(service, (await createPage(service)).path)).id,
      999999999,
      'abc',
      -1,
      '99999999999999999999',
    ]) {
      const response = await patch(id, { component_ids: [invalidId] });
      expect([response.status, response.json.messages]).toEqual([422, { component_ids: ['is invalid'] }]);
    }
  });
});
