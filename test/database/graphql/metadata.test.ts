import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

const records = {
  component: {
    create: `createComponent(pageId: $page, input: { name: "Web", metadata: $metadata })`,
    update: `updateComponent(id: $id, input: { metadata: $metadata })`,
  },
  metric: {
    create: `createMetric(pageId: $page, input: { name: "Time", metadata: $metadata })`,
    update: `updateMetric(id: $id, input: { metadata: $metadata })`,
  },
  notice: {
    create: `openIncident(pageId: $page, input: { subject: "Slow", shouldPublish: false, metadata: $metadata })`,
    update: `updateNotice(id: $id, input: { shouldPublish: false, metadata: $metadata })`,
  },
};

async function write(record: keyof typeof records, verb: 'create' | 'update', variables: Record<string, unknown>) {
  const parameter = verb === 'create' ? '$page: ID!' : '$id: ID!';
  const { json } = await service.graphql(
    `mutation(${parameter}, $metadata: JSON) {
       result: ${records[record][verb]} { ${record} { id metadata } userErrors { path message } } }`,
    variables,
  );
  return json.data.result;
}

test.each(['component', 'metric', 'notice'] as const)('a %s has the metadata that a program stored', async record => {
  const page = (await createPage(service)).id;
  const metadata = { jira: { key: 'OPS-1', watchers: [1, 2.5, null] }, 'a b': 'ä "\n' };
  const { id, ...created } = (await write(record, 'create', { page, metadata }))[record];
  expect(created).toEqual({ metadata });
  expect((await write(record, 'update', { id, metadata: { other: true } }))[record].metadata).toEqual({ other: true });
  for (const [wrong, reason] of [
    [['x'], 'must be an object'],
    ['x', 'must be an object'],
    [{ x: 'y'.repeat(8_200) }, 'must have at most 8,192 bytes'],
    [{ x: ['\0'] }, 'must not contain NUL'],
  ] as const) {
    const { userErrors } = await write(record, 'update', { id, metadata: wrong });
    expect(userErrors).toEqual([{ path: ['input', 'metadata'], message: expect.stringContaining(reason) }]);
  }
  expect((await write(record, 'update', { id, metadata: null }))[record].metadata).toBeNull();
});

test('visitors do not read it', async () => {
  const page = (await createPage(service)).id;
  await write('component', 'create', { page, metadata: { secret: true } });
  await write('notice', 'create', { page, metadata: { secret: true } });
  for (const list of ['components', 'notices']) {
    const query = (field: string) => `{ ${list}(pageId: "${page}") { nodes { ${field} } } }`;
    const open = await service.graphql(query('id'), {}, { token: null });
    const closed = await service.graphql(query('metadata'), {}, { token: null });
    expect([open.json.errors, open.json.data[list].nodes.length]).toEqual([undefined, 1]);
    expect(closed.text).not.toContain('secret');
    expect(closed.json.errors).toHaveLength(1);
  }
});
