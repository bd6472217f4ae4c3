import { setTimeout as sleep } from 'node:timers/promises';
import { headers } from './environment.ts';

/** Sends a request to one service after the other until one of them acknowledges it. */
export async function insist(ports: readonly number[], path: string, body: object, key?: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const url = `http://127.0.0.1:${ports[tries % ports.length]}${path}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: key ? { ...headers, 'idempotency-key': key } : { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).then(
      async response => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
    // GraphQL answers 200 also where it refuses.
    const isRefused = answer && (answer.status >= 300 || answer.text.includes('"errors":'));
    if (answer && !isRefused) return;
    // Its service was killed, the database is away, or the first request with the key still runs.
    if (answer && ![409, 503].includes(answer.status) && !/UNAVAILABLE|CONFLICT/.test(answer.text))
      throw new Error(`${path} was answered with ${answer.status}: ${answer.text.slice(0, 500)}`);
    await sleep(100);
  }
  throw new Error(`Nobody acknowledged ${path}.`);
}

/** What was acknowledged, by name. */
export interface Acknowledged {
  /** Notices of clients. */
  published: string[];
  /** Notices whose next update is due. */
  deadlines: string[];
  /** Alerts of which a draft was made. */
  drafted: string[];
  /** Alerts of which a notice was published. */
  opened: string[];
  /** Those of them that are over. */
  resolved: string[];
}

interface Target {
  ports: readonly [number, number];
  page: string;
  /** The path of the source of alerts. */
  hook: string;
}

const openIncident = `mutation($page: ID!, $input: OpenIncidentInput!) {
  openIncident(pageId: $page, input: $input) { notice { id } }
}`;

/** Two clients publish and a monitor sends alerts, each to both services in turn, until it is over. */
export async function storm({ ports, page, hook }: Target, isOver: () => boolean): Promise<Acknowledged> {
  const done: Acknowledged = { published: [], deadlines: [], drafted: [], opened: [], resolved: [] };
  const reversed = ports.toReversed();
  const name = (kind: string, number: number) => `${kind}-${String(number).padStart(4, '0')}`;
  const publish = async (client: string, order: readonly number[]) => {
    for (let number = 1; !isOver(); number++) {
      const subject = name(client, number);
      const body = { subject, initial_comment: 'We are investigating.', should_publish: true };
      await insist(order, `/v1/pages/${page}/notices`, body, subject);
      done.published.push(subject);
      await sleep(300);
    }
  };
  const promise = async () => {
    for (let number = 1; number <= 5; number++) {
      const subject = name('deadline', number);
      const nextUpdateBy = new Date(Date.now() + 30_000);
      const input = { subject, content: 'We look again soon.', nextUpdateBy, shouldPublish: true };
      await insist(ports, '/graphql', { query: openIncident, variables: { page, input } }, subject);
      done.deadlines.push(subject);
      await sleep(1_500);
    }
  };
  const startsAt = new Date();
  const alert = async (title: string, status: 'firing' | 'resolved', service: string) => {
    const body = { alerts: [{ title, status, service, fingerprint: title, startsAt }] };
    // Twice, as two instances of a monitor do.
    await Promise.all([insist(ports, hook, body), insist(reversed, hook, body)]);
  };
  const monitor = async () => {
    // A source has up to 100 groups that are not over; half of those of the shop end.
    for (let number = 1; number <= 60 && !isOver(); number++) {
      const [drafted, opened] = [name('disk', number), name('shop', number)];
      await alert(drafted, 'firing', 'disk');
      done.drafted.push(drafted);
      await alert(opened, 'firing', 'shop');
      done.opened.push(opened);
      if (number % 2 === 0) {
        await alert(opened, 'resolved', 'shop');
        done.resolved.push(opened);
      }
      await sleep(300);
    }
  };
  await Promise.all([publish('client-a', ports), publish('client-b', reversed), promise(), monitor()]);
  return done;
}
