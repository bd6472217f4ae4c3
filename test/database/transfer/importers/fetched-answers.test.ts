import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { fetchAnswers } from '../../../../src/transfer/importers/fetch-answers.js';
import { sources } from '../../../../src/transfer/importers/sources/registry.js';
import { useService } from '../../../support/service.js';
import { createImport } from '../../../support/saved-answers.js';
import { createStatuspageAnswers } from '../../../support/statuspage-answers.js';

const service = useService();
const { run } = createImport(service);

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('all pages of each list of the API are read', async () => {
  const saved: Record<string, unknown> = createStatuspageAnswers({ components: 2, incidents: 1, subscribers: 120 });
  const lines: string[] = [];
  const origin = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    lines.push(`${request.headers.authorization} ${pathname} ${searchParams.get('page')}`);
    const answer = saved[`${pathname.split('/')[4] ?? 'page'}.json`];
    const from = (Number(searchParams.get('page')) - 1) * 100;
    response.end(JSON.stringify(Array.isArray(answer) ? answer.slice(from, from + 100) : answer));
  });
  const api = { ...sources.statuspage.api!, intervalMs: 0 };
  const answers = await fetchAnswers(api, { token: 'secret', sourcePage: 'page1', origin, fetch });
  expect(Object.fromEntries(Object.entries(answers).map(([name, answer]) => [`${name}.json`, answer]))).toEqual(saved);
  expect(lines).toEqual([
    'OAuth secret /v1/pages/page1 1',
    'OAuth secret /v1/pages/page1/components 1',
    'OAuth secret /v1/pages/page1/component-groups 1',
    'OAuth secret /v1/pages/page1/incidents 1',
    'OAuth secret /v1/pages/page1/subscribers 1',
    'OAuth secret /v1/pages/page1/subscribers 2',
  ]);
});

test('lists of each record are asked for one by one, and a busy API again', async () => {
  const paths: string[] = [];
  const origin = await serve((request, response) => {
    paths.push(request.url!);
    if (paths.length === 2) {
      response.writeHead(429, { 'retry-after': '0' }).end();
      return;
    }
    const { pathname } = new URL(request.url!, 'http://x');
    const data = pathname.endsWith('/status-reports') ? [{ id: '10' }, { id: '11' }] : [{ id: pathname.split('/')[6] }];
    response.end(JSON.stringify({ data, pagination: { next: null } }));
  });
  const api = { ...sources.betterstack.api!, intervalMs: 0 };
  const answers = await fetchAnswers(api, { token: 't', sourcePage: '7', origin, fetch });
  expect(answers['status-updates']).toEqual([{ id: '10' }, { id: '11' }]);
  expect(paths[2]).toBe(paths[1]);
});

test.each(['{}', 'null'])('an API that answers %s for a list is reported', async answer => {
  const origin = await serve((_, response) => response.end(answer));
  const options = ['--from', 'betterstack', '--token', 'secret', '--source-page', 'p', '--url', origin];
  expect(await run(...options)).toMatchObject({
    code: 1,
    error: expect.stringContaining('is not as the API returns it'),
  });
});

test('an API that answers with too much is reported, and not read to its end', async () => {
  let written = 0;
  const origin = await serve(async (_, response) => {
    const part = ' '.repeat(1024 * 1024);
    for (; written < 200 && !response.destroyed; written++)
      if (!response.write(part)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    response.end('{}');
  });
  const options = ['--from', 'instatus', '--token', 'secret', '--source-page', 'p', '--url', origin];
  expect(await run(...options)).toMatchObject({
    code: 1,
    error: `${origin}/v2/p?page=1&per_page=100 answers with more than 32 MB. Import from files.\n`,
  });
  expect(written).toBeLessThan(200);
});

test('an API that refuses is reported without the token', async () => {
  const origin = await serve((_, response) => response.writeHead(401).end('secret'));
  const options = ['--from', 'instatus', '--token', 'secret', '--source-page', 'p', '--url', origin];
  expect(await run(...options)).toMatchObject({ code: 1, error: `${origin}/v2/p?page=1&per_page=100 answers 401.\n` });
  expect((await run('--from', 'instatus', '--token', 'x')).error).toContain('--source-page');
  expect((await run('--from', 'cachet', '--token', 'x', '--source-page', '1')).error).toContain('is read from files');
  expect(await run('--from', 'instatus')).toMatchObject({ code: 2 });
});
