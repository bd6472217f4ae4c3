import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { sendRaw } from '../../support/raw-socket.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();
let pageId: string;
let noticeId: string;
let componentId: string;
let drafter: string;
beforeAll(async () => {
  const page = await createPage(service, { name: 'Meridian' });
  pageId = page.id;
  componentId = String((await createComponent(service, page.path, { name: 'Card payments' })).id);
  const notice = { subject: 'Payments fail', initial_comment: 'We look.', component_ids: [componentId] };
  noticeId = String((await createNotice(service, page.path, notice)).id);
  drafter = await createToken(service.database, 'Assistant', { role: 'drafter', pageIds: [pageId] });
});

/** The official client, which an assistant would use. */
async function use<Result>(token: string | null, work: (client: Client) => Promise<Result>): Promise<Result> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
const call = (token: string | null, name: string, input: Record<string, unknown>) =>
  use(token, client => client.callTool({ name, arguments: input }));
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('/mcp', () => {
  test('lists its tools with the input that the schema describes', async () => {
    const { tools } = await use(null, client => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual([
      'get_status',
      'list_notices',
      'get_notice',
      'get_uptime',
      'list_pages',
      'draft_incident',
      'draft_update',
    ]);
    expect(tools.find(({ name }) => name === 'draft_incident')!.inputSchema).toEqual({
      type: 'object',
      properties: {
        pageId: { type: 'string', description: 'The id of the page it belongs to.' },
        subject: { type: 'string', description: expect.any(String) },
        content: { type: 'string', description: expect.any(String) },
        state: {
          type: 'string',
          enum: ['FALSE_ALARM', 'IDENTIFIED', 'INVESTIGATING', 'RECOVERING', 'RESOLVED'],
          description: expect.any(String),
        },
        componentIds: { type: 'array', items: { type: 'string' }, default: [], description: expect.any(String) },
      },
      required: ['pageId', 'subject', 'content'],
      additionalProperties: false,
    });
  });

  test('tells anybody what is on a public page', async () => {
    const { structuredContent } = await call(null, 'get_status', { pageId });
    expect(structuredContent).toMatchObject({
      page: {
        name: 'Meridian',
        components: { nodes: [{ id: componentId, name: 'Card payments' }] },
        notices: { nodes: [{ id: noticeId, subject: 'Payments fail', latestUpdate: { contentText: 'We look.' } }] },
      },
    });
    expect((await call(null, 'list_notices', { pageId })).structuredContent).toMatchObject({
      notices: { nodes: [{ id: noticeId, componentIds: [componentId] }] },
    });
    expect((await call(null, 'get_notice', { id: noticeId })).structuredContent).toMatchObject({
      notice: { updates: { nodes: [{ contentText: 'We look.' }] } },
    });
    expect((await call(null, 'get_uptime', { componentId })).structuredContent).toMatchObject({
      component: { name: 'Card payments', history: expect.any(Array) },
    });
  });

  test('saves a draft for a token that may, and notifies nobody', async () => {
    const input = { pageId, subject: 'Cards are refused', content: 'We look into it.', componentIds: [componentId] };
    expect((await call(drafter, 'draft_incident', input)).isError).toBeFalsy();
    expect((await call(drafter, 'draft_update', { pageId, noticeId, content: 'Still.' })).isError).toBeFalsy();
    const drafts = await service.database.query('select verb from draft where page_id = $1 order by id', [pageId]);
    expect(drafts).toEqual([{ verb: 'openIncident' }, { verb: 'createNoticeUpdate' }]);
    expect(await service.database.query('select 1 from notice where subject = $1', ['Cards are refused'])).toEqual([]);
  });

  test('says what a caller may not do, and what is not there', async () => {
    const refusals = await Promise.all([
      call(null, 'draft_incident', { pageId, subject: 'A', content: 'B' }),
      call(null, 'list_pages', {}),
      call(null, 'get_status', { pageId: 'none' }),
      call(drafter, 'get_status', {}),
    ]);
    for (const { isError, content } of refusals)
      expect([isError, content]).toEqual([true, [{ type: 'text', text: expect.stringMatching(/\S/) }]]);
    await expect(call(null, 'publish', {})).rejects.toThrow('There is no tool publish.');
  });

  test('serves clients of the revision of 2025, which begin by initialize', async () => {
    const client = { capabilities: {}, clientInfo: { name: 'old', version: '1' }, protocolVersion: '2025-06-18' };
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"name":"all-clear"')]);
  });

  test('refuses a batch, whose calls would count as one request', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const response = await post([ping, { ...ping, id: 2 }]);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { message: 'Send one message a request, and no batch.' } },
    ]);
  });

  test('refuses an invalid token, another method and a body that is no JSON', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const refused = await post(list, { Authorization: 'Bearer wrong' });
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.any(String) } });
    expect((await fetch(`${service.url}/mcp`)).status).toBe(405);
    expect((await post('{')).status).toBe(400);
    expect((await post(`"${'x'.repeat(101 * 1024)}"`)).status).toBe(413);
  });
});

test.each(['TRACE', 'PUT', 'PROPFIND'])('%s is no method for messages', async method => {
  const response = await sendRaw(service.url, `${method} /mcp HTTP/1.1`, 'Host: localhost', 'Connection: close');
  expect(response).toMatch(/^HTTP\/1\.1 405 /);
  expect(response).toMatch(/^Allow: POST\r$/m);
});
