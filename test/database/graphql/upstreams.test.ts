import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pollUpstreams } from '../../../src/components/upstream/upstream.automation.js';
import { UpstreamReader } from '../../../src/components/upstream/read-upstream.js';
import { createComponent, createPage } from '../../support/factories.js';
import { type ReceivedRequest, startReceiver } from '../../support/http-receiver.js';
import { useOwnService, useService } from '../../support/service.js';
import {
  atlassianSummary,
  betterStackIndex,
  instatusComponents,
  pageApiComponents,
} from '../../support/upstream-answers.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

type Reply = { status?: number; body?: unknown; headers?: Record<string, string> };

const service = useService();
const reader = new UpstreamReader({ allowPrivate: true });
let page: { id: string; path: string };
let shop: string;
let upstream: Awaited<ReturnType<typeof startReceiver>>;
let reply: (request: ReceivedRequest) => Reply;

const summary = (status: string, more: Reply = {}) => {
  reply = ({ path }) =>
    path === '/api/v2/summary.json' ? { body: atlassianSummary(status), ...more } : { status: 404 };
};

beforeEach(async () => {
  page = await createPage(service, { timezone: 'UTC' });
  shop = String((await createComponent(service, page.path, { name: 'Payments' })).id);
  upstream = await startReceiver(request => reply(request));
  summary('operational');
});
afterEach(async () => {
  await upstream.stop();
  await rows('delete from upstream where page_id = $1');
});

const followed = `component { state version upstream { url format remoteId remoteName status failure } }
  components { id state } page { state } userErrors { path code message }`;
const run = async (mutation: string, input?: object, id = shop) => {
  const type = mutation.startsWith('read') ? 'ReadUpstreamInput' : 'FollowUpstreamInput';
  const { json } = await service.graphql(
    `mutation ($page: ID! ${mutation.includes('$id') ? ', $id: ID!' : ''} ${input ? `, $input: ${type}!` : ''}) { result: ${mutation} }`,
    { page: page.id, id, input },
  );
  return json.errors ? json.errors[0] : json.data.result;
};
const follow = (component = 'API', more: object = {}) =>
  run(`followUpstream(id: $id, pageId: $page, input: $input) { ${followed} }`, {
    url: upstream.url,
    component,
    ...more,
  });
const unfollow = () => run(`unfollowUpstream(id: $id, pageId: $page) { ${followed} }`);
const rows = <Row>(sql: string) => service.database.query<Row>(sql, [page.id]);
const makeDue = () =>
  rows(`update upstream set next_poll_at = clock_timestamp() - interval '1 second' where page_id = $1`);
const poll = async () => {
  await makeDue();
  return pollUpstreams(service.database, reader);
};
const stateOf = async () => {
  const { json } = await service.graphql(
    `query ($id: ID!) { component(id: $id) { state upstream { status failure } page { state banner { text } } } }`,
    { id: shop },
  );
  const { state, upstream: said, page: whole } = json.data.component;
  return { state, said: said?.status, failure: said?.failure, page: whole.state, banner: whole.banner.text };
};
const visit = (path = '') => requestPage(service.url, `${page.id}.localhost`, `/${path}`);
const waitForPage = (text: string) => waitForResponse(visit, response => response.text.includes(text));
const nextInSeconds = async () =>
  (
    await rows<{ seconds: number }>(
      `select extract(epoch from next_poll_at - clock_timestamp())::float8 as seconds from upstream where page_id = $1`,
    )
  )[0]!.seconds;

describe('readUpstream', () => {
  const read = (input: object) =>
    run(
      'readUpstream(pageId: $page, input: $input) { url format components { remoteId name group status } userErrors { path } }',
      input,
    );

  test('lists the components of a status page, and stores nothing', async () => {
    expect(await read({ url: `${upstream.url}/api/v2/summary.json` })).toMatchObject({
      url: upstream.url,
      format: 'STATUSPAGE',
      components: [
        { name: 'Cloud', group: null },
        { remoteId: 'b13yz5g2cw10', name: 'API', group: 'Cloud', status: 'OPERATIONAL' },
        { name: 'Shop', status: 'MAINTENANCE' },
      ],
    });
    expect(await rows('select 1 from upstream where page_id = $1')).toEqual([]);
  });

  test.each([
    ['INSTATUS', '/v2/components.json', instatusComponents],
    ['BETTER_STACK', '/index.json', betterStackIndex],
    ['PAGE_API', '/api/v1/components.json', pageApiComponents],
  ])('finds the format %s by its path', async (format, path, answer) => {
    reply = request => (request.path === path ? { body: answer() } : { status: 404 });
    expect(await read({ url: upstream.url })).toMatchObject({ format, url: upstream.url });
  });

  test('reads a page of this service', async () => {
    expect(await read({ url: `${service.url}/status/${page.id}/` })).toMatchObject({
      format: 'STATUSPAGE',
      components: [{ remoteId: shop, name: 'Payments', status: 'OPERATIONAL' }],
    });
  });
});

