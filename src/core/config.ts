import { Resolver } from 'node:dns';
import proxyAddress from 'proxy-addr';
import { z } from 'zod';

const addresses = (value: string): string[] =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(Boolean);

const areAddresses = (list: string[]): boolean => {
  try {
    proxyAddress.compile(list);
    return true;
  } catch {
    return false;
  }
};

const areServers = (list: string[]): boolean => {
  try {
    new Resolver().setServers(list);
    return true;
  } catch {
    return false;
  }
};

const urlOf = (scheme: RegExp, words: string, hasLogin = false) =>
  z.string().refine(value => {
    if (value === '') return true;
    if (!URL.canParse(value)) return false;
    const { protocol, hostname, username, password } = new URL(value);
    return scheme.test(protocol.slice(0, -1)) && hostname !== '' && (!hasLogin || (username !== '' && password !== ''));
  }, words);

const wholeNumber = (least: number, most: number) => {
  const sentence = `must be a whole number from ${least} to ${most}`;
  return z.coerce
    .number(sentence)
    .refine(value => Number.isInteger(value) && value >= least && value <= most, sentence);
};

const flag = z.enum(['true', 'false']).transform(value => value === 'true');

/**
 * Every setting: its variable, its default and its meaning. Read once, here; all that is wrong is listed at once and the start stops.
 * `.env.example` is written from this table.
 */
