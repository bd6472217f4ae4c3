import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createDatabase, DatabaseWatch, removeDatabase, seed } from './database.ts';
import { load, type Target } from './load.ts';
import { type Measured, writeReport } from './report.ts';
import { processorTime, startServer } from './servers.ts';
import { rounds, seconds, warmUpSeconds } from './settings.ts';

/**
 * How fast a list is read, against the limit of this machine and against PostGraphile. All get the same load in turn, round by round, so that whatever else
 * the machine does hits them alike; only ratios within one run count.
 */
const publicUrl = 'http://status.test:3000';
const token = randomBytes(24).toString('base64url');
const authorization = `Bearer ${token}`;
const json = { 'Content-Type': 'application/json' };

const graphQuery = /* GraphQL */ `
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
        updates { id content shouldPublish createdAt updatedAt }
        components { id state name description position parentId createdAt updatedAt }
      }
      count
    }
  }`;

/** Without what is derived (timeline state, link), which PostGraphile would need functions for; the sum of its fields is otherwise the same. */
const peerQuery = /* GraphQL */ `
  query Notices($page: String!) {
    allNotices(condition: { pageId: $page }, orderBy: [ROW_ID_DESC], first: 25) {
      nodes {
        rowId type subject synopsis state beginsAt endsAt beganAt endedAt shouldAutomateSchedule createdAt updatedAt path tagList
        noticeUpdatesByNoticeId(orderBy: [ROW_ID_ASC]) { nodes { rowId content shouldPublish createdAt updatedAt } }
        noticeComponentsByNoticeId { nodes { componentByComponentId { rowId state name description position parentId createdAt updatedAt } } }
      }
    }
  }`;

const variables = { page: '00000001' };
const list = '/v1/pages/00000001/notices?include=updates,components';
const [limitPort, servicePort, peerPort] = [25451, 25452, 25453];
const targets: Target[] = [
  {
    name: 'the limit: `node:http`, `pg`, one prepared statement by hand',
    url: `http://127.0.0.1:${limitPort}/`,
    headers: {},
  },
  {
    name: 'All Clear, GET /v1',
    url: `http://127.0.0.1:${servicePort}${list}`,
    headers: { Authorization: authorization },
  },
  {
    name: 'All Clear, POST /graphql',
    url: `http://127.0.0.1:${servicePort}/graphql`,
    headers: { ...json, Authorization: authorization },
    body: JSON.stringify({ query: graphQuery, variables }),
  },
  {
    name: 'PostGraphile 5',
    url: `http://127.0.0.1:${peerPort}/graphql`,
    headers: json,
    body: JSON.stringify({ query: peerQuery, variables }),
  },
];

const children: ChildProcess[] = [];
try {
  const url = await createDatabase();
  const environment = { DATABASE_URL: url, PUBLIC_URL: publicUrl, DATA_DIR: 'memory://' };
  const service = await startServer('dist/main.js', servicePort, environment);
  children.push(service);
  await seed(url, token);
  const limit = await startServer('bench/limit.ts', limitPort, environment);
  const peer = await startServer('bench/postgraphile.ts', peerPort, environment);
  children.push(limit, peer);

  const sizes = await checked(targets);
  const watch = await DatabaseWatch.open(url);
  const processes = [limit, service, service, peer];
  const measured: Measured[] = targets.map(({ name }, place) => ({ name, bytes: sizes[place]!, runs: [] }));
  for (const target of targets) await load(target, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < targets.length; turn++) {
      const place = (turn + round) % targets.length;
      const pid = processes[place]!.pid!;
      const before = { node: processorTime(pid), database: await watch.processorTime() };
      const run = await load(targets[place]!, seconds);
      const node = (processorTime(pid) - before.node) / run.answers;
      const database = ((await watch.processorTime()) - before.database) / run.answers;
      measured[place]!.runs.push({ ...run, node, database });
      process.stderr.write(
        `round ${round + 1} of ${rounds}: ${run.perSecond.toFixed(0)} a second, ${targets[place]!.name}\n`,
      );
    }
  }
  await writeReport(measured, await watch.version());
  await watch.close();
} finally {
  for (const child of children) child.kill();
  removeDatabase();
}

/** That all answer what they should: /v1 exactly what the limit does, and /graphql the same values by its own names. */
async function checked(all: Target[]): Promise<number[]> {
  const answers = await Promise.all(all.map(ask));
  const [limit, rest, graph, peer] = answers.map(({ body }) => body);
  const wanted = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };
  wanted(limit.count === 25 && isDeepStrictEqual(limit, rest), 'The answers of the limit and of /v1 differ.');
  const { nodes } = graph.data.notices;
  wanted(
    nodes.length === 25 && isDeepStrictEqual(nodes.map(valuesOf), limit.response.map(valuesOf)),
    'The answers of /v1 and /graphql differ.',
  );
  wanted(peer.data.allNotices.nodes.length === 25, 'PostGraphile does not answer.');
  return answers.map(({ bytes }) => bytes);
}

async function ask({ url, headers, body }: Target) {
  const answer = await fetch(url, { method: body ? 'POST' : 'GET', headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${text}`);
  return { bytes: Buffer.byteLength(text), body: JSON.parse(text) };
}

/** /graphql has ids as texts and enums in capitals. */
function valuesOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? value.toLowerCase().replaceAll('-', '_') : String(value);
  return Object.values(value).map(valuesOf);
}
