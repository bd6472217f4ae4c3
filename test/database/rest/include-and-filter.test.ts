import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
});

const newComponent = async (name: string): Promise<number> => (await createComponent(service, page, { name })).id;
const newNotice = async (values: object): Promise<number> =>
  (await createNotice(service, page, { subject: 'It', ...values })).id;

describe('include', () => {
  const keysOf = async (path: string): Promise<string[]> => {
    const { response } = (await service.get(path)).json;
    return Object.keys(Array.isArray(response) ? response[0] : response);
  };
  const all = ['brand', 'custom_domain', 'theme', 'components', 'notices', 'subscribers'];

  test.each(['', '?include=', '?include=,', '?include[]='])('adds nothing if it is blank: %p', async query => {
    const keys = await keysOf(`${page}${query}`);
    expect(keys).toContain('locale');
    expect(all.filter(name => keys.includes(name))).toEqual([]);
  });

  test.each([
    ['?include=brand', ['brand']],
    ['?include=brand,theme', ['brand', 'theme']],
    ['?include=%20brand%20,%20theme,', ['brand', 'theme']],
    ['?include=brand,brand', ['brand']],
    ['?include[]=brand&include[]=components', ['brand', 'components']],
    ['?include=notices.updates', ['notices']],
    [
      '?include=brand,custom_domain,theme,components,notices,notices.updates,notices.components,' +
        'subscribers,subscribers.components',
      all,
    ],
  ])('adds the named records, on a read and on a list: %s', async (query, names) => {
    for (const path of [page, '/v1/pages']) {
      const keys = await keysOf(`${path}${query}`);
      expect(all.filter(name => keys.includes(name))).toEqual(names);
    }
  });

  test('applies to created and updated records, from the body too', async () => {
    const made = await service.post('/v1/pages', { name: 'New', include: 'brand,theme,custom_domain,components' });
    expect(made.json.response).toMatchObject({
      brand: { color_state_ok: '#27ae60' },
      theme: null,
      custom_domain: null,
      components: [],
    });
    const updated = await service.patch(`${page}?include=brand`, { name: 'All' });
    expect(updated.json.response.brand).toMatchObject({ color_state_ok: '#27ae60' });
    const notice = await service.post(`${page}/notices`, {
      subject: 'It',
      initial_comment: 'Hm',
      include: ['updates', 'components'],
    });
    expect(notice.json.response).toMatchObject({ updates: [{ content: 'Hm' }], components: [] });
    const subscriber = await service.post(`${page}/subscribers?include=components`, { email: 'include@example.com' });
    expect(subscriber.json.response.components).toEqual([]);
  });

  test('of lists keeps their own order, and adds nothing below them', async () => {
    const { path } = await createPage(service);
    for (const [name, position] of Object.entries({ Later: 7, First: 2 }))
      await createComponent(service, path, { name, position });
    for (const subject of ['Down', 'News']) await createNotice(service, path, { subject });
    const { components, notices } = (await service.get(`${path}?include=components,notices`)).json.response;
    expect(components.map(({ name }: { name: string }) => name)).toEqual(['First', 'Later']);
    expect(notices.map(({ subject }: { subject: string }) => subject)).toEqual(['News', 'Down']);
    expect([notices[0].updates, notices[0].components]).toEqual([undefined, undefined]);
  });

  test('applies to included records too', async () => {
    await newNotice({ initial_comment: 'Hm', component_ids: [await newComponent('Named')] });
    const { notices } = (await service.get(`${page}?include=notices.updates,notices.components`)).json.response;
    expect(notices[0]).toMatchObject({ updates: [{ content: 'Hm' }], components: [{ name: 'Named' }] });
  });

  test('refuses a map of names', async () => {
    const { status, json } = await service.get(`${page}?include[notices]=updates`);
    expect([status, json.error_description]).toEqual([
      400,
      expect.stringMatching(/^The parameter include must be a list of names/),
    ]);
  });

  test.each([
    ['', 'updates', 'brand, custom_domain'],
    ['', 'Brand', 'brand'],
    ['', 'brand.page', 'brand'],
    ['', 'notices.page', 'notices.updates'],
    ['', '__proto__', 'brand'],
    ['/notices', 'brand', 'updates, components'],
    ['/subscribers', 'updates', 'components'],
    ['/components', 'notices', 'There are: version'],
    ['/brand', 'page', 'There is none'],
    ['/notice_templates', 'component', 'There are: version'],
  ])('refuses an unknown name: %s?include=%s', async (path, name, allowed) => {
    const response = await service.get(`${page}${path}?include=${name}`);
    expect([response.status, response.json.error]).toEqual([400, 'bad_request']);
    expect(response.json.error_description).toContain(JSON.stringify(name));
    expect(response.json.error_description).toContain(allowed);
  });

  test('refuses a map', async () => {
    expect((await service.get(`${page}?include[brand]=1`)).status).toBe(400);
  });
});

describe('filter', () => {
  test.each([
    'subject',
    'subject_like',
    'page_id_eq',
    'link_eq',
    'synopsis_cont',
    'version_eq',
    'components_page_eq',
    'toString',
    'constructor',
    'SUBJECT_EQ',
  ])('refuses an unknown key, and lists the allowed ones: %s', async key => {
    const response = await service.get(`${page}/notices?filter[${key}]=1`);
    expect([response.status, response.json.error]).toEqual([400, 'bad_request']);
    expect(response.json.error_description).toContain(JSON.stringify(key));
    expect(response.json.error_description).toContain('subject_cont');
  });

  test.each(['filter=x', 'filter[]=x', 'filter=1&filter[id_eq]=1'])(
    'is refused if it is not a map: %s',
    async query => {
      for (const path of ['/notices', '', '/subscribers'])
        expect((await service.get(`${page}${path}?${query}`)).status).toBe(400);
    },
  );

  test.each([
    'filter[id_eq][]=1',
    'filter[id_eq][x]=1',
    'filter[id_in][][x]=1',
    'filter[id_in][x]=1',
    'filter[subject_present][x]=1',
    'filter[subject_cont][]=x',
  ])('refuses a value that is neither a scalar nor a list of scalars: %s', async query => {
    const response = await service.get(`${page}/notices?${query}`);
    expect([response.status, response.json.error]).toEqual([400, 'bad_request']);
    expect(response.json.error_description).toContain(/\[(\w+)\]/.exec(query)![1]);
  });

  test.each(['filter=', 'filter[subject_eq]=', 'filter[id_in][]=', 'filter[id_in]=', 'filter[subject_cont]=%20'])(
    'is ignored if it is blank: %s',
    async query => {
      const { count } = (await service.get(`${page}/notices`)).json;
      expect((await service.get(`${page}/notices?${query}`)).json.count).toBe(count);
    },
  );

  test('is ignored on a single record, and on a collection that is not included', async () => {
    const notice = await newNotice({});
    expect((await service.get(`${page}/notices/${notice}?filter[subject_eq]=Other`)).status).toBe(200);
    expect((await service.get(`${page}?filter[notices][subject_eq]=Other`)).status).toBe(200);
    expect((await service.get(`${page}/notices?filter[updates][content_eq]=Other`)).status).toBe(200);
    expect((await service.get(`${page}?filter[notices][nonsense]=Other`)).status).toBe(200);
    expect((await service.get(`${page}/notices?filter[updates][id_eq]=none`)).status).toBe(200);
    expect((await service.get(`${page}?include=notices&filter[notices][nonsense]=Other`)).status).toBe(400);
  });
});
