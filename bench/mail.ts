import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * Compares the rate of the e-mail channel with a bare pipelined client, which has the bytes already, and with
 * nodemailer's pool; measures the memory for 100,000 recipients, and counts lost messages. Each check must fail on a
 * broken variant. The server and every sender are processes of their own. Only ratios within one run count.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
/** Enough that the compilation of hot code does not matter. */
const counts = { bare: 60_000, channel: 10_000, pool: 3_000 };
const broken = { reconnecting: 1_000, hoard: 100_000 };
const recipients = 100_000;
const warmUp = (number: number) => Math.min(number / 10, 2_000);
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const goals = { ofPool: 0.7, megabytes: 80 };

type Measured = keyof typeof counts;
type Sender = Measured | keyof typeof broken;
const senders = Object.keys(counts) as Measured[];
interface Result {
  rate: number;
  /** Microseconds of processor time of the sender for a message: other load on the machine matters less. */
  work: number;
  megabytes: number;
}

const [, , sender, senderPort, count] = process.argv;
if (sender) await send(sender as Sender, Number(senderPort), Number(count));
else await compare();

/** Runs one sender, in a process of its own. */
async function send(name: Sender, to: number, number: number): Promise<void> {
  const { bare, byChannel, byReconnecting, byHoard, byPool, snapshot } = await import('./mail-senders.ts');
  const { renderMail } = await import('../dist/notifications/messages/mail.js');
  const { prepareMessage } = await import('../dist/notifications/channels/email/compose-mail.js');
  const links = {
    preferences: 'https://status.meridian.example/preferences/1',
    unsubscribe: 'https://status.meridian.example/unsubscribe/1',
  };
  const mail = renderMail(snapshot as never, links);
  const channelSender = { name: null, address: 'status@example.com', baseHost: 'localhost' };
  const bytes = await prepareMessage(snapshot as never, channelSender).compose({
    to: '1@example.com',
    messageId: '<1@example.com>',
    ...links,
  });
  const run: Record<Sender, (number: number) => Promise<void>> = {
    bare: number => bare(to, number, bytes),
    channel: number => byChannel(to, number),
    pool: number => byPool(to, number, { text: mail.text, html: mail.html }),
    reconnecting: number => byReconnecting(to, number),
    hoard: number => byHoard(to, number),
  };
  await run[name](warmUp(number));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 100);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await run[name](number);
  const seconds = (performance.now() - begin) / 1_000;
  clearInterval(watch);
  const { user, system } = process.cpuUsage(cpu);
  process.send!({
    rate: number / seconds,
    work: (user + system) / number,
    megabytes: (Math.max(peak, process.memoryUsage().rss) - before) / 1_048_576,
  } satisfies Result);
  process.disconnect();
}

async function compare(): Promise<void> {
  const sink = fork(new URL('mail-sink.ts', import.meta.url));
  try {
    const { port } = await receive<{ port: number }>(sink);
    const results: Record<Measured, Result[]> = { bare: [], channel: [], pool: [] };
    // Interleaved, so that other load on the machine affects all of them.
    for (let index = 0; index < rounds; index++) {
      for (const name of senders) results[name].push(await measure(name, port, counts[name]));
    }
    const missingAfter = async (run: () => Promise<Result>): Promise<Result & { missing: number }> => {
      const before = await countMails(sink);
      const result = await run();
      return { ...result, missing: recipients + warmUp(recipients) - ((await countMails(sink)) - before) };
    };
    const many = await missingAfter(() => measure('channel', port, recipients));
    const reconnecting = await measure('reconnecting', port, broken.reconnecting);
    const hoard = await measure('hoard', port, broken.hoard);
    sink.send('lose some');
    const lost = await missingAfter(() => measure('channel', port, recipients));
    const text = report(results, many, { rate: reconnecting.rate, megabytes: hoard.megabytes, missing: lost.missing });
    writeFileSync(new URL('../docs/performance/mail.md', import.meta.url), text);
    process.stdout.write(text);
  } finally {
    sink.kill();
  }
}

async function measure(name: Sender, port: number, number: number): Promise<Result> {
  const child = fork(new URL(import.meta.url), [name, String(port), String(number)], {
    execArgv: ['--expose-gc'],
  });
  return receive<Result>(child);
}

async function countMails(sink: ChildProcess): Promise<number> {
  sink.send('count');
  return (await receive<{ mails: number }>(sink)).mails;
}

async function receive<Message>(child: ChildProcess): Promise<Message> {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`A process exited with ${code}.`);
  });
  const [message] = await Promise.race([once(child, 'message'), exit]);
  exit.catch(() => {});
  return message as Message;
}

interface Measurement {
  megabytes: number;
  missing: number;
}

function report(
  results: Record<Measured, Result[]>,
  many: Measurement,
  variant: Measurement & { rate: number },
): string {
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const rateOf = (name: Measured) => median(results[name].map(({ rate }) => rate));
  const bare = rateOf('bare');
  const channel = rateOf('channel');
  const pool = rateOf('pool');
  const toWork = (name: Measured) => round(median(results[name].map(({ work }) => work)), 0);
  const ratio = (other: Measured) =>
    median(results.channel.map(({ rate }, index) => rate / results[other][index]!.rate));
  const ofPool = ratio('pool');
  const toWord = (isMet: boolean) => (isMet ? 'yes' : '**no**');
  const row = (
    what: string,
    unit: string,
    [value, other]: [number, number],
    goal: string,
    isMet: (value: number) => boolean,
  ) => `| ${what} | ${value}${unit} | ${goal} | ${toWord(isMet(value))} | ${other}${unit} | ${toWord(!isMet(other))} |`;
  const machine = `${cpus().length} cores of ${cpus()[0]!.model.trim()} with Node ${process.versions.node}`;
  const { megabytes } = variant;
  const rows = [
    row(
      "rate, relative to nodemailer's pool",
      '',
      [round(ofPool, 1), round(variant.rate / pool, 1)],
      `at least ${goals.ofPool}`,
      value => value >= goals.ofPool,
    ),
    row(
      `memory growth with ${recipients.toLocaleString('en')} recipients`,
      ' MB',
      [round(many.megabytes, 0), round(megabytes, 0)],
      `at most ${goals.megabytes} MB`,
      value => value <= goals.megabytes,
    ),
    row('lost messages', '', [many.missing, variant.missing], '0', value => value === 0),
  ];
  return `# Rate of e-mails

Generated by \`npm run bench -- mail\`, on ${machine}; medians of ${rounds} rounds, of the rates and of the ratios
within a round. Only the ratios count.

| sender | messages per second | processor time per message, µs |
|---|---|---|
| bare pipelined client, which has the bytes already | ${Math.round(bare)} | ${toWork('bare')} |
| the e-mail channel | ${Math.round(channel)} | ${toWork('channel')} |
| nodemailer's pool | ${Math.round(pool)} | ${toWork('pool')} |

| check | measured | goal | met | broken variant | fails |
|---|---|---|---|---|---|
${rows.join('\n')}

The broken variants: a connection for each message (rate), all recipients queued at once (memory), a server that
loses every thousandth message.
`;
}
