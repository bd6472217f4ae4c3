import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: string;
/** By name: two trees, `root` with `middle` and `leaf`, and `other`. */
const components: Record<string, number> = {};
beforeAll(async () => {
  service = await startTestService();
  page = `/v1/pages/${(await service.post('/v1/pages', { name: 'Asked by others' })).json.response.id}`;
  for (const [name, above] of [['root'], ['middle', 'root'], ['leaf', 'middle'], ['beside', 'middle'], ['other']] as [
    string,
    string?,
  ][])
    components[name] = (
      await service.post(`${page}/components`, { name, parent_id: above && components[above] })
    ).json.response.id;
  for (const [subject, named] of [
    ['on root', ['root']],
    ['on middle', ['middle']],
    ['on leaf', ['leaf']],
    ['on beside', ['beside']],
    ['on other', ['other']],
    ['on all', ['leaf', 'other']],
    ['on none', []],
  ] as [string, string[]][])
    await service.post(`${page}/notices`, {
      type: 'unplanned',
      subject,
      component_ids: named.map(name => components[name]),
    });
});
afterAll(() => service.stop());

const subjects = (notices: { subject: string }[]) => notices.map(({ subject }) => subject).sort();
const all = ['on all', 'on beside', 'on leaf', 'on middle', 'on none', 'on other', 'on root'];

describe('a status bar of the field asks for the notices of its page', () => {
  const family =
    'components_id_or_components_descendant_hierarchies_descendant_id_or_components_ancestor_hierarchies_ancestor_id_in';
  const ask = async (type: string, ...named: string[]) => {
    const states = ['future', 'present'].map(state => `filter[notices][timeline_state_in][]=${state}`);
    const chosen = (named.length ? named.map(name => components[name]) : ['']).map(
      id => `filter[notices][${family}][]=${id}`,
    );
    const query = [
      'include=brand,notices,notices.updates',
      ...states,
      `filter[notices][type_in][]=${type}`,
      ...chosen,
    ].join('&');
    return (await service.get(`${page}?${query}`, { headers: { 'X-Plugin-Ping': 'status-bar' } })).json.response;
  };

  test('of all of them, with every filter that it leaves blank', async () => {
    const { brand, notices } = await ask('');
    expect([subjects(notices), typeof brand.color_state_ok, notices[0].updates]).toEqual([all, 'string', []]);
    expect((await ask('planned')).notices).toEqual([]);
  });

  test.each<[named: string[], heard: string[]]>([
    [['leaf'], ['on all', 'on leaf', 'on middle', 'on root']],
    [['middle'], ['on all', 'on beside', 'on leaf', 'on middle', 'on root']],
    [['root'], ['on all', 'on beside', 'on leaf', 'on middle', 'on root']],
    [['other'], ['on all', 'on other']],
    [
      ['other', 'beside'],
      ['on all', 'on beside', 'on middle', 'on other', 'on root'],
    ],
  ])('of some components, with those above and below: %j', async (named, heard) => {
    expect(subjects((await ask('', ...named)).notices)).toEqual(heard);
    const ids = named.map(name => components[name]);
    const listed = await service.get(`${page}/notices?${ids.map(id => `filter[for_components][]=${id}`).join('&')}`);
    expect(subjects(listed.json.response)).toEqual(heard);
    const query =
      'query ($page: ID!, $ids: [ID!]) { notices(pageId: $page, filter: { forComponents: $ids }) { nodes { subject } } }';
    expect(subjects((await service.graphql(query, { page: page.split('/')[3], ids })).json.data.notices.nodes)).toEqual(
      heard,
    );
  });

  test('of components that are none', async () => {
    expect((await service.get(`${page}/notices?filter[${family}][]=999999`)).json.response).toEqual([]);
    expect((await service.get(`${page}/notices?filter[${family}][]=x`)).status).toBe(400);
  });
});

