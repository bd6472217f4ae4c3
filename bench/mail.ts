import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * How fast mail goes, against a bare pipelined client that has the bytes already, and against nodemailer's pool; and what 100,000 recipients cost in memory. The
 * server that takes them is a process of its own, and each sender one of its own too. Only ratios within one run count.
 */
const rounds = 7;
const counts = { bare: 20_000, channel: 20_000, pool: 3_000 };
const recipients = 100_000;
const goals = { ofBare: 0.5, ofPool: 5, megabytes: 80 };

type Sender = keyof typeof counts;
const senders = Object.keys(counts) as Sender[];
interface Result {
  rate: number;
  /** Microseconds of a core, of the sender alone, for a mail: other work on the machine does not lengthen it. */
  work: number;
  megabytes: number;
}

const [, , sender, port, count] = process.argv;
if (sender) await send(sender as Sender, Number(port), Number(count));
else await compare();

/** In a process of its own: one sender. */
async function send(name: Sender, to: number, number: number): Promise<void> {
  const { bare, byChannel, byPool, picture } = await import('./mail-senders.ts');
  const { mailOf } = await import('../dist/messages/mail.js');
  const { mailTemplate } = await import('../dist/channels/email/mail-template.js');
  const links = { preferences: 'https://status.meridian.example/preferences/1', unsubscribe: 'https://status.meridian.example/unsubscribe/1' };
  const mail = mailOf(picture as never, links);
  const template = await mailTemplate(picture as never, { name: null, address: 'status@example.com' }, { preferences: true, unsubscribe: true });
  const bytes = template({ to: '1@example.com', messageId: '<1@example.com>', ...links });
  const run: Record<Sender, (number: number) => Promise<void>> = {
    bare: number => bare(to, number, bytes),
    channel: number => byChannel(to, number),
    pool: number => byPool(to, number, { text: mail.text, html: mail.html }),
  };
  await run[name](Math.min(number / 10, 2_000));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 100);
  const worked = process.cpuUsage();
  const begin = performance.now();
  await run[name](number);
  const seconds = (performance.now() - begin) / 1_000;
  clearInterval(watch);
  const { user, system } = process.cpuUsage(worked);
  process.send!({
    rate: number / seconds,
    work: (user + system) / number,
    megabytes: (Math.max(most, process.memoryUsage().rss) - before) / 1_048_576,
  } satisfies Result);
  process.disconnect();
}

async function compare(): Promise<void> {
  const sink = fork(new URL('mail-sink.ts', import.meta.url));
  try {
    const { port: at } = await answer<{ port: number }>(sink);
    const rates: Record<Sender, number[]> = { bare: [], channel: [], pool: [] };
    // Turn by turn: what else the machine does hits all of them.
    for (let round = 0; round < rounds; round++) {
      for (const name of senders) rates[name].push((await measured(name, at, counts[name])).rate);
    }
    const before = await counted(sink);
    const many = await measured('channel', at, recipients);
    const missing = recipients + Math.min(recipients / 10, 2_000) - ((await counted(sink)) - before);
    const text = report(rates, many, missing);
    writeFileSync(new URL('../docs/performance-of-mail.md', import.meta.url), text);
    process.stdout.write(text);
  } finally {
    sink.kill();
  }
}

async function measured(name: Sender, at: number, number: number): Promise<Result> {
  const child = fork(new URL(import.meta.url), [name, String(at), String(number)], { execArgv: ['--expose-gc'] });
  return answer<Result>(child);
}

async function counted(sink: ChildProcess): Promise<number> {
  sink.send('count');
  return (await answer<{ mails: number }>(sink)).mails;
}

async function answer<Message>(child: ChildProcess): Promise<Message> {
  const over = once(child, 'exit').then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), over]);
  over.catch(() => {});
  return message as Message;
}

function report(rates: Record<Sender, number[]>, many: Result, missing: number): string {
  const middle = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const [bare, channel, pool] = [middle(rates.bare), middle(rates.channel), middle(rates.pool)];
  const ratio = (other: Sender) => middle(rates.channel.map((rate, round) => rate / rates[other][round]!));
  const [ofBare, ofPool] = [ratio('bare'), ratio('pool')];
  const row = (what: string, value: string, goal: string, isMet: boolean) => `| ${what} | ${value} | ${goal} | ${isMet ? 'yes' : '**no**'} |`;
  return `# How fast mail goes

Written by \`npm run bench:mail\`, on ${cpus().length} cores of ${cpus()[0]!.model.trim()} with Node ${process.versions.node}; the middle of ${rounds} rounds, of the rates and of the ratios within a round. Only the ratios count.

| sender | mails a second |
|---|---|
| bare pipelined client, which has the bytes already | ${Math.round(bare)} |
| the channel for e-mail | ${Math.round(channel)} |
| nodemailer's pool | ${Math.round(pool)} |

| property | measured | goal | met |
|---|---|---|---|
${row('of the rate of the bare client', ofBare.toFixed(2), `at least ${goals.ofBare}`, ofBare >= goals.ofBare)}
${row("times the rate of nodemailer's pool", ofPool.toFixed(1), `at least ${goals.ofPool}`, ofPool >= goals.ofPool)}
${row(`growth of memory with ${recipients.toLocaleString('en')} recipients`, `${many.megabytes.toFixed(0)} MB`, `at most ${goals.megabytes} MB`, many.megabytes <= goals.megabytes)}
${row('mails that did not arrive', String(missing), '0', missing === 0)}
`;
}
