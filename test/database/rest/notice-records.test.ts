import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
let notices: string;
let component: number;
beforeAll(async () => {
  page = (await createPage(service)).path;
  notices = `${page}/notices`;
  component = (await createComponent(service, page, { name: 'A' })).id;
});

type Values = Record<string, unknown>;
const window = { begins_at_date: '2099-03-14', begins_at_time: '22:00:00', duration_in_minutes: 90 };
const defaults = { subject: 'Disk full', initial_comment: 'First', tag_list: ['b', 'a'] };

const create = (values: Values) => createNotice(service, page, { ...defaults, component_ids: [component], ...values });
const patch = (id: number, values: unknown) => service.patch(`${notices}/${id}?include=updates,components`, values);
const read = (id: number) => service.get(`${notices}/${id}?include=updates,components`);

/** Notices of every type, in every state with different fields. */
const samples: [string, Values][] = [
  ['an incident', {}],
  ['a resolved incident', { state: 'resolved', began_at: '2020-01-01', ended_at: '2020-01-02' }],
  ['a scheduled maintenance', { type: 'planned', ...window, should_automate_schedule: true }],
  ['a maintenance underway', { type: 'planned', ...window, state: 'underway' }],
  ['a complete maintenance', { type: 'planned', ...window, state: 'complete' }],
  ['a cancelled maintenance', { type: 'planned', ...window, state: 'cancelled' }],
  ['an announcement', { type: 'general' }],
];

describe.each(samples)('%s', (_, values) => {
  const asForm = (record: Values) =>
    new URLSearchParams(
      Object.entries(record).flatMap(([name, value]): [string, string][] =>
        Array.isArray(value)
          ? value.map(item => [`${name}[]`, String(item)])
          : [[name, value === null ? '' : String(value)]],
      ),
    ).toString();

  test('sent back whole, as JSON or as a form, keeps updated_at and the ETag', async () => {
    const { id } = await create(values);
    const before = await read(id);
    for (const method of ['PATCH', 'PUT']) {
      const { updates: _updates, components: _components, ...record } = before.json.response;
      for (const request of [{ json: before.json.response }, { json: record }, { form: asForm(record) }]) {
        const response = await service.call(method, `${notices}/${id}?include=updates,components`, request);
        expect([response.status, response.text, response.headers.get('etag')]).toEqual([
          200,
          before.text,
          before.headers.get('etag'),
        ]);
      }
    }
    expect((await read(id)).text).toBe(before.text);
  });

  test('keeps omitted fields, and blank ones that cannot be cleared', async () => {
    const { id } = await create(values);
    const before = await read(id);
    const blankable = [
      'state',
      'type',
      'begins_at',
      'begins_at_date',
      'begins_at_time',
      'ends_at',
      'duration_in_minutes',
      'additional_comment',
    ];
    const bodies = [{}, ...['', ' ', null].map(blank => Object.fromEntries(blankable.map(name => [name, blank])))];
    for (const body of bodies) {
      const response = await patch(id, body);
      expect([response.status, response.text]).toEqual([200, before.text]);
    }
  });

  test('ignores read-only and unknown fields', async () => {
    const { id } = await create(values);
    const before = await read(id);
    const response = await patch(id, {
      id: 1,
      type: before.json.response.type === 'planned' ? 'unplanned' : 'planned',
      synopsis: 'x',
      timeline_state: 'past_distant',
      link: 'https://example.org/',
      created_at: '2020-01-01',
      updated_at: ['junk'],
      version: 99,
      page_id: 'x',
      path: 'x',
      initial_comment: 'x',
      updates: [{ content: 'x' }],
      components: [],
      unheard_of: { of: 1 },
    });
    expect([response.status, response.text]).toEqual([200, before.text]);
  });

  test('does not change with should_publish alone', async () => {
    const { id } = await create(values);
    const before = await read(id);
    for (const should_publish of [true, false]) {
      const response = await patch(id, { should_publish });
      expect([response.text, response.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
    }
  });
});

test('a whole record sent back with another state changes the state without back-dating', async () => {
  const { id } = await create({ state: 'resolved', began_at: '2020-01-01', ended_at: '2020-01-02' });
  const { response: before } = (await read(id)).json;
  const { response: after } = (await patch(id, { ...before, state: 'identified' })).json;
  expect(after).toMatchObject({ state: 'identified', began_at: before.began_at, ended_at: null });
});

test('a blank should_automate_schedule resets it to false', async () => {
  const { id } = await create({ type: 'planned', ...window, should_automate_schedule: '1' });
  expect((await read(id)).json.response.should_automate_schedule).toBe(true);
  expect((await patch(id, { should_automate_schedule: '' })).json.response.should_automate_schedule).toBe(false);
});

describe('invalid input', () => {
  test.each<[string, Values, object]>([
    ['an unknown type', { type: 'urgent' }, { type: ['is not included in the list'] }],
    ['an invalid boolean', { should_publish: 'yes' }, { should_publish: ['is not included in the list'] }],
    ['an object for a text', { subject: { a: 1 } }, { subject: ['is invalid'] }],
    ['U+0000 in the subject', { subject: 'a\0' }, { subject: ['is invalid'] }],
    ['U+0000 in the comment', { initial_comment: 'a\0' }, { initial_comment: ['is invalid'] }],
    [
      'no subject, and an unknown state',
      { subject: ' ', state: 'x' },
      { subject: ["can't be blank"], state: ['is not included in the list'] },
    ],
    [
      'more than 1,000 components',
      { component_ids: Array(1001).fill(1) },
      { component_ids: ['has more than 1000 members'] },
    ],
  ])('is refused on creation: %s', async (_, values, messages) => {
    const { status, json } = await service.post(notices, { subject: 'Disk full', ...values });
    expect([status, json]).toEqual([
      422,
      { error: 'invalid_resource', error_description: 'The current resource was deemed invalid.', messages },
    ]);
  });

  test('is refused as a whole, and nothing of the request is stored', async () => {
    const { id } = await create({});
    const before = await read(id);
    const response = await patch(id, {
      subject: 'Other',
      tag_list: ['z'],
      component_ids: [],
      additional_comment: 'x',
      state: 'complete',
    });
    expect([response.status, response.json.messages]).toEqual([422, { state: ['is not included in the list'] }]);
    expect((await read(id)).text).toBe(before.text);
  });

  test.each([null, '', ' '])('includes a change of the subject to %j', async subject => {
    const { id } = await create({});
    const response = await patch(id, { subject });
    expect([response.status, response.json.messages]).toEqual([422, { subject: ["can't be blank"] }]);
  });

  // Lengths count code points: each of these characters is two UTF-16 code units.
  test.each([
    ['subject', 255, (text: string) => text],
    ['tag_list', 255, (text: string) => [text]],
    ['additional_comment', 65_535, (text: string) => text],
  ])('includes a %s of more than %d characters', async (field, longest, as) => {
    const { id } = await create({});
    expect((await patch(id, { [field]: as('𝕏'.repeat(longest)) })).status).toBe(200);
    const response = await patch(id, { [field]: as('𝕏'.repeat(longest + 1)) });
    expect([response.status, response.json.messages]).toEqual([
      422,
      { [field]: [`is too long (maximum is ${longest} characters)`] },
    ]);
  });
});
