import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: string;
let notices: string;
let components: number[];
beforeAll(async () => {
  service = await startTestService();
  page = await newPage();
  notices = `/v1/pages/${page}/notices`;
  components = [await newComponent(page, 'A'), await newComponent(page, 'B')];
});
afterAll(() => service.stop());

const newPage = async (): Promise<string> => (await service.post('/v1/pages', { name: 'Page' })).json.response.id;
const newComponent = async (on: string, name: string): Promise<number> =>
  (await service.post(`/v1/pages/${on}/components`, { name })).json.response.id;

type Values = Record<string, unknown>;
const window = { begins_at_date: '2099-03-14', begins_at_time: '22:00:00', duration_in_minutes: 90 };
const planned = { type: 'planned', subject: 'Works', ...window };

async function create(values: Values) {
  const answer = await service.post(notices, { subject: 'Disk full', ...values });
  expect([answer.status, answer.json.messages]).toEqual([201, undefined]);
  return answer.json.response;
}
const patch = (id: number, values: Values) => service.patch(`${notices}/${id}`, values);
const refusal = ({ status, json }: Answer) => [status, json.error, json.messages];
const refused = (messages: object) => [422, 'invalid_resource', messages];

/** Arrays are repeated parameters with square brackets. */
const pairs = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map(one => [`${name}[]`, String(one)]) : [[name, String(value)]],
  );
const texts = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
const encoded = (values: Values) => new URLSearchParams(pairs(values)).toString();
function multipart(values: Values): FormData {
  const data = new FormData();
  for (const [name, value] of pairs(values)) data.append(name, value);
  return data;
}

