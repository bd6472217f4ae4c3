import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: { id: string };
beforeAll(async () => {
  service = await startTestService();
  page = await create('Included');
  const component = (await service.post(`/v1/pages/${page.id}/components`, { name: 'Later', position: 7 })).json
    .response;
  await service.post(`/v1/pages/${page.id}/components`, { name: 'First', position: 2 });
  await service.post(`/v1/pages/${page.id}/notices`, {
    subject: 'Down',
    initial_comment: 'Looking',
    component_ids: [component.id],
  });
  await service.post(`/v1/pages/${page.id}/notices`, { subject: 'News', type: 'general' });
  await service.post(`/v1/pages/${page.id}/subscribers`, { email: 'ada@acme.example', component_ids: [component.id] });
});
afterAll(() => service.stop());

const create = async (name: string, fields: object = {}) =>
  (await service.post('/v1/pages', { name, ...fields })).json.response;
const namesIn = (records: { name?: string; subject?: string }[]) => records.map(({ name, subject }) => name ?? subject);
const listed = async (query: string) => namesIn((await service.get(`/v1/pages?${query}`)).json.response);
const included = async (query: string) => (await service.get(`/v1/pages/${page.id}?${query}`)).json.response;

describe('the list of pages', () => {
  test('is in the order of creation and counts what it holds', async () => {
    for (const name of ['Order b', 'Order a', 'Order c']) await create(name);
    const { status, json } = await service.get('/v1/pages?filter[name_cont]=order');
    expect([status, Object.keys(json), json.count]).toEqual([200, ['response', 'count'], 3]);
    expect(namesIn(json.response)).toEqual(['Order b', 'Order a', 'Order c']);
  });

  test('is shown by pages when it is asked so, and then says where it stands', async () => {
    for (const number of [1, 2, 3]) await create(`Paged ${number}`);
    const { json } = await service.get('/v1/pages?filter[name_cont]=Paged&page=2&per_page=2');
    expect([namesIn(json.response), json.count]).toEqual([['Paged 3'], 1]);
    expect(json.pagination).toEqual({ current: 2, previous: 1, next: null, per_page: 2, pages: 2, count: 3 });
  });

  test('can be narrowed by attributes, computed ones included, and through associations', async () => {
    const calm = await create('Narrow calm', { locale: 'de', support_email: 'Help@Acme.example' });
    const busy = await create('Narrow busy');
    await service.post(`/v1/pages/${busy.id}/notices`, { subject: 'Down' });
    await service.post(`/v1/pages/${calm.id}/components`, { name: 'Engine' });
    const narrowed = (key: string) => listed(`filter[name_cont]=Narrow&filter${key}`);
    expect(await narrowed('[state_eq]=degraded')).toEqual(['Narrow busy']);
    expect(await narrowed('[state_not_eq]=degraded')).toEqual(['Narrow calm']);
    expect(await narrowed('[locale_in][]=de&filter[locale_in][]=')).toEqual(['Narrow calm']);
    expect(await narrowed('[support_email_present]')).toEqual(['Narrow calm']);
    expect(await narrowed(`[endpoint_eq]=${busy.id}.localhost`)).toEqual(['Narrow busy']);
    expect(await narrowed(`[created_at_eq]=${calm.created_at}`)).toContain('Narrow calm');
    expect(await narrowed('[timeline_threshold_in_days_gteq]=3')).toEqual(['Narrow calm', 'Narrow busy']);
    expect(await narrowed('[send_notifications_by_email_eq]=true')).toEqual([]);
    expect(await narrowed('[notices_subject_cont]=down')).toEqual(['Narrow busy']);
    expect(await narrowed('[components_name_eq]=Engine')).toEqual(['Narrow calm']);
    expect(await narrowed('[components_name_not_eq]=Engine')).toEqual(['Narrow busy']);
  });

  test('refuses a filter it does not know, by name', async () => {
    const { status, json } = await service.get('/v1/pages?filter[colour_eq]=red');
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/colour_eq.*name_cont/s);
  });
});

describe('include', () => {
  test('of what a page may have one of is null where there is none, but the brand is always there', async () => {
    const shown = await included('include=brand,custom_domain,theme');
    expect(shown).toMatchObject({ brand: { color_state_ok: '#27ae60' }, custom_domain: null, theme: null });
  });

  test('of lists has their own order', async () => {
    const shown = await included('include=components,notices,subscribers');
    expect(namesIn(shown.components)).toEqual(['First', 'Later']);
    expect(namesIn(shown.notices)).toEqual(['News', 'Down']);
    expect(shown.subscribers).toMatchObject([{ email: 'ada@acme.example', tag_list: '' }]);
    expect([shown.notices[0].updates, shown.notices[0].components, shown.subscribers[0].components]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('nests, and a nested name implies the one it is in', async () => {
    const shown = await included('include=notices.updates,notices.components,subscribers.components');
    expect(shown.notices[1].updates).toMatchObject([{ content: 'Looking', should_publish: false }]);
    expect(namesIn(shown.notices[1].components)).toEqual(['Later']);
    expect(namesIn(shown.subscribers[0].components)).toEqual(['Later']);
    expect(shown.components).toBeUndefined();
  });

  test('works on lists, on create and on update answers', async () => {
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

  test('of a list can be narrowed, on lists of pages too', async () => {
    expect(namesIn((await included('include=notices&filter[notices][state_eq]=investigating')).notices)).toEqual([
      'Down',
    ]);
    expect(namesIn((await included('include=notices&filter[notices][type_in][]=general')).notices)).toEqual(['News']);
    expect(
      namesIn((await included('include=components&filter[components][state_not_eq]=degraded')).components),
    ).toEqual(['First']);
    expect((await included('include=subscribers&filter[subscribers][email_cont]=grace')).subscribers).toEqual([]);
    const [onList] = (
      await service.get('/v1/pages?include=components&filter[name_eq]=Included&filter[components][name_cont]=fir')
    ).json.response;
    expect(namesIn(onList.components)).toEqual(['First']);
  });

  test('narrowing what is not included says nothing', async () => {
    const { status, json } = await service.get(
      `/v1/pages/${page.id}?filter[notices][state_eq]=resolved&filter[name_eq]=Nobody`,
    );
    expect([status, json.response.id]).toEqual([200, page.id]);
  });

  test('of anything else is refused, by name', async () => {
    const { status, json } = await service.get(`/v1/pages/${page.id}?include=brand,updates`);
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/"updates".*notices\.updates/s);
  });
});