describe('followUpstream', () => {
  test('takes the state of a component that is chosen by its name, and says whose word it is', async () => {
    summary('major_outage');
    const { component, components, page: whole } = await follow();
    expect(component).toEqual({
      state: 'DEGRADED',
      version: 2,
      upstream: {
        url: upstream.url,
        format: 'STATUSPAGE',
        remoteId: 'b13yz5g2cw10',
        remoteName: 'API',
        status: 'MAJOR_OUTAGE',
        failure: null,
      },
    });
    expect([components, whole.state]).toEqual([[{ id: shop, state: 'DEGRADED' }], 'DEGRADED']);
    const { text: body } = await waitForPage('Major outage');
    expect(body).toContain(`According to ${new URL(upstream.url).host}`);
    expect((await stateOf()).banner).toContain('Payments');
  });

  test.each([
    ['an unknown component', 'None', {}, { path: ['input', 'component'], code: 'NOT_FOUND' }],
    ['a blank component', ' ', {}, { path: ['input', 'component'], code: 'BLANK' }],
    ['another format', 'API', { format: 'INSTATUS' }, { path: ['input', 'url'], code: 'INVALID' }],
    ['no address', 'API', { url: 'here' }, { path: ['input', 'url'], code: 'INVALID' }],
  ])('refuses %s', async (_, component, more, error) => {
    expect((await follow(component, more)).userErrors).toMatchObject([error]);
    expect(await rows('select 1 from upstream where page_id = $1')).toEqual([]);
  });

  test('refuses redirects, which could lead to internal addresses', async () => {
    const target = await startReceiver(() => ({ body: atlassianSummary() }));
    reply = () => ({ status: 302, headers: { location: `${target.url}/api/v2/summary.json` } });
    const { userErrors } = await follow();
    await target.stop();
    expect(userErrors[0].message).toContain('redirects');
    expect(target.requests).toEqual([]);
  });

  test('refuses a response that is too long', async () => {
    reply = () => ({ body: { ...atlassianSummary(), filler: 'x'.repeat(2 * 1024 * 1024) } });
    expect((await follow()).userErrors[0].message).toContain('more than 2 MiB');
  });

  test('is in the audit log, and notifies nobody', async () => {
    await follow();
    summary('partial_outage');
    await poll();
    await unfollow();
    expect(await rows(`select operation, actor from audit_entry where page_id = $1 order by id`)).toMatchObject([
      { operation: 'createPage' },
      { operation: 'createComponent' },
      { operation: 'followUpstream' },
      { operation: 'pollUpstream', actor: 'automation' },
      { operation: 'unfollowUpstream' },
    ]);
    expect(await rows('select 1 from publication where page_id = $1')).toEqual([]);
  });
});

describe('without private targets', () => {
  const guarded = useOwnService({ allowPrivateTargets: false });

  test('an address of a private network is not asked', async () => {
    const own = await createPage(guarded, {});
    const url = upstream.url.replace('http:', 'https:');
    const { json } = await guarded.graphql(
      `mutation ($page: ID!, $url: String!) {
        readUpstream(pageId: $page, input: { url: $url }) { url userErrors { message } } }`,
      { page: own.id, url },
    );
    expect(json.data.readUpstream.userErrors[0].message).toMatch(
      /must be a public address: ALLOW_PRIVATE_TARGETS=true allows private ones\.$/,
    );
    expect(upstream.requests).toEqual([]);
  });
});

