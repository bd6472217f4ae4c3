import { describe, expect, test } from '@jest/globals';
import {
  expectRoundTripToChangeNothing,
  expectSameNotFound,
  invalidBody,
  versionAt,
} from '../../support/record-rules.js';
import { createNotice, createPage } from '../../support/factories.js';
import { customPage, freshPage } from '../../support/record-samples.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();

const create = async (fields: object = {}) => await createPage(service, { name: 'Acme', ...fields });
const pagePath = (page: { id: string }) => `/v1/pages/${page.id}`;

describe('creating a page', () => {
  test.each([
    ['Europe/London', 'London'],
    ['US/Pacific', 'Pacific Time (US & Canada)'],
    [' Asia/Kolkata ', 'Kolkata'],
  ])('accepts the time zone %s as %s', async (timezone, name) => {
    const page = await create({ timezone });
    expect(page.timezone).toBe(name);
    expect(
      (await service.get(`/v1/pages?filter[timezone_eq]=${encodeURIComponent(name)}`)).json.response,
    ).toContainEqual(page);
  });

  test.each(['G-AB12CD34EF', 'UA-123456-1'])('accepts the analytics id %s', async id => {
    expect((await create({ vendor_analytics_id: ` ${id} ` })).vendor_analytics_id).toBe(id);
  });

  test.each([
    ['no name', {}, { name: ["can't be blank"] }],
    ['a blank name', { name: '  ' }, { name: ["can't be blank"] }],
    ['a null name', { name: null }, { name: ["can't be blank"] }],
    ['a list as name', { name: ['a'] }, { name: ['is invalid'] }],
    ['a name of 256 characters', { name: 'é'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [
      'a time zone that is not in the list',
      { name: 'a', timezone: 'Europe/Berln' },
      { timezone: ['is not included in the list', 'the nearest are: Berlin, Belgrade, Dublin'] },
    ],
    ...['UA-1', 'G-1', 'g-ab12cd34ef', 'GTM-ABC123', 'x'.repeat(300)].map(
      (id): [string, Record<string, string>, Record<string, string[]>] => [
        `the analytics id ${id.slice(0, 12)}, which would do nothing`,
        { name: 'a', vendor_analytics_id: id },
        { vendor_analytics_id: ['is invalid', 'must have the form G-XXXXXXXXXX or UA-XXXXXXXX-X'] },
      ],
    ),
    ['an unknown language', { name: 'a', locale: 'xx' }, { locale: ['is not included in the list'] }],
    [
      'an unknown order',
      { name: 'a', timeline_sort_order: 'up' },
      { timeline_sort_order: ['is not included in the list'] },
    ],
    ['an invalid e-mail address', { name: 'a', support_email: 'nobody' }, { support_email: ['is invalid'] }],
    ['a URL of another scheme', { name: 'a', support_url: 'ftp://acme.example' }, { support_url: ['is invalid'] }],
    ['a javascript URL', { name: 'a', support_url: 'javascript:alert(1)' }, { support_url: ['is invalid'] }],
    [
      'an invalid boolean',
      { name: 'a', visible_to_search: 'yes' },
      { visible_to_search: ['is not included in the list'] },
    ],
    ['a threshold of zero', { name: 'a', timeline_threshold: 0 }, { timeline_threshold: ['must be greater than 0'] }],
    [
      'a negative threshold in days',
      { name: 'a', timeline_threshold_in_days: -1 },
      { timeline_threshold_in_days: ['must be greater than 0'] },
    ],
    [
      'a threshold that is not a number',
      { name: 'a', timeline_threshold: 'long' },
      { timeline_threshold: ['is not a number'] },
    ],
    ['a fractional threshold', { name: 'a', timeline_threshold: 1.5 }, { timeline_threshold: ['must be an integer'] }],
    [
      'a long title',
      { name: 'a', meta_title: 'x'.repeat(256) },
      { meta_title: ['is too long (maximum is 255 characters)'] },
    ],
    [
      'a long description',
      { name: 'a', meta_description: 'x'.repeat(65536) },
      { meta_description: ['is too long (maximum is 65535 characters)'] },
    ],
    ['two invalid fields', { locale: 'xx' }, { name: ["can't be blank"], locale: ['is not included in the list'] }],
  ])('refuses %s under its field', async (_, fields, messages) => {
    const { status, json } = await service.post('/v1/pages', fields);
    expect([status, json]).toEqual([422, invalidBody(messages as unknown as Record<string, string[]>)]);
  });

  test('counts code points for the limit of 255 characters', async () => {
    expect((await create({ name: '😀'.repeat(255) })).name).toBe('😀'.repeat(255));
  });
});

describe('updating a page', () => {
  test.each([
    ['null', null],
    ['blank', ''],
  ])('resets fields to null or their defaults by %s', async (_, nothing) => {
    const page = await create(customPage);
    const { json } = await service.patch(
      pagePath(page),
      Object.fromEntries(Object.keys(customPage).map(name => [name, nothing])),
    );
    expect(json.response).toEqual(freshPage);
  });

  test('changes nothing if the whole record is sent back, with a value that was stored under an earlier rule', async () => {
    const page = await create(customPage);
    await service.database.query("update page set vendor_analytics_id = 'UA-1' where id = $1", [page.id]);
    await expectRoundTripToChangeNothing(service, pagePath(page));
  });

  test('accepts the threshold in days or seconds, which take precedence if both are new', async () => {
    const path = pagePath(await create());
    const writeThreshold = async (fields: object) => {
      const { timeline_threshold, timeline_threshold_in_days } = (await service.patch(path, fields)).json.response;
      return [timeline_threshold, timeline_threshold_in_days];
    };
    expect(await writeThreshold({ timeline_threshold_in_days: 2 })).toEqual([172800, 2]);
    expect(await writeThreshold({ timeline_threshold: 100000 })).toEqual([100000, 1]);
    expect(await writeThreshold({ timeline_threshold_in_days: 1 })).toEqual([100000, 1]);
    expect(await writeThreshold({ timeline_threshold: 200000, timeline_threshold_in_days: 9 })).toEqual([200000, 2]);
    expect(await writeThreshold({ timeline_threshold: 200000, timeline_threshold_in_days: 9 })).toEqual([777600, 9]);
  });

  test('keeps a channel off that is not configured', async () => {
    const page = await create({ send_notifications_by_email: true, send_notifications_by_chat_a: false });
    expect(page).toMatchObject({ send_notifications_by_email: false, send_notifications_by_chat_a: false });
    const { status, json } = await service.patch(pagePath(page), {
      send_notifications_by_sms: 1,
      send_notifications_by_social: '0',
    });
    expect([status, json.response]).toEqual([200, page]);
  });

  test('changes nothing if it is refused', async () => {
    const page = await create();
    expect((await service.patch(pagePath(page), { name: '', locale: 'de' })).status).toBe(422);
    expect((await service.get(pagePath(page))).json.response).toEqual(page);
  });
});

describe('not found', () => {
  test('unknown ids get the same response', async () => {
    const { id } = await create();
    const unknownIds = [
      id.toUpperCase() === id ? `${id}0` : id.toUpperCase(),
      'ffffffff',
      'x',
      '%00',
      '🙂',
      `${id}%20`,
    ];
    const responses = await Promise.all(unknownIds.map(unknown => service.get(`/v1/pages/${unknown}`)));
    expectSameNotFound('page', [
      ...responses,
      await service.patch('/v1/pages/ffffffff', { name: '' }),
      await service.delete('/v1/pages/ffffffff'),
    ]);
  });

  test('a deleted page is not found, nor anything that was on it', async () => {
    const page = await create();
    const component = await service.post(`${pagePath(page)}/components`, { name: 'API' });
    const notice = await service.post(`${pagePath(page)}/notices`, { subject: 'Down' });
    await service.post(`${pagePath(page)}/subscribers`, {
      email: 'ada@acme.example',
      component_ids: [component.json.response.id],
    });
    const deleted = await service.delete(pagePath(page));
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const below = [
      '',
      '/components',
      '/brand',
      '/theme',
      '/custom_domain',
      '/notices',
      `/notices/${notice.json.response.id}/updates`,
      '/subscribers',
    ];
    expectSameNotFound('page', await Promise.all(below.map(path => service.get(`${pagePath(page)}${path}`))));
    const left = await service.database.query(
      'select 1 from component where page_id = $1 union all select 1 from notice where page_id = $1',
      [page.id],
    );
    expect(left).toEqual([]);
  });
});

test('pages are listed in the order of creation, with a count', async () => {
  for (const name of ['Order b', 'Order a', 'Order c']) await create({ name });
  const { json } = await service.get('/v1/pages?filter[name_cont]=order');
  expect([Object.keys(json), json.count]).toEqual([['response', 'count'], 3]);
  expect(json.response.map(({ name }: { name: string }) => name)).toEqual(['Order b', 'Order a', 'Order c']);
});

describe('the state of a page', () => {
  test('is degraded while any notice is ongoing, even without components, and keeps the version', async () => {
    const page = await create();
    const notice = await createNotice(service, pagePath(page), { subject: 'Down' });
    const degraded = (await service.get(pagePath(page))).json.response;
    expect(degraded).toEqual({ ...page, state: 'degraded' });
    await service.patch(`${pagePath(page)}/notices/${notice.id}`, { state: 'resolved' });
    expect((await service.get(pagePath(page))).json.response).toEqual(page);
    expect(await versionAt(service, pagePath(page))).toBe(1);
  });

  test('ignores scheduled and general notices', async () => {
    const page = await create();
    const window = { begins_at_date: '2040-01-01', begins_at_time: '10:00', duration_in_minutes: 30 };
    await service.post(`${pagePath(page)}/notices`, { type: 'general', subject: 'News' });
    const planned = await createNotice(service, pagePath(page), { type: 'planned', subject: 'Works', ...window });
    expect((await service.get(pagePath(page))).json.response.state).toBe('operational');
    await service.patch(`${pagePath(page)}/notices/${planned.id}`, { state: 'underway' });
    expect((await service.get(pagePath(page))).json.response.state).toBe('degraded');
  });
});
