import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Figures, measure } from '../figures.ts';
import type { Client } from './client.ts';
import { pages, type Sizes } from './fill.ts';
import { readMegabytes } from './many-pages.ts';

interface Options {
  client: Client;
  sizes: Sizes;
  start(settings: Record<string, string>): Promise<ChildProcess>;
  stop(service: ChildProcess): Promise<void>;
}

const goals = { moreMb: 80, besideMs: 50 };
const quietMs = 20_000;
/** For longer, nothing arrives: then messages are missing. */
const patienceMs = 60_000;

/** Publishes to all subscribers of the large page, to a mail server that accepts everything and counts. */
export async function measureFanOut({ client, sizes, start, stop }: Options): Promise<string> {
  const sink = fork(new URL('../mail-sink.ts', import.meta.url));
  const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
  const count = async () => {
    sink.send('count');
    return ((await once(sink, 'message')) as [{ mails: number }])[0].mails;
  };
  const service = await start({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'status@example.com',
    WORKER: 'true',
  });
  try {
    const other = pages.fewNotices;
    const createIncident = () =>
      client.post(`/v1/pages/${other}/notices`, { subject: 'Beside', initial_comment: 'Short.', state: 'resolved' });
    const beside = (until: number) =>
      Promise.all([measure(until, 50, () => client.visit(`/status/${other}/`)), measure(until, 250, createIncident)]);
    await beside(performance.now() + quietMs / 4);
    const before = await beside(performance.now() + quietMs);
    const megabytes = readMegabytes(service);
    await client.graphql(
      'mutation($p: ID!) { openIncident(pageId: $p, input: { subject: "Down", shouldPublish: true }) { notice { id } } }',
      { p: pages.manySubscribers },
    );
    const rounds: [Figures, Figures][] = [];
    let peak = megabytes;
    let sent = 0;
    let firstAt = 0;
    let lastAt = performance.now();
    while (sent < sizes.large && performance.now() - lastAt < patienceMs) {
      rounds.push(await beside(performance.now() + 500));
      peak = Math.max(peak, readMegabytes(service));
      const now = await count();
      if (now > sent) lastAt = performance.now();
      if (now && !firstAt) firstAt = performance.now();
      sent = now;
    }
    const busy = [0, 1].map(index => median(rounds.map(round => round[index]!.p50)));
    const seconds = (lastAt - firstAt) / 1000;
    const rows = [
      ['messages that arrived', sent.toLocaleString('en'), sizes.large.toLocaleString('en'), sent === sizes.large],
      ['seconds from the first to the last', seconds.toFixed(0), '', null],
      ['messages a second', (sent / seconds).toFixed(0), '', null],
      ['more memory, MB', (peak - megabytes).toFixed(0), goals.moreMb, peak - megabytes <= goals.moreMb],
      ...(['visit of another page', 'notice created there'] as const).map((name, index) => {
        const text = `${before[index]!.p50.toFixed(1)}, meanwhile ${busy[index]!.toFixed(1)}`;
        return [`${name}, p50 ms`, text, goals.besideMs, busy[index]! <= goals.besideMs] as const;
      }),
    ].map(([...cells]) => [...cells.slice(0, -1), { true: 'met', false: 'not met', null: '' }[String(cells.at(-1))]]);
    return `## An incident for ${sizes.large.toLocaleString('en')} subscribers

| | measured | goal | |
|---|---|---|---|
${rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')}
`;
  } finally {
    // The service first: it would report that the mail server is gone.
    await stop(service);
    sink.kill();
  }
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!;