describe('a poll', () => {
  test('stores a state where it changes, and nothing but the time of the answer where it does not', async () => {
    await follow();
    const [before] = await rows('select change_count as count from page where id = $1');
    await poll();
    expect(await rows('select change_count as count from page where id = $1')).toEqual([before]);
    summary('degraded_performance');
    expect(await poll()).toBe(1);
    expect(await stateOf()).toMatchObject({ state: 'DEGRADED', said: 'DEGRADED', page: 'DEGRADED' });
    summary('operational');
    await poll();
    expect(await stateOf()).toMatchObject({ state: 'OPERATIONAL', said: 'OPERATIONAL', page: 'OPERATIONAL' });
    expect(await rows('select state from upstream_period where page_id = $1')).toEqual([{ state: 'degraded' }]);
  });

  test('asks a status page once for all components that follow it', async () => {
    await follow();
    shop = String((await createComponent(service, page.path, { name: 'Other' })).id);
    await follow('Shop');
    const { length } = upstream.requests;
    expect(await poll()).toBe(1);
    expect(upstream.requests).toHaveLength(length + 1);
  });

  test('asks whether anything has changed, and keeps the state when nothing has', async () => {
    summary('partial_outage', { headers: { etag: '"one"', 'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT' } });
    await follow();
    await poll();
    reply = () => ({ status: 304, body: '' });
    await poll();
    expect(upstream.requests.at(-1)!.headers).toMatchObject({
      'if-none-match': '"one"',
      'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT',
    });
    expect(await stateOf()).toMatchObject({ said: 'PARTIAL_OUTAGE', failure: null });
  });

  test('of a page of this service is answered that nothing has changed', async () => {
    const followedPage = await createPage(service, {});
    await createComponent(service, followedPage.path, { name: 'API' });
    const url = `${service.url}/status/${followedPage.id}`;
    const { host } = new URL(url);
    const ask = (headers = {}) => requestPage(url, host, `/status/${followedPage.id}/api/v2/summary.json`, { headers });
    await waitForResponse(ask, ({ text }) => text.includes('"API"'));
    await follow('API', { url });
    await poll();
    const [stored] = await rows<{ etag: string }>('select etag from upstream where page_id = $1');
    expect((await ask({ 'if-none-match': stored!.etag })).status).toBe(304);
    await poll();
    expect(await stateOf()).toMatchObject({ said: 'OPERATIONAL', failure: null });
  });

  test('waits as long as the response allows it to be kept, or as a refusal asks', async () => {
    await follow();
    summary('operational', { headers: { 'cache-control': 'public, max-age=300' } });
    await poll();
    expect(Math.round((await nextInSeconds()) / 30)).toBeGreaterThanOrEqual(10);
    reply = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    await poll();
    expect(await nextInSeconds()).toBeGreaterThan(3_500);
  });

  test('lets pages take turns, and a round ends in time: many upstreams of one do not delay those of others', async () => {
    reply = ({ path }) => (path.endsWith('/api/v2/summary.json') ? { body: atlassianSummary() } : { status: 404 });
    const crowded = page;
    for (let number = 0; number < 25; number++) {
      shop = String((await createComponent(service, page.path, { name: `No. ${number}` })).id);
      await follow('API', { url: `${upstream.url}/${number}` });
    }
    page = await createPage(service);
    shop = String((await createComponent(service, page.path)).id);
    await follow('API', { url: `${upstream.url}/other` });
    await makeDue();
    page = crowded;
    await rows(`update upstream set next_poll_at = clock_timestamp() - interval '1 minute' where page_id = $1`);
    const { length } = upstream.requests;
    expect(await pollUpstreams(service.database, reader, undefined, 0)).toBe(20);
    expect(upstream.requests.slice(length).map(({ path }) => path)).toContain('/other/api/v2/summary.json');
    expect(await pollUpstreams(service.database, reader)).toBe(6);
    await service.database.query(`delete from upstream where url like '%/other'`);
  });

  test('is made by one of several processes', async () => {
    await follow();
    await makeDue();
    const { length } = upstream.requests;
    const made = await Promise.all([1, 2, 3].map(() => pollUpstreams(service.database, reader)));
    expect([made.reduce((sum, one) => sum + one), upstream.requests.length]).toEqual([1, length + 1]);
  });
});

test('a poll ends with the service, and says nothing about an upstream that has not answered', async () => {
  await follow();
  await makeDue();
  const stop = new AbortController();
  const held = await startReceiver(() => {
    stop.abort();
    return undefined;
  });
  await service.database.query('update upstream set url = $2 where page_id = $1', [page.id, held.url]);
  expect(await pollUpstreams(service.database, reader, stop.signal)).toBe(1);
  await held.stop();
  expect(await stateOf()).toMatchObject({ said: 'OPERATIONAL', failure: null });
});

