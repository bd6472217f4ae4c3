import { expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

test('the children of a deleted component follow their new siblings in the order that they had', async () => {
  const page = await createPage(service);
  const create = async (name: string, parent_id?: number) =>
    (await createComponent(service, page.path, { name, parent_id })).id as number;
  const group = await create('Group');
  await create('API');
  const inner = await create('Inner', group);
  for (const name of ['First', 'Second']) await create(name, inner);
  await service.graphql(
    `mutation { deleteComponents(pageId: "${page.id}", ids: [${group}, ${inner}]) { page { id } } }`,
  );
  const { json } = await service.graphql(`{ components(pageId: "${page.id}") { nodes { name position parentId } } }`);
  // "Second" and "API" would both be at 2.
  expect(json.data.components.nodes).toEqual([
    { name: 'API', position: 2, parentId: null },
    { name: 'First', position: 3, parentId: null },
    { name: 'Second', position: 4, parentId: null },
  ]);
});
