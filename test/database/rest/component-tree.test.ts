import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused, versionAt } from '../../support/record-rules.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Component {
  id: number;
  state: string;
  parent_id: number | null;
  updated_at: string;
}

const newPage = async () => `/v1/pages/${(await service.post('/v1/pages', { name: 'Acme' })).json.response.id}`;
const add = async (page: string, parent?: Component): Promise<Component> =>
  (await service.post(`${page}/components`, { name: 'API', parent_id: parent?.id ?? null })).json.response;
const pathOf = (page: string, { id }: { id: number }) => `${page}/components/${id}`;
const read = async (page: string, component: Component): Promise<Component> =>
  (await service.get(pathOf(page, component))).json.response;
const statesOf = async (page: string, ...components: Component[]) => {
  const { response } = (await service.get(`${page}/components`)).json as { response: Component[] };
  return components.map(({ id }) => response.find(one => one.id === id)?.state);
};
const open = async (page: string, components: Component[], fields: object = {}): Promise<{ id: number }> =>
  (await service.post(`${page}/notices`, { subject: 'Down', component_ids: components.map(({ id }) => id), ...fields }))
    .json.response;
const change = (page: string, notice: { id: number }, fields: object) =>
  service.patch(`${page}/notices/${notice.id}`, fields);

const [operational, degraded, partially] = ['operational', 'degraded', 'partially-degraded'];
const window = { begins_at_date: '2040-01-01', begins_at_time: '10:00', duration_in_minutes: 30 };

