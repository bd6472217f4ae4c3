import { setTimeout as sleep } from 'node:timers/promises';
import type { SmtpReceiver } from '../faults/smtp-receiver.ts';
import type { Cluster } from './cluster.ts';
import { Load, waitForCommit, type Write } from './load.ts';
import { create, post, type Processes } from './service.ts';

export const faults = ['killPrimary', 'killMachine', 'freezeMachine'] as const;
export type Fault = (typeof faults)[number];

/** What one fault did to writes, visits, watchers and mails. */
export interface Measured {
  acknowledged: number;
  lost: number;
  /** Answers to writes that are neither 201 nor 503. */
  otherAnswers: number[];
  visits: number;
  /** Visits whose answer was not 200. */
  unserved: number;
  /** Until a server of the cluster has acknowledged a commit, in seconds. */
  clusterSeconds: number;
  /** From then until every service has acknowledged a write. */
  moreSeconds: number;
  /** From a change after that until it was announced to the watchers of every service. */
  eventSeconds: number;
  endedStreams: number;
  mails: number;
  missing: number;
  doubles: number;
  /** Recipients who got mails with different Message-IDs. */
  extraMessageIds: number;
}

interface Setting {
  cluster: Cluster;
  processes: Processes;
  receiver: SmtpReceiver;
}

const waitSeconds = 90;
/** For which a machine stays away after a failover. */
const awaySeconds = 3;

/** Begins a fan-out, causes the fault in the midst of it, and waits until all is as before. */
export async function measureFault(setting: Setting, fault: Fault, mails: number, domain: string): Promise<Measured> {
  const { cluster, processes, receiver } = setting;
  const [service] = processes.services as [string];
  await cluster.waitUntilHealthy();
  const written = await create(service, '/pages', { name: 'Written' });
  const visited = await create(service, '/pages', { name: 'Visited' });
  await addSubscribers(cluster, visited, mails, domain);
  const load = new Load(processes.services, written, visited);
  await sleep(1_000);
  await create(service, `/pages/${visited}/notices`, {
    subject: 'Payments fail',
    initial_comment: 'We are looking into it.',
    should_publish: true,
  });
  const received = () => receiver.accepted.filter(({ to }) => to.endsWith(domain));
  await waitFor('the first mails', () => received().length > mails / 10);

  const restore = await cluster[fault]();
  const faultAt = performance.now();
  const clusterAt = await waitForCommit(cluster.urls);
  const firstWrites = await Promise.all(
    processes.services.map(name => waitFor('a write', () => findFirstWrite(load.writes, name, faultAt))),
  );
  const changedAt = performance.now();
  await post(service, `/pages/${visited}/components`, { name: 'Payments' });
  const eventsAt = await Promise.all(
    load.events.map(events => waitFor('an event', () => events.find(at => at > changedAt))),
  );
  await sleep(awaySeconds * 1_000);
  restore();
  await cluster.waitUntilHealthy();
  const addresses = () => new Set(received().map(({ to }) => to)).size;
  await waitFor('the last mail', () => addresses() === mails).catch(() => {});
  await load.stop();

  const stored = new Set(await listSubjects(cluster, written));
  const acknowledged = load.writes.filter(({ status }) => status === 201);
  const byAddress = Map.groupBy(received(), ({ to }) => to);
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ subject }) => !stored.has(subject)).length,
    otherAnswers: load.writes.map(({ status }) => status).filter(status => status !== 201 && status !== 503),
    visits: load.visits.length,
    unserved: load.visits.filter(status => status !== 200).length,
    clusterSeconds: (clusterAt - faultAt) / 1_000,
    moreSeconds: (Math.max(...firstWrites.map(({ endedAt }) => endedAt)) - clusterAt) / 1_000,
    eventSeconds: (Math.max(...eventsAt) - changedAt) / 1_000,
    endedStreams: load.endedStreams,
    mails,
    missing: mails - byAddress.size,
    doubles: received().length - byAddress.size,
    extraMessageIds: [...byAddress.values()].filter(sent => new Set(sent.map(({ messageId }) => messageId)).size > 1)
      .length,
  };
}

const findFirstWrite = (writes: readonly Write[], name: string, since: number) =>
  writes.find(({ service, status, startedAt }) => service === name && status === 201 && startedAt > since);

/** Waits until something is there, and returns it. */
async function waitFor<Value>(what: string, find: () => Value | undefined | false): Promise<Value> {
  const until = performance.now() + waitSeconds * 1_000;
  while (performance.now() < until) {
    const value = find();
    if (value) return value;
    await sleep(20);
  }
  throw new Error(`There was not ${what} within ${waitSeconds} s.`);
}

async function addSubscribers(cluster: Cluster, page: string, count: number, domain: string): Promise<void> {
  await cluster.query(
    `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
     select $1, 'n' || n || '@' || $3, 'interface', at, at, at
     from generate_series(1, $2::integer) n, (select clock_timestamp() - interval '1 minute' as at) at`,
    [page, count, domain],
  );
}

async function listSubjects(cluster: Cluster, page: string): Promise<string[]> {
  const rows = await cluster.query('select subject from notice where page_id = $1', [page]);
  return rows.map(({ subject }) => subject);
}