type Send = (method: string, path: string, values: Values) => Promise<Answer>;
const forms: [string, Send][] = [
  ['the query string', (method, path, values) => service.call(method, `${path}&${encoded(values)}`)],
  [
    'the query string, beside an empty body that says JSON',
    (method, path, values) =>
      service.call(method, `${path}&${encoded(values)}`, { headers: { 'content-type': 'application/json' } }),
  ],
  ['a form', (method, path, values) => service.call(method, path, { form: encoded(values) })],
  ['JSON', (method, path, values) => service.call(method, path, { json: values })],
  ['JSON of texts alone', (method, path, values) => service.call(method, path, { json: texts(values) })],
  ['a multipart body', (method, path, values) => service.call(method, path, { body: multipart(values) })],
];
describe.each(forms)('sent as %s', (_, send) => {
  const query = '?include=updates,components';
  const contents = (record: { updates: Values[] }) =>
    record.updates.map(({ content, should_publish }) => [content, should_publish]);
  const ids = (record: { components: Values[] }) => record.components.map(({ id }) => id);

  test('every parameter of a new planned notice counts', async () => {
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

  test.each(['unplanned', 'general'])('a new notice that is %s ignores what is of planned ones', async type => {
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

  test('every parameter of a change counts', async () => {
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

  test('data in matches data out: instants and times make the same notice', async () => {
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
      'nothing',
      { begins_at_date: null, begins_at_time: null, duration_in_minutes: null },
      {
        begins_at_date: ["can't be blank"],
        begins_at_time: ["can't be blank"],
        duration_in_minutes: ["can't be blank"],
      },
    ],
    ['a date that is none', { begins_at_date: '2099-02-30' }, { begins_at_date: ['is invalid'] }],
    ['a time that is none', { begins_at_time: '24:00' }, { begins_at_time: ['is invalid'] }],
    ['a duration of nothing', { duration_in_minutes: 0 }, { duration_in_minutes: ['must be greater than 0'] }],
    ['a duration of less', { duration_in_minutes: '-5' }, { duration_in_minutes: ['must be greater than 0'] }],
    ['a duration of half a minute', { duration_in_minutes: '0.5' }, { duration_in_minutes: ['must be an integer'] }],
    ['a duration in words', { duration_in_minutes: 'an hour' }, { duration_in_minutes: ['is not a number'] }],
    ['a begin in words', { begins_at: 'tomorrow' }, { begins_at: ['is invalid'] }],
    [
      'an end before the begin',
      { duration_in_minutes: null, ends_at: '2099-03-14T22:00:00Z' },
      { ends_at: ['is invalid'] },
    ],
  ])('is refused with %s', async (_, values, messages) => {
    expect(refusal(await service.post(notices, { ...planned, ...values }))).toEqual(refused(messages));
  });

  test.each<[string, Values, string, string]>([
    ['a time without seconds', { begins_at_time: '01:02' }, '2099-03-14T01:02:00.000Z', '2099-03-14T02:32:00.000Z'],
    ['a new date', { begins_at_date: '2099-03-15' }, '2099-03-15T22:00:00.000Z', '2099-03-15T23:30:00.000Z'],
    ['a new begin', { begins_at: '2099-03-14 21:00:00 +0100' }, '2099-03-14T20:00:00.000Z', '2099-03-14T21:30:00.000Z'],
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

  test.each(['unplanned', 'general'])('is ignored, malformed or not, where the notice is %s', async type => {
    const junk = { begins_at: 'x', ends_at: 'x', begins_at_date: 'x', begins_at_time: 'x', duration_in_minutes: 'x' };
    const notice = await create({ type, ...junk });
    expect((await patch(notice.id, junk)).json).toEqual({ response: notice });
  });
});

describe('back-dating', () => {
  test('tells when an incident began and ended', async () => {
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
    expect(refusal(await service.post(notices, { subject: 'Disk full', ...values }))).toEqual(refused(messages));
    const { id } = await create({});
    expect(refusal(await patch(id, values))).toEqual(refused(messages));
  });

  test('is not for general notices', async () => {
    const notice = await create({ type: 'general', began_at: '2020-01-01', ended_at: '2020-01-02' });
    expect([notice.began_at, notice.ended_at]).toEqual([notice.created_at, notice.created_at]);
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
  ])('given as %j are %j', async (tag_list, expected) => {
    const { id } = await create({ tag_list: ['old'] });
    expect((await patch(id, { tag_list })).json.response.tag_list).toEqual(expected);
    expect((await create({ tag_list })).tag_list).toEqual(expected);
  });
});

describe('component_ids', () => {
  test('replace all that it named; absent keeps, blank names none', async () => {
    const [a, b] = components;
    const { id } = await create({ component_ids: [a] });
    const named = async (values: object) => {
      const { components: shown } = (await service.patch(`${notices}/${id}?include=components`, values)).json.response;
      return shown.map((component: { id: number; state: string }) => [component.id, component.state]);
    };
    expect(await named({ component_ids: [b, b] })).toEqual([[b, 'degraded']]);
    expect(await named({ subject: 'Other' })).toEqual([[b, 'degraded']]);
    expect((await service.get(`/v1/pages/${page}/components/${a}`)).json.response.state).toBe('operational');
    expect(await named({ component_ids: [''] })).toEqual([]);
  });

  test('are refused where one is foreign, unknown or impossible', async () => {
    const { id } = await create({});
    for (const one of [await newComponent(await newPage(), 'Foreign'), 999999999, 'abc', -1, '99999999999999999999']) {
      const answer = await patch(id, { component_ids: [one] });
      expect([answer.status, answer.json.messages]).toEqual([422, { component_ids: ['is invalid'] }]);
    }
  });
});

test('what was sent of a window and cannot be read is refused on its own field alone', async () => {
  const begin = await service.post(notices, {
    type: 'planned',
    subject: 'Works',
    begins_at: 'soon',
    duration_in_minutes: 90,
  });
  expect(refusal(begin)).toEqual(refused({ begins_at: ['is invalid'] }));
  const end = await service.post(notices, {
    type: 'planned',
    subject: 'Works',
    begins_at: '2099-03-14T22:00:00Z',
    ends_at: 'later',
  });
  expect(refusal(end)).toEqual(refused({ ends_at: ['is invalid'] }));
});

test.each(['unplanned', 'general'])(
  'what only planned notices have is ignored on an %s one, also what cannot be read',
  async type => {
    const garbage = {
      should_automate_schedule: 'garbage',
      begins_at: 'garbage',
      begins_at_date: 7,
      duration_in_minutes: [],
      ends_at: {},
    };
    const { id } = await create({ type, ...garbage });
    expect(refusal(await patch(id, garbage))).toEqual([200, undefined, undefined]);
  },
);
