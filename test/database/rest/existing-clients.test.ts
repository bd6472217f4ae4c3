import { withPlainLists } from '../../support/graphql-records.js';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
/** Component ids by name: the tree root > middle > (leaf, beside), and the single component other. */
const components: Record<string, number> = {};
beforeAll(async () => {
  page = (await createPage(service, { name: 'Existing clients' })).path;
  for (const [name, parent] of [['root'], ['middle', 'root'], ['leaf', 'middle'], ['beside', 'middle'], ['other']] as [
    string,
    string?,
  ][])
    components[name] = (await createComponent(service, page, { name, parent_id: parent && components[parent] })).id;
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

const subjects = (notices: { subject: string }[]) => notices.map(({ subject }) => subject).sort();
const all = ['on all', 'on beside', 'on leaf', 'on middle', 'on none', 'on other', 'on root'];

describe('an existing status bar plugin', () => {
  const attribute =
    'components_id_or_components_descendant_hierarchies_descendant_id' +
    '_or_components_ancestor_hierarchies_ancestor_id_in';
  const readNotices = async (type: string, ...named: string[]) => {
    const states = ['future', 'present'].map(state => `filter[notices][timeline_state_in][]=${state}`);
    const chosen = (named.length ? named.map(name => components[name]) : ['']).map(
      id => `filter[notices][${attribute}][]=${id}`,
    );
    const query = [
      'include=brand,notices,notices.updates',
      ...states,
      `filter[notices][type_in][]=${type}`,
      ...chosen,
    ].join('&');
    return (await service.get(`${page}?${query}`, { headers: { 'X-Plugin-Ping': 'status-bar' } })).json.response;
  };

  test('reads all notices, with blank filters', async () => {
    const { brand, notices } = await readNotices('');
    expect([subjects(notices), typeof brand.color_state_ok, notices[0].updates]).toEqual([all, 'string', []]);
    expect((await readNotices('planned')).notices).toEqual([]);
  });

  test.each<[named: string[], expected: string[]]>([
    [['leaf'], ['on all', 'on leaf', 'on middle', 'on root']],
    [['middle'], ['on all', 'on beside', 'on leaf', 'on middle', 'on root']],
    [['root'], ['on all', 'on beside', 'on leaf', 'on middle', 'on root']],
    [['other'], ['on all', 'on other']],
    [
      ['other', 'beside'],
      ['on all', 'on beside', 'on middle', 'on other', 'on root'],
    ],
  ])('reads the notices of components, their ancestors and descendants: %j', async (named, expected) => {
    expect(subjects((await readNotices('', ...named)).notices)).toEqual(expected);
    const ids = named.map(name => components[name]);
    // Beside it, the filter by the ids of the named components is exact.
    const exact = await service.get(`${page}/notices?${ids.map(id => `filter[components_id_in][]=${id}`).join('&')}`);
    expect(subjects(exact.json.response)).toEqual(
      all.filter(subject => [...named, ...(/leaf|other/.test(`${named}`) ? ['all'] : [])].includes(subject.slice(3))),
    );
    const listed = await service.get(`${page}/notices?${ids.map(id => `filter[for_components][]=${id}`).join('&')}`);
    expect(subjects(listed.json.response)).toEqual(expected);
    const query =
      'query ($page: ID!, $ids: [ID!]) { notices(pageId: $page, filter: { forComponents: $ids }) ' +
      '{ nodes { subject } } }';
    expect(subjects((await service.graphql(query, { page: page.split('/')[3], ids })).json.data.notices.nodes)).toEqual(
      expected,
    );
  });

  test('includes what is above and below the components of a notice, by position', async () => {
    const read = async (query: string, request = {}) =>
      (await service.get(`${page}?${query}&filter[notices][subject_eq]=on%20middle`, request)).json.response.notices[0]
        .components[0];
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    for (const request of [{}, { token: null }]) {
      const middle = await read('include=notices.components.descendants,notices.components.ancestors', request);
      expect([names(middle.ancestors), names(middle.descendants)]).toEqual([['root'], ['leaf', 'beside']]);
      expect(Object.keys(middle.descendants[0])).toEqual(Object.keys(middle).slice(0, -2));
    }
    const below = await read('include=notices.components.descendants');
    expect([names(below.descendants), 'ancestors' in below]).toEqual([['leaf', 'beside'], false]);
    const leaf = `{ component(pageId: "${page.split('/')[3]}", id: ${components.leaf}) {
      ancestors { nodes { name descendants { nodes { name } } } } descendants { nodes { name } } } }`;
    expect(withPlainLists((await service.graphql(leaf)).json.data).component).toEqual({
      ancestors: [
        { name: 'root', descendants: [{ name: 'middle' }, { name: 'leaf' }, { name: 'beside' }] },
        { name: 'middle', descendants: [{ name: 'leaf' }, { name: 'beside' }] },
      ],
      descendants: [],
    });
  });

  test('reads no notices of unknown components, and is refused for invalid ids', async () => {
    expect((await service.get(`${page}/notices?filter[${attribute}][]=999999`)).json.response).toEqual([]);
    expect((await service.get(`${page}/notices?filter[${attribute}][]=x`)).status).toBe(400);
  });
});

describe('an unknown filter', () => {
  test.each(['filter[nonsense_in][]=', 'filter[nonsense]=', 'filter[]=', 'filter[nonsense][][]=%20'])(
    'is ignored if it is blank: %s',
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
  ])('is refused if it has a value: %s', async query => {
    expect((await service.get(`${page}/notices?${query}`)).status).toBe(400);
  });
});

describe('parameters in the body of a read, as curl -X GET -d sends them', () => {
  /** With node:http, since fetch refuses to send a body with GET. */
  const read = (path: string, type: string, body: string, method = 'GET') =>
    // biome-ignore lint/suspicious/noExplicitAny: the tests assert what they read
    new Promise<{ status: number; json: any }>((done, fail) => {
      const headers = {
        authorization: `Bearer ${service.tokens.read}`,
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      };
      request(`${service.url}${path}`, { method, headers }, async response => {
        const text = (await response.toArray()).join('');
        done({ status: response.statusCode!, json: text && JSON.parse(text) });
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
  ])('filter, as %s', async (type, body) => {
    expect(subjects((await read(`${page}/notices`, type, body)).json.response)).toEqual(['on other']);
  });

  test('are limited to 64 kB, since anonymous callers can send them', async () => {
    const long = `filter[subject_cont]=other&x=${'x'.repeat(65_536)}`;
    expect((await read(`${page}/notices`, form, long)).json).toMatchObject({
      error: 'payload_too_large',
      error_description: 'The body is larger than 64 kB.',
    });
    expect((await read('/v1/openapi.json', form, long)).status).toBe(200);
  });

  test('are limited to 1,000 values', async () => {
    const readWithValues = (count: number, key: string) =>
      read(`${page}/notices`, 'application/json', JSON.stringify({ filter: { [key]: Array(count).fill(1) } }));
    for (const key of ['id_in', 'for_components'])
      expect([key, (await readWithValues(1_000, key)).status, (await readWithValues(1_001, key)).status]).toEqual([
        key,
        200,
        400,
      ]);
  });

  test('can include and paginate, and unknown ones are refused', async () => {
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
  'filters find a subscriber by a phone number in any notation: %s',
  async number => {
    const path = `${page}/subscribers`;
    await service.post(path, { phone_number: '+44 7700 900001' });
    await service.post(path, { phone_number: '+44 7700 900002' });
    const findNumbers = async (query: string) =>
      (await service.get(`${path}?${query}`)).json.response.map(
        (subscriber: { phone_number: string }) => subscriber.phone_number,
      );
    expect(await findNumbers(`filter[phone_number_eq]=${number}`)).toEqual(['+447700900001']);
    expect(await findNumbers(`filter[phone_number_in][]=${number}&filter[phone_number_in][]=x`)).toEqual([
      '+447700900001',
    ]);
    expect(await findNumbers(`filter[phone_number_not_eq]=${number}`)).toEqual(['+447700900002']);
    expect(await findNumbers('filter[phone_number_matches]=+447700%251')).toEqual(['+447700900001']);
    expect(await findNumbers('filter[phone_number_eq]=x')).toEqual([]);
  },
);
