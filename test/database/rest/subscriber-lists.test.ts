import { describe, expect, test } from '@jest/globals';
import { expectSameNotFound, invalidBody, versionAt } from '../../support/record-rules.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

const addComponent = async (page: string, name: string, fields: object = {}): Promise<number> =>
  (await createComponent(service, page, { name, ...fields })).id;
const post = (page: string, fields: object) => service.post(`${page}/subscribers`, fields);
const addSubscriber = async (page: string, name: string, fields: object = {}): Promise<number> =>
  (await createSubscriber(service, page, { email: `${name}@acme.example`, ...fields })).id;
const list = async (page: string, query = ''): Promise<string[]> =>
  (await service.get(`${page}/subscribers?${query}`)).json.response.map(
    ({ email }: { email: string }) => email.split('@')[0]!,
  );
const namesIn = (records: { name: string }[]) => records.map(({ name }) => name);
const readComponentNames = async (page: string, id: number) =>
  namesIn((await service.get(`${page}/subscribers/${id}?include=components`)).json.response.components);

describe('the components of a subscriber', () => {
  test('are included by position, and are empty for all components', async () => {
    const { path: page } = await createPage(service);
    const low = await addComponent(page, 'Low', { position: 9 });
    const high = await addComponent(page, 'High', { position: 1 });
    expect(
      await readComponentNames(page, await addSubscriber(page, 'ada', { component_ids: [low, high, low] })),
    ).toEqual(['High', 'Low']);
    expect(await readComponentNames(page, await addSubscriber(page, 'grace', { component_ids: [] }))).toEqual([]);
    const { json } = await service.get(`${page}/subscribers?include=components`);
    expect(json.response.map(({ components }: { components: { name: string }[] }) => namesIn(components))).toEqual([
      ['High', 'Low'],
      [],
    ]);
    expect((await service.get(`${page}/subscribers`)).json.response[0]).not.toHaveProperty('components');
    const created = await service.post(`${page}/subscribers?include=components`, {
      email: 'a@acme.example',
      component_ids: String(low),
    });
    expect(namesIn(created.json.response.components)).toEqual(['Low']);
  });

  test('are replaced as a whole; omitted keeps them, blank selects all', async () => {
    const { path: page } = await createPage(service);
    const one = await addComponent(page, 'One');
    const two = await addComponent(page, 'Two');
    const id = await addSubscriber(page, 'ada', { component_ids: [one] });
    const path = `${page}/subscribers/${id}`;
    await service.patch(path, { component_ids: [two] });
    expect(await readComponentNames(page, id)).toEqual(['Two']);
    await service.patch(path, { company: 'Acme' });
    expect(await readComponentNames(page, id)).toEqual(['Two']);
    expect(await versionAt(service, path)).toBe(3);
    await service.call('PATCH', path, { form: 'component_ids[]=' });
    expect([await readComponentNames(page, id), await list(page, `filter[for_component]=${one}`)]).toEqual([
      [],
      ['ada'],
    ]);
    await service.patch(path, { component_ids: [two] });
    await service.patch(path, { component_ids: null });
    expect(await list(page, `filter[for_component]=${one}`)).toEqual(['ada']);
  });

  test('must belong to the page', async () => {
    const { path: page } = await createPage(service);
    const own = await addComponent(page, 'Own');
    const foreign = await addComponent((await createPage(service)).path, 'Foreign');
    const refusal = invalidBody({ component_ids: ['is invalid'] });
    for (const invalidIds of [
      [own, foreign],
      [2147483647],
      ['x'],
      `${own}e0`,
      [`0x${own.toString(16)}`],
      [`${own}.0`],
      [-own],
      '99999999999999999999',
    ]) {
      expect((await post(page, { email: 'ada@acme.example', component_ids: invalidIds })).json).toEqual(refusal);
    }
    expect(await list(page)).toEqual([]);
  });
});

describe('filter[for_component]', () => {
  test('returns subscribers of that component and of all components', async () => {
    const { path: page } = await createPage(service);
    const one = await addComponent(page, 'One');
    const two = await addComponent(page, 'Two');
    await addSubscriber(page, 'all');
    await addSubscriber(page, 'one', { component_ids: [one] });
    await addSubscriber(page, 'both', { component_ids: [one, two] });
    expect(await list(page, `filter[for_component]=${one}`)).toEqual(['all', 'one', 'both']);
    expect(await list(page, `filter[for_component]=${two}`)).toEqual(['all', 'both']);
    expect(await list(page, `filter[for_component]=${two}&filter[email_cont]=both`)).toEqual(['both']);
    expect(await list(page, 'filter[for_component]=2147483647')).toEqual(['all']);
    expect(await list(page, 'filter[for_component]=')).toEqual(['all', 'one', 'both']);
  });

  test('accepts an id only', async () => {
    const { status, json } = await service.get(
      `${(await createPage(service)).path}/subscribers?filter[for_component]=api`,
    );
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/for_component.*"api"/);
  });
});

