import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
let page: { id: string };
beforeAll(async () => {
  page = await create('Included');
  const component = await createComponent(service, `/v1/pages/${page.id}`, { name: 'Later', position: 7 });
  await service.post(`/v1/pages/${page.id}/components`, { name: 'First', position: 2 });
  await service.post(`/v1/pages/${page.id}/notices`, {
    subject: 'Down',
    initial_comment: 'Looking',
    component_ids: [component.id],
  });
  await service.post(`/v1/pages/${page.id}/notices`, { subject: 'News', type: 'general' });
  await service.post(`/v1/pages/${page.id}/subscribers`, { email: 'ada@acme.example', component_ids: [component.id] });
});

const create = async (name: string, fields: object = {}) => await createPage(service, { name, ...fields });
const namesIn = (records: { name?: string; subject?: string }[]) => records.map(({ name, subject }) => name ?? subject);
const listNames = async (query: string) => namesIn((await service.get(`/v1/pages?${query}`)).json.response);
const readPage = async (query: string) => (await service.get(`/v1/pages/${page.id}?${query}`)).json.response;

describe('the list of pages', () => {
  test('is in the order of creation, with a count', async () => {
    for (const name of ['Order b', 'Order a', 'Order c']) await create(name);
    const { status, json } = await service.get('/v1/pages?filter[name_cont]=order');
    expect([status, Object.keys(json), json.count]).toEqual([200, ['response', 'count'], 3]);
    expect(namesIn(json.response)).toEqual(['Order b', 'Order a', 'Order c']);
  });

  test('is paginated on request', async () => {
    for (const number of [1, 2, 3]) await create(`Paged ${number}`);
    const { json } = await service.get('/v1/pages?filter[name_cont]=Paged&page=2&per_page=2');
    expect([namesIn(json.response), json.count]).toEqual([['Paged 3'], 1]);
    expect(json.pagination).toEqual({ current: 2, previous: 1, next: null, per_page: 2, pages: 2, count: 3 });
  });

  test('can be filtered by attributes, computed ones included, and through associations', async () => {
    const calm = await create('Narrow calm', { locale: 'de', support_email: 'Help@Acme.example' });
    const busy = await create('Narrow busy');
    await service.post(`/v1/pages/${busy.id}/notices`, { subject: 'Down' });
    await service.post(`/v1/pages/${calm.id}/components`, { name: 'Engine' });
    const filterNames = (key: string) => listNames(`filter[name_cont]=Narrow&filter${key}`);
    expect(await filterNames('[state_eq]=degraded')).toEqual(['Narrow busy']);
    expect(await filterNames('[state_not_eq]=degraded')).toEqual(['Narrow calm']);
    expect(await filterNames('[locale_in][]=de&filter[locale_in][]=')).toEqual(['Narrow calm']);
    expect(await filterNames('[support_email_present]')).toEqual(['Narrow calm']);
    expect(await filterNames(`[endpoint_eq]=${busy.id}.localhost`)).toEqual(['Narrow busy']);
    expect(await filterNames(`[created_at_eq]=${calm.created_at}`)).toContain('Narrow calm');
    expect(await filterNames('[timeline_threshold_in_days_gteq]=3')).toEqual(['Narrow calm', 'Narrow busy']);
    expect(await filterNames('[send_notifications_by_email_eq]=true')).toEqual([]);
    expect(await filterNames('[notices_subject_cont]=down')).toEqual(['Narrow busy']);
    expect(await filterNames('[components_name_eq]=Engine')).toEqual(['Narrow calm']);
    expect(await filterNames('[components_name_not_eq]=Engine')).toEqual(['Narrow busy']);
  });

  test('refuses an unknown filter by name', async () => {
    const { status, json } = await service.get('/v1/pages?filter[colour_eq]=red');
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/colour_eq.*name_cont/s);
  });
});

describe('include', () => {
  test('of a custom domain or theme is null if there is none, and the brand always exists', async () => {
    const response = await readPage('include=brand,custom_domain,theme');
    expect(response).toMatchObject({ brand: { color_state_ok: '#27ae60' }, custom_domain: null, theme: null });
  });

  test('of lists keeps their own order', async () => {
    const response = await readPage('include=components,notices,subscribers');
    expect(namesIn(response.components)).toEqual(['First', 'Later']);
    expect(namesIn(response.notices)).toEqual(['News', 'Down']);
    expect(response.subscribers).toMatchObject([{ email: 'ada@acme.example', tag_list: '' }]);
    expect([response.notices[0].updates, response.notices[0].components, response.subscribers[0].components]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('can be nested, and a nested name implies its parent', async () => {
    const response = await readPage('include=notices.updates,notices.components,subscribers.components');
    expect(response.notices[1].updates).toMatchObject([{ content: 'Looking', should_publish: false }]);
    expect(namesIn(response.notices[1].components)).toEqual(['Later']);
    expect(namesIn(response.subscribers[0].components)).toEqual(['Later']);
    expect(response.components).toBeUndefined();
  });

  test('works on lists, and on create and update responses', async () => {
    expect(
      (await service.get('/v1/pages?include=components&filter[name_eq]=Included')).json.response[0].components,
    ).toHaveLength(2);
    expect((await service.post('/v1/pages?include=brand,components', { name: 'Made' })).json.response).toMatchObject({
      brand: {},
      components: [],
    });
    expect((await service.patch(`/v1/pages/${page.id}?include=notices`, {})).json.response.notices).toHaveLength(2);
    expect((await service.patch(`/v1/pages/${page.id}`, { include: 'theme' })).json.response.theme).toBeNull();
  });

  test('of a list can be filtered, on lists of pages too', async () => {
    expect(namesIn((await readPage('include=notices&filter[notices][state_eq]=investigating')).notices)).toEqual([
      'Down',
    ]);
    expect(namesIn((await readPage('include=notices&filter[notices][type_in][]=general')).notices)).toEqual(['News']);
    expect(
      namesIn((await readPage('include=components&filter[components][state_not_eq]=degraded')).components),
    ).toEqual(['First']);
    expect((await readPage('include=subscribers&filter[subscribers][email_cont]=grace')).subscribers).toEqual([]);
    const [onList] = (
      await service.get('/v1/pages?include=components&filter[name_eq]=Included&filter[components][name_cont]=fir')
    ).json.response;
    expect(namesIn(onList.components)).toEqual(['First']);
  });

  test('ignores filters of lists that are not included', async () => {
    const { status, json } = await service.get(
      `/v1/pages/${page.id}?filter[notices][state_eq]=resolved&filter[name_eq]=Nobody`,
    );
    expect([status, json.response.id]).toEqual([200, page.id]);
  });

  test('of anything else is refused by name', async () => {
    const { status, json } = await service.get(`/v1/pages/${page.id}?include=brand,updates`);
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/"updates".*notices\.updates/s);
  });
});