export const settingsTable = {
  port: {
    variable: 'PORT',
    fallback: '3000',
    parse: wholeNumber(0, 65_535),
    meaning: 'The TCP port to listen on; 0 takes a free one.',
  },
  host: {
    variable: 'HOST',
    fallback: '127.0.0.1',
    parse: z.string().min(1),
    meaning: 'The address to listen on; 0.0.0.0 for all of the machine.',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    fallback: '',
    parse: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
    meaning:
      'How the world reaches this service, scheme and port included. Its host name is the base host: pages live at <page id>.<base host>. Empty: http://localhost:PORT.',
  },
  dataDir: {
    variable: 'DATA_DIR',
    fallback: './data',
    parse: z.string().min(1),
    meaning:
      'The folder of the embedded database; one process a folder. With DATABASE_URL: where pages are kept for a time without the database.',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: '',
    parse: z.union([
      z.literal(''),
      z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
    ]),
    meaning: 'A PostgreSQL (15 or later) to use in place of the embedded database.',
  },
  databaseConnections: {
    variable: 'DATABASE_CONNECTIONS',
    fallback: '6',
    parse: wholeNumber(2, 500),
    meaning: 'Connections to PostgreSQL, at most, for this process; one more hears of changes.',
  },
  bootstrapToken: {
    variable: 'BOOTSTRAP_TOKEN',
    fallback: '',
    parse: z.union([
      z.literal(''),
      z.string().regex(/^[\x21-\x7e]{32,}$/, 'must have 32 characters at least, none of them a blank'),
    ]),
    meaning:
      'A write token that is valid exactly while it is set; it is never stored. Empty: the first start on an empty database makes one and prints it once.',
  },
  anonymousReads: {
    variable: 'ANONYMOUS_READS',
    fallback: 'page',
    parse: z.enum(['none', 'page', 'public']),
    meaning:
      'What is answered without a token: none; page (a single page and a single component); public (whatever the public page shows).',
  },
  rateLimit: {
    variable: 'RATE_LIMIT',
    fallback: '0',
    parse: z.coerce.number('must be a number').min(0, 'must be 0 or more'),
    meaning: 'Requests per second and token (without a token: per address) before 429; 0 is no limit.',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    fallback: '',
    parse: z.string().transform(addresses).refine(areAddresses, 'must be addresses or networks, by comma'),
    meaning: 'Addresses or networks (CIDR), by comma, whose X-Forwarded-For tells the address of the caller.',
  },
  smsCodesPerDay: {
    variable: 'SMS_CODES_PER_DAY',
    fallback: '200',
    parse: wholeNumber(0, 1_000_000),
    meaning:
      'How many SMS with codes the visitors of one page may cause in 24 hours: a bound on what strangers can make you pay.',
  },
  smtpUrl: {
    variable: 'SMTP_URL',
    fallback: '',
    parse: urlOf(/^smtps?$/, 'must be smtp://... or smtps://...'),
    meaning:
      'The mail server: smtp://user:password@host:port, or smtps://. STARTTLS is used where offered, and required where a password goes to another machine; ?tls=required, never or unverified says otherwise. Empty: no mail.',
  },
  mailFrom: {
    variable: 'MAIL_FROM',
    fallback: '',
    parse: z.union([
      z.literal(''),
      z
        .string()
        .regex(
          /^(?:[^<>\p{Control}]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/u,
          'must be an address, or a name and <an address>',
        ),
    ]),
    meaning:
      'The sender of mails: status@example.com, which gets the name of the page, or Example <status@example.com>.',
  },
  smsUrl: {
    variable: 'SMS_URL',
    fallback: '',
    parse: urlOf(/^https?$/, 'must be https://account:token@...', true),
    meaning:
      "An HTTP API for SMS like Twilio's: https://account:token@api.twilio.com, or with a path of its own. Empty: no SMS.",
  },
  smsFrom: {
    variable: 'SMS_FROM',
    fallback: '',
    parse: z.string(),
    meaning:
      'The sender of SMS: a number (+15005550006), a name the gateway allows, or the id of a messaging service (MG...).',
  },
  allowPrivateTargets: {
    variable: 'ALLOW_PRIVATE_TARGETS',
    fallback: 'false',
    parse: flag,
    meaning:
      'Whether chat and social channels of pages may lead to http addresses and private networks: only where everybody who has a token may reach those.',
  },
  metrics: { variable: 'METRICS', fallback: 'true', parse: flag, meaning: 'Whether GET /metrics answers.' },
  automation: {
    variable: 'AUTOMATION',
    fallback: 'true',
    parse: flag,
    meaning:
      'Whether this process moves planned notices at their times, and asks DNS for custom domains. One process of several must.',
  },
  worker: {
    variable: 'WORKER',
    fallback: 'true',
    parse: flag,
    meaning:
      'Whether this process tells people of what is published. One process of several must: this one, or `npm run worker` with the same settings.',
  },
  retryHours: {
    variable: 'RETRY_HOURS',
    fallback: '24',
    parse: z.coerce.number('must be a number').min(0, 'must be 0 or more').max(720, 'must be 720 at most'),
    meaning: 'For how many hours a message that does not go is tried again.',
  },
  dnsServers: {
    variable: 'DNS_SERVERS',
    fallback: '',
    parse: z.string().transform(addresses).refine(areServers, 'must be IP addresses, with a port or without, by comma'),
    meaning:
      'The DNS servers to ask for custom domains: IP addresses, with a port or without, by comma. Empty: those of the system.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    fallback: 'info',
    parse: z.enum(['silent', 'error', 'warn', 'info', 'debug']),
    meaning: 'What is logged, as one JSON object a line on standard error.',
  },
} as const;

type Table = typeof settingsTable;
export type Settings = { -readonly [name in keyof Table]: z.output<Table[name]['parse']> };

export class WrongSettings extends Error {}

export function readSettings(environment: Record<string, string | undefined>): Settings {
  const wrong: string[] = [];
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, { variable, fallback, parse }]) => {
      const given = environment[variable]?.trim();
      const result = parse.safeParse(given ? given : fallback);
      // The value itself is never repeated: it may be a secret.
      if (!result.success) wrong.push(`${variable}: ${result.error.issues.map(issue => issue.message).join('; ')}`);
      return [name, result.data];
    }),
  ) as Settings;
  if (values.smtpUrl && !values.mailFrom) wrong.push('MAIL_FROM: must be set where SMTP_URL is');
  if (values.smsUrl && !values.smsFrom) wrong.push('SMS_FROM: must be set where SMS_URL is');
  if (wrong.length) throw new WrongSettings(`These settings are wrong:\n${wrong.map(line => `  ${line}`).join('\n')}`);
  return values;
}

export const settings = readSettings(process.env);

/** PUBLIC_URL taken apart; lower case, no path. `port` is '' or ':3000'. */
export function publicAddress({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'> = settings) {
  const url = new URL(publicUrl || `http://localhost:${port}`);
  return {
    scheme: url.protocol.slice(0, -1),
    baseHost: url.hostname,
    port: url.port && `:${url.port}`,
    origin: url.origin,
  };
}

/** What stands behind the "@" of the ids of mails: that of the sender, which is what the rest of a mail names too. */
export const mailDomain = ({ mailFrom }: Pick<Settings, 'mailFrom'> = settings): string =>
  /@([^<>\s@]+)>?$/.exec(mailFrom)?.[1] ?? publicAddress().baseHost;

export function environmentExample(): string {
  const entry = ({ variable, fallback, meaning }: Table[keyof Table]) =>
    `# ${meaning}\n${fallback ? '' : '# '}${variable}=${fallback}\n`;
  return `# Written by \`npm run env-example\` from src/core/config.ts.\n\n${Object.values(settingsTable).map(entry).join('\n')}`;
}