describe('the tree', () => {
  test('refuses a component of another page as a parent', async () => {
    const [page, foreign] = [await newPage(), await add(await newPage())];
    const refusal = refused({ parent_id: ['is invalid'] });
    expect((await service.post(`${page}/components`, { name: 'a', parent_id: foreign.id })).json).toEqual(refusal);
    expect((await service.patch(pathOf(page, await add(page)), { parent_id: foreign.id })).json).toEqual(refusal);
  });

  test('refuses a component as its own parent, and one of its descendants', async () => {
    const page = await newPage();
    const root = await add(page);
    const child = await add(page, root);
    const grandchild = await add(page, child);
    for (const below of [root, child, grandchild]) {
      const { status, json } = await service.patch(pathOf(page, root), { parent_id: below.id });
      expect([status, json]).toEqual([422, refused({ parent_id: ['is invalid'] })]);
    }
    expect((await service.patch(pathOf(page, grandchild), { parent_id: root.id })).json.response.parent_id).toBe(
      root.id,
    );
  });

  test('cannot be made a circle by two moves at once', async () => {
    const page = await newPage();
    const [one, other] = [await add(page), await add(page)];
    const moves = await Promise.all([
      service.patch(pathOf(page, one), { parent_id: other.id }),
      service.patch(pathOf(page, other), { parent_id: one.id }),
    ]);
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('closes up when a component is deleted: its children move to its parent, and nobody else moves', async () => {
    const page = await newPage();
    const root = await add(page);
    const [middle, bystander] = [await add(page, root), await add(page, root)];
    const leaf = await add(page, middle);
    const deleted = await service.delete(pathOf(page, middle));
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const moved = await read(page, leaf);
    expect(moved).toEqual({ ...leaf, parent_id: root.id, updated_at: moved.updated_at });
    expect(await versionAt(service, pathOf(page, leaf))).toBe(2);
    expect(await read(page, bystander)).toEqual(bystander);
    await service.delete(pathOf(page, root));
    expect([(await read(page, leaf)).parent_id, (await read(page, bystander)).parent_id]).toEqual([null, null]);
  });
});

describe('the state', () => {
  test('is degraded by a present notice, partially so above and below it, and not beside it', async () => {
    const page = await newPage();
    const root = await add(page);
    const [named, sibling] = [await add(page, root), await add(page, root)];
    const below = await add(page, await add(page, named));
    const elsewhere = await add(page);
    const notice = await open(page, [named]);
    const all = [root, named, sibling, below, elsewhere];
    expect(await statesOf(page, ...all)).toEqual([partially, degraded, operational, partially, operational]);
    await change(page, notice, { state: 'resolved' });
    expect(await statesOf(page, ...all)).toEqual(all.map(() => operational));
    await change(page, notice, { state: 'recovering' });
    expect(await statesOf(page, named)).toEqual([degraded]);
    await service.delete(`${page}/notices/${notice.id}`);
    expect(await statesOf(page, ...all)).toEqual(all.map(() => operational));
  });

  test('follows the components that a notice names, and stays while another notice is present', async () => {
    const page = await newPage();
    const [one, other] = [await add(page), await add(page)];
    const notice = await open(page, [one]);
    const second = await open(page, [one, other], { state: 'identified' });
    await change(page, notice, { component_ids: [other.id] });
    expect(await statesOf(page, one, other)).toEqual([degraded, degraded]);
    await change(page, second, { component_ids: [] });
    expect(await statesOf(page, one, other)).toEqual([operational, degraded]);
  });

  test('minds planned notices only while they are underway, and general ones never', async () => {
    const page = await newPage();
    const component = await add(page);
    await open(page, [component], { type: 'general' });
    const planned = await open(page, [component], { type: 'planned', ...window });
    const seen: (string | undefined)[] = [];
    for (const state of ['scheduled', 'underway', 'cancelled', 'underway', 'complete']) {
      await change(page, planned, { state });
      seen.push(...(await statesOf(page, component)));
    }
    expect(seen).toEqual([operational, degraded, operational, degraded, operational]);
  });

  test('follows a move in the tree and a deletion', async () => {
    const page = await newPage();
    const [parent, named] = [await add(page), await add(page)];
    await open(page, [named]);
    await service.patch(pathOf(page, named), { parent_id: parent.id });
    expect(await statesOf(page, parent, named)).toEqual([partially, degraded]);
    const newborn = await add(page, named);
    expect(newborn.state).toBe(partially);
    await service.delete(pathOf(page, named));
    expect(await statesOf(page, parent, newborn)).toEqual([operational, operational]);
  });

  test('is never set directly', async () => {
    const page = await newPage();
    const component = await add(page);
    expect((await service.patch(pathOf(page, component), { state: degraded })).json.response).toEqual(component);
  });

  test('answers filters', async () => {
    const page = await newPage();
    const parent = await add(page);
    const named = await add(page, parent);
    await open(page, [named]);
    const narrowed = async (filter: string) =>
      (await service.get(`${page}/components?${filter}`)).json.response.map(({ id }: Component) => id);
    expect(await narrowed('filter[state_eq]=degraded')).toEqual([named.id]);
    expect(await narrowed('filter[state_in][]=partially-degraded&filter[state_in][]=operational')).toEqual([parent.id]);
    expect((await service.get(`${page}/notices?filter[components_state_eq]=degraded`)).json.count).toBe(1);
  });

  test('is no write to the component: neither its move nor a notice that names it touches updated_at and version', async () => {
    const page = await newPage();
    const parent = await add(page);
    const named = await add(page, parent);
    const notice = await open(page, [named, parent]);
    await change(page, notice, { component_ids: [named.id] });
    expect(await read(page, named)).toEqual({ ...named, state: degraded });
    expect(await read(page, parent)).toEqual({ ...parent, state: partially });
    await change(page, notice, { state: 'resolved' });
    for (const component of [named, parent]) {
      expect(await read(page, component)).toEqual(component);
      expect(await versionAt(service, pathOf(page, component))).toBe(1);
    }
  });

  test('moves the tag of the answer all the same: a reader who has the old state is told', async () => {
    const page = await newPage();
    const component = await add(page);
    const before = (await service.get(pathOf(page, component))).headers.get('etag')!;
    await open(page, [component]);
    expect((await service.get(pathOf(page, component), { headers: { 'if-none-match': before } })).status).toBe(200);
    expect(
      (await service.patch(pathOf(page, component), { name: 'Mine' }, { headers: { 'if-match': before } })).status,
    ).toBe(200);
  });
});

describe('deleting a component', () => {
  test('unlinks its notices, subscribers and templates', async () => {
    const page = await newPage();
    const [gone, left] = [await add(page), await add(page)];
    const notice = await open(page, [gone, left]);
    const subscriber = (
      await service.post(`${page}/subscribers`, { email: 'ada@acme.example', component_ids: [gone.id, left.id] })
    ).json.response;
    const template = (await service.post(`${page}/notice_templates`, { name: 'Down', component_id: gone.id })).json
      .response;
    await service.delete(pathOf(page, gone));
    const namedBy = async (path: string) =>
      (await service.get(`${page}/${path}?include=components`)).json.response.components.map(({ id }: Component) => id);
    expect(await namedBy(`notices/${notice.id}`)).toEqual([left.id]);
    expect(await namedBy(`subscribers/${subscriber.id}`)).toEqual([left.id]);
    const { component_id: _, ...unscoped } = template;
    const now = (await service.get(`${page}/notice_templates/${template.id}`)).json.response;
    expect(now).toEqual({ ...unscoped, updated_at: now.updated_at });
    expect(await versionAt(service, `${page}/notice_templates/${template.id}`)).toBe(2);
  });

  test('does not make those who chose it hear of everything', async () => {
    const page = await newPage();
    const [gone, other] = [await add(page), await add(page)];
    await service.post(`${page}/subscribers`, { email: 'ada@acme.example', component_ids: [gone.id] });
    await service.post(`${page}/subscribers`, { email: 'all@acme.example' });
    await service.delete(pathOf(page, gone));
    const { response } = (await service.get(`${page}/subscribers?filter[for_component]=${other.id}`)).json;
    expect(response.map(({ email }: { email: string }) => email)).toEqual(['all@acme.example']);
  });
});
