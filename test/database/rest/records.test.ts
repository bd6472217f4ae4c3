import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { type TestResponse, useOwnService } from '../../support/service.js';

const service = useOwnService();
let page: string;
let notice: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
  const { json } = await service.post(`${page}/notices`, { subject: 'It', initial_comment: 'Hm' });
  notice = `${page}/notices/${json.response.id}`;
});

const create = async (collection: string, values: object): Promise<TestResponse> =>
  service.post(`${page}/${collection}`, values);
const recordPath = (collection: string, { json }: TestResponse) => `${page}/${collection}/${json.response.id}`;
const stamps = ['created_at', 'updated_at'];

describe('a record', () => {
  const template = ['id', 'name', 'subject', 'initial_comment'];
  const colours = [
    'state_ok',
    'state_warning',
    'navbar_background',
    'navbar_links',
    'navbar_button_background',
    'header_background',
    'header_links',
  ];
  const planned = { type: 'planned', begins_at: '2030-01-01T10:00:00Z', ends_at: '2030-01-01T11:00:00Z' };

  test.each<[string, () => Promise<TestResponse>, string[]]>([
    [
      'a component',
      () => create('components', { name: 'x' }),
      ['id', 'state', 'name', 'description', 'position', 'parent_id', ...stamps],
    ],
    [
      'an incident',
      () => create('notices', { subject: 'x' }),
      [
        'id',
        'type',
        'subject',
        'synopsis',
        'state',
        'timeline_state',
        'began_at',
        'ended_at',
        ...stamps,
        'link',
        'tag_list',
      ],
    ],
    [
      'a maintenance',
      () => create('notices', { subject: 'x', ...planned }),
      [
        'id',
        'type',
        'subject',
        'synopsis',
        'state',
        'timeline_state',
        'begins_at',
        'ends_at',
        'began_at',
        'ended_at',
        'should_automate_schedule',
        ...stamps,
        'link',
        'tag_list',
      ],
    ],
    [
      'a general notice',
      () => create('notices', { subject: 'x', type: 'general' }),
      ['id', 'type', 'subject', 'synopsis', 'timeline_state', 'began_at', 'ended_at', ...stamps, 'link', 'tag_list'],
    ],
    [
      'an update',
      () => service.post(`${notice}/updates`, { content: 'x' }),
      ['id', 'content', 'should_publish', ...stamps, 'link'],
    ],
    ['a template', () => create('notice_templates', { name: 'x' }), [...template, ...stamps]],
    [
      'a template of a component',
      async () =>
        create('notice_templates', {
          name: 'x',
          component_id: (await create('components', { name: 'x' })).json.response.id,
        }),
      [...template, 'component_id', ...stamps],
    ],
    [
      'a subscriber',
      () => create('subscribers', { email: 'order@example.com' }),
      ['id', 'email', 'phone_number', 'first_name', 'last_name', 'nickname', 'company', 'tag_list', ...stamps],
    ],
    [
      'a brand',
      () => service.get(`${page}/brand`),
      [
        ...[...colours, 'header_text', 'body_background', 'body_links', 'body_text'].map(name => `color_${name}`),
        ...stamps,
      ],
    ],
    [
      'a custom domain',
      () => create('custom_domain', { domain: 'status.order.example' }),
      ['type', 'from', 'to', ...stamps],
    ],
    ['a time zone', () => service.get('/v1/timezones/UTC'), ['name', 'offset']],
  ])('%s has its fields in the order of the reference of /v1', async (_, send, fields) => {
    const { response } = (await send()).json;
    expect(Object.keys(response)).toEqual(fields);
  });

  test('a page has its fields in the order of the reference of /v1, in every response', async () => {
    const fields = [
      'id',
      'name',
      'timezone',
      'support_email',
      'support_telephone',
      'support_url',
      'visible_to_search',
      'meta_title',
      'meta_description',
      'vendor_analytics_id',
    ]
      .concat(
        stamps,
        'state',
        'timeline_threshold',
        'timeline_threshold_in_days',
        'timeline_sort_order',
        'locale',
        'endpoint',
      )
      .concat(['email', 'sms', 'chat_a', 'chat_b', 'social'].map(channel => `send_notifications_by_${channel}`));
    const created = await service.post('/v1/pages', { name: 'x' });
    const listed = await service.get('/v1/pages');
    for (const record of [
      created.json.response,
      (await service.get(page)).json.response,
      (await service.patch(page, {})).json.response,
      listed.json.response[0],
    ]) {
      expect(Object.keys(record)).toEqual(fields);
    }
  });

  test('has timestamps in UTC with milliseconds', async () => {
    const { response } = (await service.get(`${page}?include=brand,notices.updates`)).json;
    const timestamps = [response, response.brand, response.notices[0]].flatMap(({ created_at, updated_at }) => [
      created_at,
      updated_at,
    ]);
    for (const timestamp of [...timestamps, (await service.get(notice)).json.response.began_at])
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('can be found by the timestamps of a read', async () => {
    const { response } = (await service.get(notice)).json;
    const found = await service.get(
      `${page}/notices?filter[created_at_eq]=${response.created_at}&filter[began_at_eq]=${response.began_at}`,
    );
    expect(found.json.response.map(({ id }: { id: number }) => id)).toContain(response.id);
  });

  test.each([
    ['2030-05-06T07:08:09.123Z', '2030-05-06T07:08:09.123Z'],
    ['2030-05-06T07:08:09+02:00', '2030-05-06T05:08:09.000Z'],
    ['2030-05-06T07:08:09 02:00', '2030-05-06T05:08:09.000Z'],
    ['2030-05-06', '2030-05-06T00:00:00.000Z'],
    ['2030-05-06 07:08:09 +0000', '2030-05-06T07:08:09.000Z'],
    ['2030-05-06T07:08:09.1239Z', '2030-05-06T07:08:09.123Z'],
  ])('accepts the timestamp %s', async (begins_at, expected) => {
    const { response } = (await create('notices', { subject: 'x', type: 'planned', begins_at, ends_at: '2031-01-01' }))
      .json;
    expect(response.begins_at).toBe(expected);
  });
});

describe('a successful response', () => {
  test.each<[string, () => Promise<TestResponse>, number]>([
    ['a read', () => service.get(page), 200],
    ['a list', () => service.get('/v1/pages'), 200],
    ['a creation', () => create('components', { name: 'New' }), 201],
    ['an update', () => service.patch(page, { name: 'All' }), 200],
    ['an update that changes nothing', () => service.patch(page, {}), 200],
  ])('to %s is JSON that caches must revalidate', async (_, send, status) => {
    const { status: actual, headers, text } = await send();
    expect(actual).toBe(status);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Authorization, Origin');
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
  });

  test('to a deletion is 204 without a body', async () => {
    for (const [collection, values] of [
      ['components', { name: 'x' }],
      ['notices', { subject: 'x' }],
      ['notice_templates', { name: 'x' }],
      ['subscribers', { email: 'x@example.com' }],
    ] as const) {
      const { status, text, headers } = await service.delete(recordPath(collection, await create(collection, values)));
      expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
    }
    expect((await service.delete(`${page}/brand`)).status).toBe(204);
  });

  test('to a creation has a Location', async () => {
    for (const [collection, values] of [
      ['components', { name: 'x' }],
      ['notices', { subject: 'x' }],
      ['notice_templates', { name: 'x' }],
      ['subscribers', { email: 'y@example.com' }],
    ] as const) {
      const created = await create(collection, values);
      expect(created.headers.get('location')).toBe(recordPath(collection, created));
      expect((await service.get(created.headers.get('location')!)).json).toEqual(created.json);
    }
    const update = await service.post(`${notice}/updates`, { content: 'Now' });
    expect(update.headers.get('location')).toBe(`${notice}/updates/${update.json.response.id}`);
    const domain = await create('custom_domain', { domain: 'status.located.example' });
    expect(domain.headers.get('location')).toBe(`${page}/custom_domain`);
    expect((await service.get(page)).headers.get('location')).toBeNull();
  });
});