describe('an upstream that does not answer', () => {
  test('is unknown after five failures, not operational, and known again after an answer', async () => {
    await follow();
    reply = () => ({ status: 503 });
    for (let failures = 1; failures <= 4; failures += 1) await poll();
    expect(await stateOf()).toMatchObject({
      state: 'OPERATIONAL',
      said: 'OPERATIONAL',
      failure: 'It answers with the status 503.',
    });
    await poll();
    expect(await stateOf()).toMatchObject({
      state: 'DEGRADED',
      said: 'UNKNOWN',
      page: 'OPERATIONAL',
      banner: 'No incidents reported',
    });
    const { text: body } = await waitForPage('No data from');
    expect(body).toContain('Unknown');
    expect(body).not.toContain('All systems');
    expect((await visit('api/v2/components.json')).text).toContain('degraded_performance');
    expect((await visit('badge.svg')).text).toContain('Unknown');
    summary('operational');
    await poll();
    expect(await stateOf()).toMatchObject({ state: 'OPERATIONAL', said: 'OPERATIONAL', failure: null });
  });

  test('is unknown after 15 minutes, also where it asked for a longer time', async () => {
    await follow();
    reply = () => ({ status: 429, headers: { 'retry-after': '7200' } });
    await poll();
    expect((await stateOf()).said).toBe('OPERATIONAL');
    await rows(`update upstream set answered_at = answered_at - interval '15 minutes' where page_id = $1`);
    const { length } = upstream.requests;
    expect(await pollUpstreams(service.database, reader)).toBe(0);
    expect((await stateOf()).said).toBe('UNKNOWN');
    expect(upstream.requests).toHaveLength(length);
  });

  test.each<[string, () => Reply, string]>([
    [
      'redirects',
      () => ({ status: 301, headers: { location: 'https://www.status.example/api/v2/summary.json' } }),
      'It redirects to https://www.status.example. Use that address.',
    ],
    ['redirects within', () => ({ status: 301, headers: { location: '/' } }), 'It redirects to / of the same host'],
    ['redirects nowhere', () => ({ status: 301, headers: {} }), 'It redirects elsewhere.'],
    ['answers with what is not JSON', () => ({ body: '<html>' }), 'The response is not a status page.'],
    ['answers with too much', () => ({ body: 'x'.repeat(3 * 1024 * 1024) }), 'Its response has more than 2 MiB.'],
    [
      'no longer exists there',
      () => ({ body: { components: [{ id: 'x', name: 'X', status: 'operational' }] } }),
      'The component no longer exists there.',
    ],
  ])('or %s counts as a failure', async (_, answer, failure) => {
    await follow();
    reply = answer;
    await poll();
    expect((await stateOf()).failure).toContain(failure);
  });

  test('says why it could not be reached, without an internal address', async () => {
    await follow();
    await upstream.stop();
    await poll();
    expect((await stateOf()).failure).toBe('It cannot be reached: ECONNREFUSED.');
  });
});

describe('the worst of all counts', () => {
  const setState = (state: string) =>
    service.graphql(
      `mutation ($id: ID!) { setComponentStatus(id: $id, input: { status: ${state} }) { page { id } } }`,
      {
        id: shop,
      },
    );

  test('and OPERATIONAL that a person sets in any case', async () => {
    summary('partial_outage');
    await follow();
    await setState('DEGRADED');
    expect((await waitForPage('Partial outage')).text).toContain('According to');
    await setState('MAJOR_OUTAGE');
    expect((await waitForPage('Major outage')).text).not.toContain('According to');
    await setState('OPERATIONAL');
    expect((await waitForPage('All systems')).text).not.toContain('According to');
    expect(await stateOf()).toMatchObject({ state: 'OPERATIONAL', page: 'OPERATIONAL', said: 'PARTIAL_OUTAGE' });
  });

  test('also of notices', async () => {
    summary('degraded_performance');
    await follow();
    await service.graphql(
      `mutation ($page: ID!, $affected: [AffectedComponentInput!]) { openIncident(pageId: $page, input: {
        subject: "Down", affectedComponents: $affected, shouldPublish: false }) { notice { id } } }`,
      { page: page.id, affected: [{ componentId: shop, impact: 'MAJOR_OUTAGE' }] },
    );
    const { text: body } = await waitForPage('Down');
    expect(body).not.toContain('According to');
    expect(body).toContain('class="state major-outage"');
  });
});

test('unfollowUpstream ends what the upstream says, which stays in the history', async () => {
  summary('major_outage');
  await follow();
  const { component, page: whole } = await unfollow();
  expect([component.state, component.upstream, whole.state]).toEqual(['OPERATIONAL', null, 'OPERATIONAL']);
  expect(await rows('select state from upstream_period where page_id = $1')).toEqual([{ state: 'major-outage' }]);
  await service.delete(`${page.path}/components/${shop}`);
  expect(await rows('select state from upstream_period where page_id = $1')).toEqual([]);
});
