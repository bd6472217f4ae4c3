import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { readFlags } from './servers.ts';

/**
 * How fast mail goes, against a bare pipelined client that has the bytes already, and against nodemailer's pool; and what 100,000 recipients cost in memory; each
 * with a broken variant, on which it has to fail. The
 * server that takes them is a process of its own, and each sender one of its own too: the channel's as `npm run worker` runs it, the others as they come. Only ratios within one run count.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
/** Enough that what V8 compiles at the beginning does not count. */
const counts = { bare: 60_000, channel: 60_000, pool: 3_000 };
const broken = { composing: 3_000, hoard: 100_000 };
const recipients = 100_000;
const warmUp = (number: number) => Math.min(number / 10, 2_000);
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const goals = { ofBare: 0.15, ofPool: 5, megabytes: 80 };

type Measured = keyof typeof counts;
type Sender = Measured | keyof typeof broken;
const senders = Object.keys(counts) as Measured[];
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
  const { bare, byChannel, byComposing, byHoard, byPool, snapshot } = await import('./mail-senders.ts');
  const { renderMail } = await import('../dist/notifications/messages/mail.js');
  const { mailTemplate } = await import('../dist/notifications/channels/email/mail-template.js');
  const links = {
    preferences: 'https://status.meridian.example/preferences/1',
    unsubscribe: 'https://status.meridian.example/unsubscribe/1',
  };
  const mail = renderMail(snapshot as never, links);
  const template = await mailTemplate(
    snapshot as never,
    { name: null, address: 'status@example.com' },
    { preferences: true, unsubscribe: true },
  );
  const bytes = template({ to: '1@example.com', messageId: '<1@example.com>', ...links });
  const run: Record<Sender, (number: number) => Promise<void>> = {
    bare: number => bare(to, number, bytes),
    channel: number => byChannel(to, number),
    pool: number => byPool(to, number, { text: mail.text, html: mail.html }),
    composing: number => byComposing(to, number, { text: mail.text, html: mail.html }),
    hoard: number => byHoard(to, number),
  };
  await run[name](warmUp(number));
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
    const rates: Record<Measured, number[]> = { bare: [], channel: [], pool: [] };
    // Turn by turn: what else the machine does hits all of them.
    for (let turn = 0; turn < rounds; turn++) {
      for (const name of senders) rates[name].push((await measured(name, at, counts[name])).rate);
    }
    const missingAfter = async (run: () => Promise<Result>): Promise<Result & { missing: number }> => {
      const before = await counted(sink);
      const result = await run();
      return { ...result, missing: recipients + warmUp(recipients) - ((await counted(sink)) - before) };
    };
    const many = await missingAfter(() => measured('channel', at, recipients));
    const composing = await measured('composing', at, broken.composing);
    const hoard = await measured('hoard', at, broken.hoard);
    sink.send('lose some');
    const lost = await missingAfter(() => measured('channel', at, recipients));
    const text = report(rates, many, { rate: composing.rate, megabytes: hoard.megabytes, missing: lost.missing });
    writeFileSync(new URL('../docs/performance/mail.md', import.meta.url), text);
    process.stdout.write(text);
  } finally {
    sink.kill();
  }
}

async function measured(name: Sender, at: number, number: number): Promise<Result> {
  const child = fork(new URL(import.meta.url), [name, String(at), String(number)], {
    execArgv: ['--expose-gc', ...(name === 'bare' || name === 'pool' ? [] : readFlags('worker'))],
  });
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

interface Seen {
  megabytes: number;
  missing: number;
}

function report(rates: Record<Measured, number[]>, many: Seen, variant: Seen & { rate: number }): string {
  const middle = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const [bare, channel, pool] = [middle(rates.bare), middle(rates.channel), middle(rates.pool)];
  const ratio = (other: Measured) => middle(rates.channel.map((rate, round) => rate / rates[other][round]!));
  const [ofBare, ofPool] = [ratio('bare'), ratio('pool')];
  const answerOf = (isMet: boolean) => (isMet ? 'yes' : '**no**');
  const row = (
    what: string,
    unit: string,
    [value, other]: [number, number],
    goal: string,
    isMet: (value: number) => boolean,
  ) =>
    `| ${what} | ${value}${unit} | ${goal} | ${answerOf(isMet(value))} | ${other}${unit} | ${answerOf(!isMet(other))} |`;
  return `# How fast mail goes

Written by \`npm run bench:mail\`, on ${cpus().length} cores of ${cpus()[0]!.model.trim()} with Node ${process.versions.node}; the middle of ${rounds} rounds, of the rates and of the ratios within a round. Only the ratios count.

| sender | mails a second |
|---|---|
| bare pipelined client, which has the bytes already | ${Math.round(bare)} |
| the channel for e-mail | ${Math.round(channel)} |
| nodemailer's pool | ${Math.round(pool)} |

| property | measured | goal | met | a broken variant | fails |
|---|---|---|---|---|---|
${row('of the rate of the bare client', '', [round(ofBare, 2), round(variant.rate / bare, 2)], `at least ${goals.ofBare}`, value => value >= goals.ofBare)}
${row("times the rate of nodemailer's pool", '', [round(ofPool, 1), round(variant.rate / pool, 1)], `at least ${goals.ofPool}`, value => value >= goals.ofPool)}
${row(`growth of memory with ${recipients.toLocaleString('en')} recipients`, ' MB', [round(many.megabytes, 0), round(variant.megabytes, 0)], `at most ${goals.megabytes} MB`, value => value <= goals.megabytes)}
${row('mails that did not arrive', '', [many.missing, variant.missing], '0', value => value === 0)}

The broken variants: each mail composed anew (both rates), all recipients handed in at once (memory), a server that forgets every thousandth mail.
`;
}
