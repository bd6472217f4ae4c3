import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createDatabase, DatabaseStatistics, removeDatabase, seed } from './database.ts';
import { load, type Target, warmUp } from './load.ts';
import { type Measured, writeReport } from './report.ts';
import { readCpuTime, startServer } from './servers.ts';
import { rounds, seconds } from './settings.ts';

/**
 * Measures how fast a list is read, compared with the upper limit of this machine and with PostGraphile. The servers
 * get the same load in turn, round by round, so that other activity on the machine affects all alike. Only ratios
 * within one run are meaningful.
 */
const publicUrl = 'http://status.test:3000';
/** The service saves its pages there. */
const folder = mkdtempSync(join(tmpdir(), 'all-clear-reads-'));
const token = randomBytes(24).toString('base64url');
const authorization = `Bearer ${token}`;
const json = { 'Content-Type': 'application/json' };

const graphqlQuery = /* GraphQL */ `
  query Notices($page: ID!) {
    notices(pageId: $page) {
      nodes {
        id type subject synopsis
        ... on UnplannedNotice { state }
        ... on PlannedNotice { state }
        timelineState
        ... on PlannedNotice { beginsAt endsAt }
        beganAt endedAt
        ... on PlannedNotice { shouldAutomateSchedule }
        createdAt updatedAt link tagList
        updates { nodes { id content isPublished createdAt updatedAt link } }
        components { nodes { id state name description position parentId createdAt updatedAt } }
      }
    }
  }`;

/** The same fields without the computed ones (timeline state, link), for which PostGraphile would need functions. */
const peerQuery = /* GraphQL */ `
  query Notices($page: String!) {
    allNotices(condition: { pageId: $page }, orderBy: [ROW_ID_DESC], first: 25) {
      nodes {
        rowId type subject synopsis state beginsAt endsAt beganAt endedAt shouldAutomateSchedule
        createdAt updatedAt path tagList
        noticeUpdatesByNoticeId(orderBy: [ROW_ID_ASC]) { nodes { rowId content shouldPublish createdAt updatedAt } }
        noticeComponentsByNoticeId {
          nodes { componentByComponentId { rowId state name description position parentId createdAt updatedAt } }
        }
      }
    }
  }`;

const variables = { page: '00000001' };
const list = '/v1/pages/00000001/notices?include=updates,components';
const limitPort = 25451;
const servicePort = 25452;
const peerPort = 25453;
const barePort = 25454;
const graphqlUrl = `http://127.0.0.1:${servicePort}/graphql`;
const graphqlBody = JSON.stringify({ query: graphqlQuery, variables });
const graphqlSearch = new URLSearchParams({ query: graphqlQuery, variables: JSON.stringify(variables) });
const graphqlGet = `${graphqlUrl}?${graphqlSearch}`;
const bareUrl = `http://127.0.0.1:${barePort}`;
/** A request with this header is not answered from memory. */
const read = { 'If-Match': '*' };
const targets: Target[] = [
  {
    name: 'upper limit: `node:http`, `pg`, one handwritten prepared statement',
    url: `http://127.0.0.1:${limitPort}/`,
    headers: {},
  },
  {
    name: 'All Clear, GET /v1',
    url: `http://127.0.0.1:${servicePort}${list}`,
    headers: { ...read, Authorization: authorization },
  },
  {
    name: 'All Clear, POST /graphql',
    url: graphqlUrl,
    headers: { ...read, ...json, Authorization: authorization },
    body: graphqlBody,
  },
  {
    name: 'PostGraphile 5',
    url: `http://127.0.0.1:${peerPort}/graphql`,
    headers: json,
    body: JSON.stringify({ query: peerQuery, variables }),
  },
  { name: 'All Clear, GET /v1, unchanged, anonymous', url: `http://127.0.0.1:${servicePort}${list}`, headers: {} },
  { name: 'All Clear, GET /graphql, unchanged, anonymous', url: graphqlGet, headers: {} },
  { name: 'bare `node:http`, the same request and bytes as GET /v1', url: `${bareUrl}${list}`, headers: {} },
  {
    name: 'bare `node:http`, the same request as GET /graphql',
    url: `${bareUrl}/graphql?${graphqlSearch}`,
    headers: {},
  },
];

