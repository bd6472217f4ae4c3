import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeComponentStates } from '../../../src/components/component.states.js';
import type { TreeNode } from '../../../src/components/component-tree.js';
import { presentSql } from '../../../src/notices/notice.states.js';
import { invalidBody, versionAt } from '../../support/record-rules.js';
import {
  type CreatedRecord,
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
} from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { recordStatements } from '../../support/statements.js';
import { seed } from '../../support/property-runs.js';

const service = useService();

type Component = CreatedRecord;

const add = async (page: string, parent?: Component): Promise<Component> =>
  await createComponent(service, page, { name: 'API', parent_id: parent?.id ?? null });
const componentPath = (page: string, { id }: { id: number }) => `${page}/components/${id}`;
const read = async (page: string, component: Component): Promise<Component> =>
  (await service.get(componentPath(page, component))).json.response;
const readStates = async (page: string, ...components: Component[]) => {
  const { response } = (await service.get(`${page}/components`)).json as { response: Component[] };
  return components.map(({ id }) => response.find(component => component.id === id)?.state);
};
const openNotice = async (page: string, components: Component[], fields: object = {}): Promise<{ id: number }> =>
  await createNotice(service, page, { subject: 'Down', component_ids: components.map(({ id }) => id), ...fields });
const updateNotice = (page: string, notice: { id: number }, fields: object) =>
  service.patch(`${page}/notices/${notice.id}`, fields);

const operational = 'operational';
const degraded = 'degraded';
const partially = 'partially-degraded';
const window = { begins_at_date: '2040-01-01', begins_at_time: '10:00', duration_in_minutes: 30 };