describe('a filter that nobody knows', () => {
  test.each(['filter[nonsense_in][]=', 'filter[nonsense]=', 'filter[]=', 'filter[nonsense][][]=%20'])(
    'is none while it is blank: %s',
    async query => {
      expect((await service.get(`${page}/notices?${query}`)).json.count).toBe(all.length);
      expect(
        (await service.get(`${page}?include=notices&${query.replace('filter', 'filter[notices]')}`)).json.response
          .notices,
      ).toHaveLength(all.length);
    },
  );

  test.each([
    'filter[nonsense_present]',
    'filter[nonsense_blank]=',
    'filter[nonsense_in][]=1',
    'filter[nonsense][]=&filter[nonsense][]=x',
  ])('is refused when it asks for something: %s', async query => {
    expect((await service.get(`${page}/notices?${query}`)).status).toBe(400);
  });
});

describe('curl -X GET -d asks in the body of a read', () => {
  /** fetch refuses to send one. */
  const read = (path: string, type: string, body: string, method = 'GET') =>
    // biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
    new Promise<{ status: number; json: any }>((done, fail) => {
      const headers = {
        authorization: `Bearer ${service.tokens.read}`,
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      };
      request(`${service.url}${path}`, { method, headers }, async answer => {
        const text = (await answer.toArray()).join('');
        done({ status: answer.statusCode!, json: text && JSON.parse(text) });
      })
        .on('error', fail)
        .end(body);
    });
  const form = 'application/x-www-form-urlencoded';

  test.each<[type: string, body: string]>([
    [form, 'filter[subject_cont]=other'],
    ['application/json', '{"filter":{"subject_cont":"other"}}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="filter[subject_cont]"\r\n\r\nother\r\n--x--',
    ],
  ])('filtered, as %s', async (type, body) => {
    expect(subjects((await read(`${page}/notices`, type, body)).json.response)).toEqual(['on other']);
  });

  test('of 64 kB at most: strangers may ask, too', async () => {
    const long = `filter[subject_cont]=other&x=${'x'.repeat(65_536)}`;
    expect((await read(`${page}/notices`, form, long)).json).toMatchObject({
      error: 'payload_too_large',
      error_description: 'The body is larger than 64 kB.',
    });
    expect((await read('/v1/openapi.json', form, long)).status).toBe(200);
  });

  test('for a thousand values at most', async () => {
    const ask = (count: number, key: string) =>
      read(`${page}/notices`, 'application/json', JSON.stringify({ filter: { [key]: Array(count).fill(1) } }));
    for (const key of ['id_in', 'for_components'])
      expect([key, (await ask(1_000, key)).status, (await ask(1_001, key)).status]).toEqual([key, 200, 400]);
  });

  test('with includes and pages, and what is unknown is refused', async () => {
    expect((await read(page, form, 'include=notices')).json.response.notices).toHaveLength(all.length);
    expect((await read(`${page}/notices?per_page=2`, form, 'page=2&per_page=3')).json.pagination).toMatchObject({
      current: 2,
      per_page: 3,
    });
    expect((await read(`${page}/notices`, form, 'filter[nope_eq]=x')).status).toBe(400);
    expect((await read(`${page}/notices`, 'application/json', '{')).status).toBe(400);
    expect((await read(`${page}/notices`, 'text/plain', 'filter[nope_eq]=x')).status).toBe(200);
    expect((await read(`${page}/notices`, form, 'filter[nope_eq]=x', 'HEAD')).status).toBe(400);
  });
});

test.each(['%2B447700900001', '+447700900001', '%2B44%207700%20900-001', '%20447700900001', '%2B44%20(7700)%20900001'])(
  'a subscriber is found by the number as it was typed: %s',
  async number => {
    const path = `${page}/subscribers`;
    await service.post(path, { phone_number: '+44 7700 900001' });
    await service.post(path, { phone_number: '+44 7700 900002' });
    const found = async (query: string) =>
      (await service.get(`${path}?${query}`)).json.response.map((each: { phone_number: string }) => each.phone_number);
    expect(await found(`filter[phone_number_eq]=${number}`)).toEqual(['+447700900001']);
    expect(await found(`filter[phone_number_in][]=${number}&filter[phone_number_in][]=x`)).toEqual(['+447700900001']);
    expect(await found(`filter[phone_number_not_eq]=${number}`)).toEqual(['+447700900002']);
    expect(await found('filter[phone_number_matches]=+447700%251')).toEqual(['+447700900001']);
    expect(await found('filter[phone_number_eq]=x')).toEqual([]);
  },
);
