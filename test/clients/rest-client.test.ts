import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../support/factories.js';
import { useService } from '../support/service.js';

const service = useService();
let example: typeof import('../../examples/rest-client/incident.js');
let page: { id: string; path: string };
beforeAll(async () => {
  execFileSync('npm', ['--prefix', 'test/clients', 'run', '-s', 'generate']);
  example = await import('../../examples/rest-client/incident.js');
  example.configure(service.url, service.tokens.write);
  page = await createPage(service);
});

const readNotices = async () => (await service.get(`${page.path}/notices`)).json.response;

test('the generated client opens an incident once, and resolves it', async () => {
  const id = await example.openIncident(page.id, 'Slow responses', 'We look.');
  expect(await example.openIncident(page.id, 'Slow responses', 'We look.')).toBe(id);
  expect(await readNotices()).toMatchObject([{ id, subject: 'Slow responses', state: 'investigating' }]);
  await example.resolveIncident(page.id, id, 'It is fast.');
  expect(await readNotices()).toMatchObject([{ id, state: 'resolved' }]);
});

test('the generated client throws the status and the body of a refusal', async () => {
  await expect(example.openIncident('00000000', 'Slow', 'We look.')).rejects.toMatchObject({
    status: 404,
    data: { error: 'not_found' },
  });
});