describe('the list of subscribers', () => {
  test('is in the order of creation, with a count, and paginated on request', async () => {
    const { path: page } = await createPage(service);
    for (const name of ['c', 'a', 'b']) await addSubscriber(page, name);
    const { json } = await service.get(`${page}/subscribers`);
    expect([Object.keys(json), json.count, await list(page)]).toEqual([['response', 'count'], 3, ['c', 'a', 'b']]);
    const second = (await service.get(`${page}/subscribers?per_page=2&page=2`)).json;
    expect([second.count, second.pagination]).toEqual([
      1,
      { current: 2, previous: 1, next: null, per_page: 2, pages: 2, count: 3 },
    ]);
  });
});

describe('unconfirmed and unsubscribed subscribers', () => {
  interface Hidden {
    email?: string;
    phone?: string;
    confirmed?: boolean;
    left?: boolean;
  }

  /** Inserts a row as the public page does, since the API cannot create one. */
  const insertHidden = async (
    page: string,
    { email, phone, confirmed = false, left = false }: Hidden,
  ): Promise<number> => {
    const [row] = await service.database.query<{ id: number }>(
      `insert into subscriber (page_id, email, phone_number, first_name, tag_list, chose_components,
         confirmed_at, unsubscribed_at, consent_source, created_at, updated_at)
       values ($1, $2, $3, 'Before', '{old}', true,
         case when $4::boolean then now() end, case when $5::boolean then now() end, 'page', now(), now())
       returning id`,
      [page.split('/').at(-1), email ?? null, phone ?? null, confirmed, left],
    );
    return row!.id;
  };

  const hiddenSubscribers: [string, Hidden][] = [
    ['an unconfirmed subscriber', {}],
    ['an unsubscribed one', { confirmed: true, left: true }],
  ];

  test.each(hiddenSubscribers)('%s is not found', async (_, hidden) => {
    const { path: page } = await createPage(service);
    const id = await insertHidden(page, { email: 'ada@acme.example', ...hidden });
    const path = `${page}/subscribers/${id}`;
    expect((await service.get(`${page}/subscribers`)).json).toEqual({ response: [], count: 0 });
    expect((await service.get(`${page}/subscribers?page=1`)).json.pagination.count).toBe(0);
    expect((await service.get(`${page}?include=subscribers`)).json.response.subscribers).toEqual([]);
    expectSameNotFound('subscriber', [
      await service.get(path),
      await service.patch(path, { email: '' }),
      await service.delete(path),
    ]);
    const query =
      'query($page: ID!) { subscribers(pageId: $page) { totalCount } page(id: $page) { subscribers { nodes { id } } } }';
    const { data } = (await service.graphql(query, { page: page.split('/').at(-1) })).json;
    expect(data).toEqual({ subscribers: { totalCount: 0 }, page: { subscribers: { nodes: [] } } });
  });

  test.each(hiddenSubscribers)('creating over %s is a new consent', async (_, hidden) => {
    const { path: page } = await createPage(service);
    const other = await addComponent(page, 'Other');
    await insertHidden(page, { email: 'Ada@acme.example', ...hidden });
    const response = await post(page, { email: 'ada@acme.example' });
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      `${page}/subscribers/${response.json.response.id}`,
    ]);
    expect(response.json.response).toMatchObject({ email: 'ada@acme.example', first_name: null, tag_list: '' });
    expect(await list(page, `filter[for_component]=${other}`)).toEqual(['ada']);
    const consents = await service.database.query(
      `select consent_source, confirmed_at is not null as confirmed, unsubscribed_at
       from subscriber where page_id = $1`,
      [page.split('/').at(-1)],
    );
    expect(consents).toEqual([{ consent_source: 'interface', confirmed: true, unsubscribed_at: null }]);
    expect((await post(page, { email: 'ada@acme.example' })).json).toEqual(
      invalidBody({ email: ['has already been taken'] }),
    );
  });

  test('creating over two of them, one by address and one by number, replaces both', async () => {
    const { path: page } = await createPage(service);
    await insertHidden(page, { email: 'ada@acme.example' });
    await insertHidden(page, { phone: '+447946000000', confirmed: true, left: true });
    const { status, json } = await post(page, { email: 'ada@acme.example', phone_number: '+447946000000' });
    expect([status, json.response.phone_number]).toEqual([201, '+447946000000']);
    expect(
      await service.database.query('select count(*)::integer as stored from subscriber where page_id = $1', [
        page.split('/').at(-1),
      ]),
    ).toEqual([{ stored: 1 }]);
  });

  test('a refused create keeps them', async () => {
    const { path: page } = await createPage(service);
    const id = await insertHidden(page, { email: 'ada@acme.example', confirmed: true, left: true });
    expect((await post(page, { email: 'ada@acme.example', component_ids: [2147483647] })).status).toBe(422);
    const [row] = await service.database.query(
      'select consent_source, unsubscribed_at is not null as gone from subscriber where id = $1',
      [id],
    );
    expect(row).toEqual({ consent_source: 'page', gone: true });
  });
});
