import { beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { recordStatements } from '../../support/statements.js';

const service = useService();
let page: { id: string; path: string };
let ids: Record<string, string>;

/** Core ─ API ─ Search, Core ─ Shop, Mail. */
beforeEach(async () => {
  page = await createPage(service);
  ids = {};
  for (const [name, parent] of [['Core'], ['API', 'Core'], ['Search', 'API'], ['Shop', 'Core'], ['Mail']] as const)
    ids[name] = String((await createComponent(service, page.path, { name, parent_id: parent && ids[parent] })).id);
});

const write = async (mutation: string, names: readonly string[], parent?: string) => {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $ids: [ID!]!${parent === undefined ? '' : ', $parent: ID'}) { result: ${mutation} }`,
    { page: page.id, ids: names.map(name => ids[name] ?? name), ...(parent && { parent: ids[parent] ?? null }) },
  );
  return json.errors ? json.errors[0].extensions : json.data.result;
};
const move = (names: readonly string[], parent: string) =>
  write(
    'moveComponents(pageId: $page, ids: $ids, parentId: $parent) { components { name } userErrors { path code } }',
    names,
    parent,
  );
const remove = (names: readonly string[]) =>
  write(
    'deleteComponents(pageId: $page, ids: $ids) { deletedIds deletedNodeIds components { name } userErrors { path code } }',
    names,
  );
const readTree = async () => {
  const { json } = await service.graphql(
    `{ components(pageId: "${page.id}", orderBy: [{ field: POSITION }]) { nodes { name state parent { name } } } }`,
  );
  return Object.fromEntries(
    json.data.components.nodes.map(({ name, parent }: { name: string; parent: { name: string } | null }) => [
      name,
      parent?.name ?? null,
    ]),
  );
};
const namesOf = ({ components }: { components: { name: string }[] }) => components.map(({ name }) => name);

describe('several components', () => {
  test('move below another one, after those that are there', async () => {
    expect(namesOf(await move(['Mail', 'Search'], 'Core'))).toEqual(['Search', 'Mail']);
    expect(await readTree()).toEqual({ Core: null, API: 'Core', Search: 'Core', Shop: 'Core', Mail: 'Core' });
    const { json } = await service.get(`${page.path}/components`);
    const positions = json.response.map(({ name, position }: { name: string; position: number }) => [name, position]);
    expect(Object.fromEntries(positions)).toMatchObject({ API: 1, Shop: 2, Search: 3, Mail: 4 });
    await move(['API'], 'the root');
    expect((await readTree()).API).toBeNull();
  });

  test('move before a component of their new parent, in the order that they have, in one write', async () => {
    const place = (names: readonly string[], before: string, parent?: string) =>
      service.graphql(
        `mutation ($page: ID!, $ids: [ID!]!, $parent: ID, $before: ID) {
           moveComponents(pageId: $page, ids: $ids, parentId: $parent, beforeId: $before) { userErrors { path code } } }`,
        {
          page: page.id,
          ids: names.map(name => ids[name]),
          parent: parent ? ids[parent] : null,
          before: ids[before],
        },
      );
    await place(['Mail'], 'Core');
    const names = Object.entries(await readTree()).flatMap(([name, parent]) => (parent ? [] : [name]));
    expect(names).toEqual(['Mail', 'Core']);
    await place(['Mail', 'Search'], 'Shop', 'Core');
    expect(await readTree()).toEqual({ Core: null, API: 'Core', Search: 'Core', Shop: 'Core', Mail: 'Core' });
    const { json } = await service.get(`${page.path}/components`);
    const below = json.response.filter(({ parent_id }: { parent_id: number | null }) => parent_id);
    expect(below.map(({ name, position }: { name: string; position: number }) => [name, position])).toEqual([
      ['API', 1],
      ['Search', 2],
      ['Mail', 3],
      ['Shop', 4],
    ]);
    const positions = () =>
      service.database.query<{ id: number }>(
        'select id, position, version from component where page_id = $1 order by id',
        [page.id],
      );
    await service.patch(`${page.path}/components/${ids.Shop}`, { position: 9 });
    const before = await positions();
    // Where all have their place already, nothing is written; elsewhere, what changes place.
    await move(['Shop'], 'Core');
    await move(['Mail', 'Shop'], 'Core');
    await place(['Search', 'Mail'], 'Shop', 'Core');
    expect(await positions()).toEqual(before);
    await place(['Mail'], 'Search', 'Core');
    const isMoved = ({ id }: { id: number }) => [ids.Mail, ids.Search].includes(String(id));
    expect((await positions()).filter(row => !isMoved(row))).toEqual(before.filter(row => !isMoved(row)));
    await place(['Search'], 'Mail', 'Core');
    await move(['API'], 'Core');
    const last = await service.get(`${page.path}/components/${ids.API}`);
    expect(last.json.response.position).toBe(10);
    const refused = await place(['Shop'], 'Mail');
    expect(refused.json.data.moveComponents.userErrors).toEqual([{ path: ['beforeId'], code: 'INVALID' }]);
  });

  test('do not move below one of them, and none moves where one cannot', async () => {
    expect((await move(['Mail', 'Core'], 'Search')).userErrors).toEqual([{ path: ['parentId'], code: 'INVALID' }]);
    expect((await move(['Mail', '999999'], 'Core')).userErrors).toEqual([{ path: ['ids', '1'], code: 'NOT_FOUND' }]);
    expect((await readTree()).Mail).toBeNull();
  });

  test('become the children of one in their order, and those left out move to the root', async () => {
    const arrange = async (name: string, names: readonly string[], fields = '') =>
      (
        await service.graphql(
          `mutation ($ids: [ID!]) { result: updateComponent(id: "${ids[name]}", input: { childIds: $ids ${fields} }) {
            component { name children { nodes { name position } } } userErrors { path code } } }`,
          { ids: names.map(each => ids[each] ?? each) },
        )
      ).json.data.result;
    const arranged = await arrange('Core', ['Mail', 'Shop', 'Search', 'Mail']);
    expect(arranged.component.children.nodes).toEqual([
      { name: 'Mail', position: 1 },
      { name: 'Shop', position: 2 },
      { name: 'Search', position: 3 },
    ]);
    expect(await readTree()).toEqual({ Core: null, API: null, Mail: 'Core', Shop: 'Core', Search: 'Core' });
    // Nothing is written where one of them cannot be a child, the name neither.
    const refused = [['childIds']];
    for (const [name, names, fields] of [
      ['Core', ['Core'], 'name: "Renamed"'],
      ['Shop', ['Core'], 'name: "Renamed"'],
      ['API', ['Shop'], `parentId: "${ids.Shop}" name: "Renamed"`],
    ] as const)
      expect(
        (await arrange(name, names, fields)).userErrors.map(({ path }: { path: string[] }) => path.slice(-1)),
      ).toEqual(refused);
    expect((await arrange('Core', ['999999'], 'name: "Renamed"')).userErrors).toEqual([
      { path: ['input', 'childIds', '0'], code: 'NOT_FOUND' },
    ]);
    expect(Object.keys(await readTree())).not.toContain('Renamed');
    expect((await arrange('Core', [])).component.children.nodes).toEqual([]);
    expect(Object.values(await readTree())).toEqual([null, null, null, null, null]);
  });

  test('are arranged by as many statements, however many they are', async () => {
    const count = async (components: number) => {
      const parent = await createComponent(service, page.path, { name: 'Parent' });
      const childIds: string[] = [];
      for (let index = 0; index < components; index++)
        childIds.unshift(String((await createComponent(service, page.path, { name: `Child ${index}` })).id));
      const document = `mutation ($ids: [ID!]) { updateComponent(id: "${parent.id}", input: { childIds: $ids }) {
        component { children { nodes { id } } } } }`;
      let arranged: { id: string }[] = [];
      const statements = await recordStatements(service.database, async () => {
        const { json } = await service.graphql(document, { ids: childIds });
        arranged = json.data.updateComponent.component.children.nodes;
      });
      expect(arranged.map(({ id }) => id)).toEqual(childIds);
      return statements.length;
    };
    const few = await count(2);
    expect(few).toBeGreaterThan(0);
    expect(await count(12)).toBe(few);
  });

  test('are deleted with the states of those above, and children move to the nearest one that stays', async () => {
    await service.graphql(
      `mutation { setComponentStatus(id: "${ids.Search}", input: { status: DEGRADED }) { page { id } } }`,
    );
    const deleted = await remove(['API', 'Core']);
    expect(deleted.deletedIds).toEqual([ids.Core, ids.API].toSorted((one, other) => Number(one) - Number(other)));
    expect(deleted.deletedNodeIds).toHaveLength(2);
    expect(namesOf(deleted).toSorted()).toEqual(['Search', 'Shop']);
    expect(await readTree()).toEqual({ Search: null, Shop: null, Mail: null });
  });

  test('are deleted where a parent stays, whose state follows', async () => {
    await service.graphql(
      `mutation { setComponentStatus(id: "${ids.Search}", input: { status: DEGRADED }) { page { id } } }`,
    );
    expect(namesOf(await remove(['Search', 'API']))).toEqual(['Core']);
    const { json } = await service.get(`${page.path}/components/${ids.Core}`);
    expect(json.response.state).toBe('operational');
    expect((await remove(['Mail', 'Search'])).userErrors).toEqual([{ path: ['ids', '1'], code: 'NOT_FOUND' }]);
    expect(Object.keys(await readTree())).toContain('Mail');
  });

  test('are not deleted at once where subscribers have chosen them 30,000 times, and one is in any case', async () => {
    await service.database.query(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
       select $1, n || '@many.example', 'test', at, at, at
       from generate_series(1, 15001) n, (select clock_timestamp() as at) at`,
      [page.id],
    );
    await service.database.query(
      `insert into subscriber_component (subscriber_id, component_id)
       select s.id, c.id from subscriber s join component c on c.page_id = s.page_id where s.page_id = $1`,
      [page.id],
    );
    expect(await remove(['API', 'Mail'])).toMatchObject({ userErrors: [{ path: ['ids'], code: 'INVALID' }] });
    for (const name of ['API', 'Mail']) expect(await remove([name])).toMatchObject({ userErrors: [] });
  });
});
