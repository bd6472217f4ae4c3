import { connect, type Socket } from 'node:net';
import nodemailer from 'nodemailer';
import { EmailChannel } from '../dist/notifications/channels/email/email.js';
import { defaultColours } from '../dist/pages/branding/colour.js';

const connections = 4;
const at = '2026-11-20T13:02:00.000Z';
const text = 'Card payments **fail** at the moment. We are looking into it, and tell you more within half an hour.';

export const snapshot = {
  event: 'opened',
  at,
  text,
  page: {
    id: '5e1f00d5',
    name: 'Meridian',
    locale: 'en',
    timezone: 'Berlin',
    zone: 'Europe/Berlin',
    address: 'https://status.meridian.example',
    supportEmail: 'help@meridian.example',
    brand: { ...defaultColours },
  },
  notice: {
    id: 7,
    token: 'abcdefgh12345678',
    type: 'unplanned',
    state: 'investigating',
    subject: 'Payments fail',
    version: 1,
    link: 'https://status.meridian.example/notices/abcdefgh12345678-payments-fail',
    beginsAt: null,
    endsAt: null,
    beganAt: at,
    endedAt: null,
    components: [{ id: 1, name: 'Checkout' }],
  },
  updates: [{ id: 1, content: text, createdAt: at }],
} as const;

const createLink = (kind: string, index: number) =>
  `https://status.meridian.example/${kind}/${String(index).padStart(8, '0')}.Zm9yIGV2ZXIgYW5kIGEgZGF5LCBzaWduZWQ`;

const openChannel = (port: number, options = {}) =>
  new EmailChannel(
    `smtp://127.0.0.1:${port}`,
    { name: null, address: 'status@example.com', baseHost: 'localhost' },
    options,
  );

/** As the worker does: so many messages at a time are in flight, and each outcome makes room for the next. */
export const byChannel = (port: number, count: number): Promise<void> => throughChannel(port, count, 24);

/** A broken variant: all messages are queued at once. */
export const byHoard = (port: number, count: number): Promise<void> =>
  throughChannel(port, count, count, {
    timeouts: { connectMs: 10_000, replyMs: 30_000, idleMs: 5_000, queueMs: 600_000 },
  });

/** A broken variant: each message has a connection of its own. */
export async function byReconnecting(port: number, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await throughChannel(port, 1, 1);
}

async function throughChannel(port: number, count: number, concurrency: number, options = {}): Promise<void> {
  const channel = openChannel(port, options);
  let next = 0;
  const sendNext = async () => {
    while (next < count) {
      const index = next++;
      const recipient = {
        address: `${index}@example.com`,
        subscriberId: index,
        unsubscribe: createLink('unsubscribe', index),
        preferences: createLink('preferences', index),
      };
      const message = {
        deliveryId: String(index),
        messageId: `<${index}@example.com>`,
        snapshot,
        recipient: { ...recipient, thread: null, target: null },
      };
      await channel.send([message as never], (_, outcome) => {
        if (outcome.kind !== 'sent') throw new Error(outcome.response);
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendNext));
  await channel.close();
}

/** The minimum: the bytes exist already, and replies are only counted. */
export async function bare(port: number, count: number, bytes: string): Promise<void> {
  let next = 0;
  const connection = () =>
    new Promise<void>((done, fail) => {
      const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
      const envelope = () => `MAIL FROM:<status@example.com>\r\nRCPT TO:<${next++}@example.com>\r\nDATA\r\n`;
      let awaited = 1;
      let pending = '';
      let step: 'greeting' | 'ehlo' | 'content' | 'end' = 'greeting';
      const advance = () => {
        if (step === 'greeting') {
          step = 'ehlo';
          awaited = 3;
          socket.write('EHLO bench\r\n');
        } else if (step === 'ehlo') {
          step = 'content';
          awaited = 3;
          socket.write(envelope(), 'latin1');
        } else if (step === 'content' && next < count) {
          awaited = 4;
          socket.write(`${bytes}.\r\n${envelope()}`, 'latin1');
        } else if (step === 'content') {
          step = 'end';
          awaited = 1;
          socket.write(`${bytes}.\r\n`, 'latin1');
        } else socket.end('QUIT\r\n');
      };
      socket.on('data', (chunk: string) => {
        pending += chunk;
        for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n')) {
          pending = pending.slice(end + 1);
          awaited -= 1;
        }
        if (awaited === 0) advance();
      });
      socket.on('error', fail).on('close', () => done());
    });
  await Promise.all(Array.from({ length: connections }, connection));
}

/** nodemailer's own pool, with the same texts; it composes each message anew. */
export async function byPool(port: number, count: number, mail: { text: string; html: string }): Promise<void> {
  const pool = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
    ignoreTLS: true,
  } as never);
  let next = 0;
  const sendNext = async () => {
    while (next < count) {
      const to = `${next++}@example.com`;
      await pool.sendMail({ from: 'Meridian <status@example.com>', to, subject: 'Payments fail', ...mail });
    }
  };
  await Promise.all(Array.from({ length: 24 }, sendNext));
  pool.close();
}