const children: ChildProcess[] = [];
try {
  const url = await createDatabase();
  const environment = { DATABASE_URL: url, PUBLIC_URL: publicUrl, DATA_DIR: folder, RATE_LIMIT: '0' };
  const service = await startServer('dist/cli.js start', servicePort, environment);
  children.push(service);
  await seed(url, token);
  const limit = await startServer('bench/limit.ts', limitPort, environment);
  const peer = await startServer('bench/postgraphile.ts', peerPort, environment);
  const bare = await startServer('bench/same-bytes.ts', barePort, { SOURCE: `http://127.0.0.1:${servicePort}${list}` });
  children.push(limit, peer, bare);

  const sizes = await checkResponses(targets);
  const statistics = await DatabaseStatistics.open(url);
  const processes = [limit, service, service, peer, service, service, bare, bare];
  const measured: Measured[] = targets.map(({ name }, index) => ({ name, bytes: sizes[index]!, runs: [] }));
  for (const target of targets) await warmUp(target);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < targets.length; turn++) {
      const index = (turn + round) % targets.length;
      const pid = processes[index]!.pid!;
      const before = { node: readCpuTime(pid), database: await statistics.readCpuTime() };
      const run = await load(targets[index]!, seconds);
      const node = (readCpuTime(pid) - before.node) / run.responses;
      const database = ((await statistics.readCpuTime()) - before.database) / run.responses;
      measured[index]!.runs.push({ ...run, node, database });
      process.stderr.write(
        `round ${round + 1} of ${rounds}: ${run.perSecond.toFixed(0)} per second, ${targets[index]!.name}\n`,
      );
    }
  }
  await writeReport(measured, await statistics.version());
  await statistics.close();
} finally {
  for (const child of children) child.kill();
  removeDatabase();
  rmSync(folder, { recursive: true, force: true });
}

/** Checks that /v1 returns exactly what the limit does, and /graphql the same values under its own names. */
async function checkResponses(all: Target[]): Promise<number[]> {
  const responses = await Promise.all(all.map(send));
  const [limit, rest, graphql, peer, anonymousRest, anonymousGraphql, bare] = responses.map(({ body }) => body);
  const assert = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };
  const isSameList = (graphqlList: typeof graphql, restList: typeof rest) =>
    isDeepStrictEqual(graphqlList.data.notices.nodes.map(normalizeValues), restList.response.map(normalizeValues));
  assert(limit.count === 25 && isDeepStrictEqual(limit, rest), 'The responses of the limit and of /v1 differ.');
  assert(isSameList(graphql, rest), 'The responses of /v1 and /graphql differ.');
  // Without a token, notices of the distant past are left out.
  assert(anonymousRest.count > 0 && isDeepStrictEqual(anonymousRest, bare), 'The anonymous responses differ.');
  assert(isSameList(anonymousGraphql, anonymousRest), 'The anonymous responses of /v1 and /graphql differ.');
  assert(peer.data.allNotices.nodes.length === 25, 'PostGraphile does not return 25 notices.');
  return responses.map(({ bytes }) => bytes);
}

async function send({ url, headers, body }: Target) {
  const response = await fetch(url, { method: body ? 'POST' : 'GET', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${text}`);
  return { bytes: Buffer.byteLength(text), body: JSON.parse(text) };
}

/** Normalizes values: in /graphql ids are strings, enums upper case, and lists have their records in `nodes`. */
function normalizeValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? value.toLowerCase().replaceAll('-', '_') : String(value);
  return Object.values('nodes' in value ? (value.nodes as object) : value).map(normalizeValues);
}