describe('the component tree', () => {
  test('refuses a component of another page as a parent', async () => {
    const page = (await createPage(service)).path;
    const foreign = await add((await createPage(service)).path);
    const refusal = invalidBody({ parent_id: ['is invalid'] });
    expect((await service.post(`${page}/components`, { name: 'a', parent_id: foreign.id })).json).toEqual(refusal);
    expect((await service.patch(componentPath(page, await add(page)), { parent_id: foreign.id })).json).toEqual(
      refusal,
    );
  });

  test('refuses the component itself and its descendants as its parent', async () => {
    const { path: page } = await createPage(service);
    const root = await add(page);
    const child = await add(page, root);
    const grandchild = await add(page, child);
    for (const below of [root, child, grandchild]) {
      const { status, json } = await service.patch(componentPath(page, root), { parent_id: below.id });
      expect([status, json]).toEqual([422, invalidBody({ parent_id: ['is invalid'] })]);
    }
    expect((await service.patch(componentPath(page, grandchild), { parent_id: root.id })).json.response.parent_id).toBe(
      root.id,
    );
  });

  test('stays free of cycles when two moves are sent at once', async () => {
    const { path: page } = await createPage(service);
    const one = await add(page);
    const other = await add(page);
    const moves = await Promise.all([
      service.patch(componentPath(page, one), { parent_id: other.id }),
      service.patch(componentPath(page, other), { parent_id: one.id }),
    ]);
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('moves the children of a deleted component to its parent, and no others', async () => {
    const { path: page } = await createPage(service);
    const root = await add(page);
    const middle = await add(page, root);
    const bystander = await add(page, root);
    const leaf = await add(page, middle);
    const deleted = await service.delete(componentPath(page, middle));
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const moved = await read(page, leaf);
    expect(moved).toEqual({ ...leaf, parent_id: root.id, updated_at: moved.updated_at });
    expect(await versionAt(service, componentPath(page, leaf))).toBe(2);
    expect(await read(page, bystander)).toEqual(bystander);
    await service.delete(componentPath(page, root));
    expect([(await read(page, leaf)).parent_id, (await read(page, bystander)).parent_id]).toEqual([null, null]);
  });
});

describe('the component state', () => {
  test('is degraded by an ongoing notice, partially for ancestors and descendants, and not for siblings', async () => {
    const { path: page } = await createPage(service);
    const root = await add(page);
    const named = await add(page, root);
    const sibling = await add(page, root);
    const below = await add(page, await add(page, named));
    const elsewhere = await add(page);
    const notice = await openNotice(page, [named]);
    const all = [root, named, sibling, below, elsewhere];
    expect(await readStates(page, ...all)).toEqual([partially, degraded, operational, partially, operational]);
    await updateNotice(page, notice, { state: 'resolved' });
    expect(await readStates(page, ...all)).toEqual(all.map(() => operational));
    await updateNotice(page, notice, { state: 'recovering' });
    expect(await readStates(page, named)).toEqual([degraded]);
    await service.delete(`${page}/notices/${notice.id}`);
    expect(await readStates(page, ...all)).toEqual(all.map(() => operational));
  });

  test('follows the components that a notice names, and stays while another notice is ongoing', async () => {
    const { path: page } = await createPage(service);
    const one = await add(page);
    const other = await add(page);
    const notice = await openNotice(page, [one]);
    const second = await openNotice(page, [one, other], { state: 'identified' });
    await updateNotice(page, notice, { component_ids: [other.id] });
    expect(await readStates(page, one, other)).toEqual([degraded, degraded]);
    await updateNotice(page, second, { component_ids: [] });
    expect(await readStates(page, one, other)).toEqual([operational, degraded]);
  });

  test('depends on planned notices only while they are underway, and never on general ones', async () => {
    const { path: page } = await createPage(service);
    const component = await add(page);
    await openNotice(page, [component], { type: 'general' });
    const planned = await openNotice(page, [component], { type: 'planned', ...window });
    const states: (string | undefined)[] = [];
    for (const state of ['scheduled', 'underway', 'cancelled', 'underway', 'complete']) {
      await updateNotice(page, planned, { state });
      states.push(...(await readStates(page, component)));
    }
    expect(states).toEqual([operational, degraded, operational, degraded, operational]);
  });

  test('follows a move within the tree and a deletion', async () => {
    const { path: page } = await createPage(service);
    const parent = await add(page);
    const named = await add(page);
    await openNotice(page, [named]);
    await service.patch(componentPath(page, named), { parent_id: parent.id });
    expect(await readStates(page, parent, named)).toEqual([partially, degraded]);
    const added = await add(page, named);
    expect(added.state).toBe(partially);
    await service.delete(componentPath(page, named));
    expect(await readStates(page, parent, added)).toEqual([operational, operational]);
  });

  test('is what the notices and the tree say, after any sequence of writes', async () => {
    const write = fc.record({
      kind: fc.constantFrom('add', 'move', 'remove', 'open', 'open', 'rename', 'advance', 'delete'),
      one: fc.nat(99),
      other: fc.nat(99),
      some: fc.array(fc.nat(99), { maxLength: 3 }),
      state: fc.constantFrom('investigating', 'recovering', 'resolved', 'false_alarm'),
    });
    const writes = fc.array(write, { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(writes, async given => {
        const { id, path: page } = await createPage(service);
        const components: number[] = [];
        const notices: number[] = [];
        const pick = (ids: readonly number[], number: number) => ids[number % ids.length] ?? null;
        const pickSome = (numbers: readonly number[]) => [...new Set(numbers.map(one => pick(components, one)))];
        const addBelow = async (number: number) =>
          components.push((await createComponent(service, page, { parent_id: pick(components, number) })).id);
        for (let count = 0; count < 8; count++) await addBelow(count * 5);
        for (const { kind, one, other, some, state } of given) {
          const component = `${page}/components/${pick(components, one)}`;
          const notice = `${page}/notices/${pick(notices, one)}`;
          if (kind === 'add') await addBelow(one);
          // Refused when the parent is below the component.
          if (kind === 'move') await service.patch(component, { parent_id: pick(components, other) });
          if (kind === 'remove') {
            await service.delete(component);
            components.splice(one % components.length, 1);
          }
          if (kind === 'open')
            notices.push((await createNotice(service, page, { component_ids: pickSome(some), state })).id);
          if (kind === 'rename') await service.patch(notice, { component_ids: pickSome(some) });
          if (kind === 'advance') await service.patch(notice, { state });
          if (kind === 'delete') {
            await service.delete(notice);
            notices.splice(one % notices.length, 1);
          }
        }
        const tree = await service.database.query<TreeNode & { state: string; isDegraded: boolean }>(
          `select id, parent_id as "parentId", state, id in (
             select nc.component_id from notice n join notice_component nc on nc.notice_id = n.id
             where ${presentSql('n.state')}) as "isDegraded"
           from component where page_id = $1`,
          [id],
        );
        const expected = computeComponentStates(
          tree,
          new Set(tree.filter(({ isDegraded }) => isDegraded).map(node => node.id)),
        );
        expect(new Map(tree.map(node => [node.id, node.state]))).toEqual(expected);
      }),
      { seed, numRuns: 2 },
    );
  });

  test('is recomputed only when a component is newly named or no longer, or moves', async () => {
    const { path: page } = await createPage(service);
    const root = await add(page);
    const other = await add(page);
    const named = await add(page, root);
    const notice = await openNotice(page, [other]);
    const countReads = async (work: () => Promise<unknown>) =>
      (await recordStatements(service.database, work)).filter(statement => statement.includes('"isDegraded"')).length;
    expect(await countReads(() => updateNotice(page, notice, { component_ids: [other.id, named.id] }))).toBe(1);
    expect(await countReads(() => updateNotice(page, notice, { subject: 'Slow', state: 'identified' }))).toBe(0);
    // A new notice finds its components by the same statement.
    expect(await countReads(() => openNotice(page, [named], { type: 'planned', ...window }))).toBe(1);
    expect(await countReads(() => service.patch(componentPath(page, root), { name: 'Core' }))).toBe(0);
    expect(await countReads(() => service.patch(componentPath(page, named), { parent_id: other.id }))).toBe(1);
  });

  test('takes as many statements in a tree of 500 levels as in one of three', async () => {
    const countStatements = async (levels: number) => {
      const { path: page, id } = await createPage(service);
      const root = await add(page);
      await service.database.query(
        `insert into component (page_id, name, position, parent_id, created_at, updated_at)
         select $1, 'API', level, (select max(id) from component) + level - 2, now(), now()
         from generate_series(2, $2::integer) level`,
        [id, levels],
      );
      const [{ leaf }] = (await service.database.query<{ leaf: number }>(
        'select max(id) as leaf from component where page_id = $1',
        [id],
      )) as [{ leaf: number }];
      const statements = await recordStatements(service.database, () => openNotice(page, [{ ...root, id: leaf }]));
      const counts = await service.database.query<{ state: string; count: number }>(
        'select state, count(*)::integer as count from component where page_id = $1 group by state order by count',
        [id],
      );
      expect(counts).toEqual([
        { state: degraded, count: 1 },
        { state: partially, count: levels - 1 },
      ]);
      return statements.length;
    };
    expect(await countStatements(500)).toBe(await countStatements(3));
  });

  test('cannot be set directly', async () => {
    const { path: page } = await createPage(service);
    const component = await add(page);
    expect((await service.patch(componentPath(page, component), { state: degraded })).json.response).toEqual(component);
  });

  test('changes neither updated_at nor the version of the component', async () => {
    const { path: page } = await createPage(service);
    const parent = await add(page);
    const named = await add(page, parent);
    const notice = await openNotice(page, [named, parent]);
    await updateNotice(page, notice, { component_ids: [named.id] });
    expect(await read(page, named)).toEqual({ ...named, state: degraded });
    expect(await read(page, parent)).toEqual({ ...parent, state: partially });
    await updateNotice(page, notice, { state: 'resolved' });
    for (const component of [named, parent]) {
      expect(await read(page, component)).toEqual(component);
      expect(await versionAt(service, componentPath(page, component))).toBe(1);
    }
  });

  test('changes the ETag, so that a client with the old state gets the new one', async () => {
    const { path: page } = await createPage(service);
    const component = await add(page);
    const before = (await service.get(componentPath(page, component))).headers.get('etag')!;
    await openNotice(page, [component]);
    expect((await service.get(componentPath(page, component), { headers: { 'if-none-match': before } })).status).toBe(
      200,
    );
    expect(
      (await service.patch(componentPath(page, component), { name: 'Mine' }, { headers: { 'if-match': before } }))
        .status,
    ).toBe(200);
  });
});

describe('deleting a component', () => {
  test('removes it from notices, subscribers and templates', async () => {
    const { path: page } = await createPage(service);
    const gone = await add(page);
    const left = await add(page);
    const notice = await openNotice(page, [gone, left]);
    const subscriber = await createSubscriber(service, page, {
      email: 'ada@acme.example',
      component_ids: [gone.id, left.id],
    });
    const template = await createTemplate(service, page, { name: 'Down', component_id: gone.id });
    await service.delete(componentPath(page, gone));
    const componentIdsOf = async (path: string) =>
      (await service.get(`${page}/${path}?include=components`)).json.response.components.map(({ id }: Component) => id);
    expect(await componentIdsOf(`notices/${notice.id}`)).toEqual([left.id]);
    expect(await componentIdsOf(`subscribers/${subscriber.id}`)).toEqual([left.id]);
    const { component_id: _, ...unscoped } = template;
    const now = (await service.get(`${page}/notice_templates/${template.id}`)).json.response;
    expect(now).toEqual({ ...unscoped, updated_at: now.updated_at });
    expect(await versionAt(service, `${page}/notice_templates/${template.id}`)).toBe(2);
  });

  test('does not subscribe those who chose it to all components', async () => {
    const { path: page } = await createPage(service);
    const gone = await add(page);
    const other = await add(page);
    await service.post(`${page}/subscribers`, { email: 'ada@acme.example', component_ids: [gone.id] });
    await service.post(`${page}/subscribers`, { email: 'all@acme.example' });
    await service.delete(componentPath(page, gone));
    const { response } = (await service.get(`${page}/subscribers?filter[for_component]=${other.id}`)).json;
    expect(response.map(({ email }: { email: string }) => email)).toEqual(['all@acme.example']);
  });
});
