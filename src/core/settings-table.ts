import { z } from 'zod';
import { databaseSettings } from './database-settings.js';
import { openIdConnectSettings } from './open-id-connect-settings.js';
import {
  areAddresses,
  areDnsServers,
  flag,
  mailHeaders,
  splitList,
  urlSetting,
  wholeNumber,
  oneOf,
} from './setting-parsers.js';

/** The limit of an address where RATE_LIMIT is not set: requests per second, and the most at once. */
export const defaultAddressLimit = { perSecond: 10, burst: 20 };
/** The same for a source of alerts, whose alerts come all at once. */
export const defaultSourceLimit = { perSecond: 200, burst: 2_000 };

const proxyUrl = urlSetting(/^https?$/, 'must be http://... or https://...');

/**
 * Every setting: its variable, its meaning, and its default where that is not empty. They are read once, here; all
 * mistakes are listed at once and stop the start. `.env.example` is generated from this table.
 */
export const settingsTable = {
  port: {
    variable: 'PORT',
    fallback: '3000',
    parse: wholeNumber(0, 65_535),
    meaning: 'The TCP port to listen on. 0: any free port.',
  },
  host: {
    variable: 'HOST',
    fallback: '127.0.0.1',
    parse: z.string().min(1),
    meaning: 'The address to listen on. 0.0.0.0: all addresses of the machine.',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    parse: z.union([
      z.literal(''),
      z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' }),
    ]),
    meaning:
      'The URL at which clients reach this service, with scheme and port. Its host name is the base host: pages are ' +
      'at <page id>.<base host>, and with an IP address at /status/<page id>/ alone. Empty: http://localhost:PORT.',
  },
  consoleUrl: {
    variable: 'CONSOLE_URL',
    parse: z.union([
      z.literal(''),
      z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' }),
    ]),
    meaning:
      'The URL of a host of its own for the console, with scheme and port: people sign in there, and their sessions ' +
      'and passkeys belong to it. Empty: the console is at PUBLIC_URL.',
  },
  rootPage: {
    variable: 'ROOT_PAGE',
    fallback: 'auto',
    parse: z.string().regex(/^(auto|none|[0-9a-f]{8})$/, 'must be auto, none or the id of a page'),
    meaning:
      'What PUBLIC_URL itself shows. The id of a page: that page. auto: the page, if there is one only; a list of ' +
      'the pages that search engines may index, if there are several. none: nothing, 404.',
  },
  dataDir: {
    variable: 'DATA_DIR',
    fallback: './data',
    parse: z.string().min(1),
    meaning:
      'The folder of the embedded database, for one process only. With DATABASE_URL: the folder of the page ' +
      'snapshots that are served while the database is unavailable.',
  },
  ...databaseSettings,
  bootstrapToken: {
    variable: 'BOOTSTRAP_TOKEN',
    isSecret: true,
    parse: z.union([
      z.literal(''),
      z.string().regex(/^[\x21-\x7e]{32,}$/, 'must have at least 32 characters and no spaces'),
    ]),
    meaning:
      'A token with the role OWNER of all pages that is valid while this is set, and is never stored. Empty: the ' +
      'first start on an empty database creates a token and prints it once.',
  },
  anonymousReads: {
    variable: 'ANONYMOUS_READS',
    fallback: 'public',
    parse: oneOf(['none', 'page', 'public']),
    meaning:
      'What can be read without a token: public (the records that the public pages show); page (a single page or ' +
      'component); none.',
  },
  rateLimit: {
    variable: 'RATE_LIMIT',
    parse: z.union([
      z.literal('').transform(() => null),
      z.coerce.number('must be a number').min(0, 'must be 0 or more'),
    ]),
    meaning:
      'The maximum requests per second for a token, or for an address without one; more are answered 429. Empty: ' +
      `none for a token, and for an address ${defaultAddressLimit.perSecond}, of which ${defaultAddressLimit.burst} ` +
      'may come at once, and for a source of alerts ' +
      `${defaultSourceLimit.perSecond}, of which ${defaultSourceLimit.burst.toLocaleString('en')} may come at once. ` +
      '0: no limit. An IPv6 address counts with its /64 network, and all networks of a /48 together may send four ' +
      'times as much. Wrong tokens, forms and pages that are not cached count for the address, cached pages do not. ' +
      'Without a token, each 2,500 of the cost of a GraphQL query count as a request. Counted in each process.',
  },
  maxRequests: {
    variable: 'MAX_REQUESTS',
    fallback: '256',
    parse: wholeNumber(4, 100_000),
    meaning:
      'The maximum number of API requests that this process works on at a time; more are answered 503 at once. Lists ' +
      'may take a quarter of it, other reads half, other writes three quarters, and writes of notices all. Of each ' +
      'kind half as many run at a time as DATABASE_CONNECTIONS, and all writes of notices; the others wait for their ' +
      'turn.',
  },
  maxConnections: {
    variable: 'MAX_CONNECTIONS',
    fallback: '10000',
    parse: wholeNumber(1, 1_000_000),
    meaning: 'The maximum number of open connections of clients to this process; more are closed at once.',
  },
  maxConnectionsPerAddress: {
    variable: 'MAX_CONNECTIONS_PER_ADDRESS',
    fallback: '256',
    parse: wholeNumber(1, 1_000_000),
    meaning:
      'The maximum number of those from one address (IPv6: one /64 network, and four times as many from a /48). It ' +
      'does not apply to this machine and to TRUSTED_PROXIES, which connect for many clients; event streams count ' +
      'for the client that a trusted proxy names.',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    parse: z.string().transform(splitList).refine(areAddresses, 'must be addresses or networks, separated by commas'),
    meaning:
      'The addresses or networks (CIDR) of your proxies, separated by commas, whose X-Forwarded-For header is ' +
      'trusted, and X-Forwarded-Host where they ask for an internal name such as localhost.',
  },
  smsCodesPerDay: {
    variable: 'SMS_CODES_PER_DAY',
    fallback: '200',
    parse: wholeNumber(0, 1_000_000),
    meaning:
      'The maximum number of SMS codes that the visitors of one page can request in 24 hours: a limit on what ' +
      'anonymous callers can make you pay.',
  },
  secretsKey: {
    variable: 'SECRETS_KEY',
    isSecret: true,
    parse: z
      .string()
      .refine(
        text => splitList(text).every(key => Buffer.from(key, 'base64').length === 32),
        'must be 32 random bytes in base64, as `openssl rand -base64 32` prints; with older keys after a comma',
      ),
    meaning:
      'Encrypts the secrets of channels in the database: 32 random bytes in base64. The first key encrypts; older ' +
      'ones after it, separated by commas, still decrypt. Empty: they are stored in clear.',
  },
  smtpUrl: {
    variable: 'SMTP_URL',
    isSecret: true,
    parse: urlSetting(/^smtps?$/, 'must be smtp://... or smtps://...'),
    meaning:
      'The mail server: smtp://user:password@host:port, or smtps://. STARTTLS is used where offered, and required ' +
      'when a password is sent to another machine; change this with ?tls=required, never or unverified. Empty: no ' +
      'e-mail.',
  },
  mailFrom: {
    variable: 'MAIL_FROM',
    parse: z.union([
      z.literal(''),
      z
        .string()
        .regex(
          /^(?:[^<>\p{Control}]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/u,
          'must be an address, or a name and an address in angle brackets',
        ),
    ]),
    meaning:
      'The sender of e-mails: Example <status@example.com>, or status@example.com, to which the name of the page is ' +
      'added.',
  },
  mailHeaders: {
    variable: 'MAIL_HEADERS',
    parse: mailHeaders,
    meaning:
      'Headers that are added to each e-mail, such as X-SES-CONFIGURATION-SET: main. Several are parted by ' +
      'semicolons or lines. Those that the service sets itself are refused.',
  },
  unsubscribeMailbox: {
    variable: 'UNSUBSCRIBE_MAILBOX',
    parse: z.union([
      z.literal(''),
      z.string().regex(/^[\w.+-]+@[\w.-]+$/, 'must be an address such as leave@example.com'),
    ]),
    meaning:
      'An address whose mails reach `allclear bounce` or the webhook for bounces. Mails then offer to ' +
      'unsubscribe by a mail to it, too.',
  },
  smtpOauthTokenUrl: {
    variable: 'SMTP_OAUTH_TOKEN_URL',
    parse: urlSetting(/^https?$/, 'must be https://...'),
    meaning:
      'The OAuth 2.0 token endpoint. If set, the user of SMTP_URL signs in with an access token (XOAUTH2), not with ' +
      'a password.',
  },
  smtpOauthClientId: {
    variable: 'SMTP_OAUTH_CLIENT_ID',
    parse: z.string(),
    meaning: 'The client id for SMTP_OAUTH_TOKEN_URL.',
  },
  smtpOauthClientSecret: {
    variable: 'SMTP_OAUTH_CLIENT_SECRET',
    isSecret: true,
    parse: z.string(),
    meaning: 'The client secret for SMTP_OAUTH_TOKEN_URL. Empty for a public client.',
  },
  smtpOauthRefreshToken: {
    variable: 'SMTP_OAUTH_REFRESH_TOKEN',
    isSecret: true,
    parse: z.string(),
    meaning:
      'The refresh token from which access tokens are requested. A newer one that the endpoint gives is stored and ' +
      'used in its place, until this is changed. Empty: the client signs in by itself (client credentials).',
  },
  smtpOauthScope: {
    variable: 'SMTP_OAUTH_SCOPE',
    fallback: 'https://outlook.office365.com/.default',
    parse: z.string(),
    meaning: 'The scope that is requested without SMTP_OAUTH_REFRESH_TOKEN. The default is that of Microsoft 365.',
  },
  operatorEmail: {
    variable: 'OPERATOR_EMAIL',
    parse: z.union([z.literal(''), z.string().regex(/^[^<>\s@]+@[^<>\s@]+$/, 'must be an address')]),
    meaning:
      'Where problems with recipients are reported, each once, as to the owners of the page: subscribers and ' +
      'channels that were suspended. Needs SMTP_URL. Empty: they are reported to the owners alone. Also the address ' +
      'of the first owner, for whom a start on an empty database prints a link.',
  },
  operatorWebhookUrl: {
    variable: 'OPERATOR_WEBHOOK_URL',
    isSecret: true,
    parse: urlSetting(/^https?$/, 'must be https://...'),
    meaning:
      'Where you hear within a minute that e-mail or SMS fails, and when it works again, each once: an incoming ' +
      'webhook of Slack, Teams or Discord, or a URL that takes JSON. Empty: nowhere but in push messages and mails.',
  },
  dkimDomain: {
    variable: 'DKIM_DOMAIN',
    parse: z.union([z.literal(''), z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain')]),
    meaning:
      'The domain that signs e-mails with DKIM, usually that of MAIL_FROM. Empty: e-mails are not signed, for ' +
      'example because the mail server does it.',
  },
  dkimSelector: {
    variable: 'DKIM_SELECTOR',
    parse: z.union([z.literal(''), z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i, 'must be a name in DNS')]),
    meaning: 'The selector of the DKIM key: its public part is the TXT record <selector>._domainkey.<domain>.',
  },
  dkimPrivateKeyFile: {
    variable: 'DKIM_PRIVATE_KEY_FILE',
    parse: z.string(),
    meaning: 'A PEM file with the RSA private key for DKIM, of 1024 bits or more. It is read at start.',
  },
  smsUrl: {
    variable: 'SMS_URL',
    isSecret: true,
    parse: urlSetting(/^https?$/, 'must be https://account:token@...', true),
    meaning:
      "The URL of an SMS gateway with Twilio's API: https://account:token@api.twilio.com, with a path if it has " +
      'one. Empty: no SMS.',
  },
  smsFrom: {
    variable: 'SMS_FROM',
    parse: z.string(),
    meaning:
      'The sender of SMS: a number (+15005550006), a name that the gateway allows, or the id of a messaging service ' +
      '(MG...).',
  },
  ...openIdConnectSettings,
  httpsProxy: {
    variable: 'HTTPS_PROXY',
    alias: 'https_proxy',
    isSecret: true,
    parse: proxyUrl,
    meaning:
      'The proxy for requests to https URLs: chat, social networks, SMS, OpenID Connect and OAuth. ' +
      'http://user:password@host:port. Empty: that of HTTP_PROXY, or none. Mails do not go through it.',
  },
  httpProxy: {
    variable: 'HTTP_PROXY',
    alias: 'http_proxy',
    isSecret: true,
    parse: proxyUrl,
    meaning: 'The proxy for requests to http URLs. Empty: none.',
  },
  noProxy: {
    variable: 'NO_PROXY',
    alias: 'no_proxy',
    parse: z.string(),
    meaning:
      'Hosts that are reached without a proxy, separated by commas: sms.example.com, .internal, 10.0.0.7. *: all.',
  },
  trustedDocuments: {
    variable: 'TRUSTED_DOCUMENTS',
    parse: z.string(),
    meaning:
      'A JSON file of GraphQL documents by id, which clients can ask for with GET /graphql?documentId=<id>: a map of ' +
      'texts, or the manifest of Apollo Client. It is read and validated at start. Empty: none.',
  },
  allowPrivateTargets: {
    variable: 'ALLOW_PRIVATE_TARGETS',
    fallback: 'false',
    parse: flag,
    meaning:
      'Whether the channels of pages and the status pages that components follow may use http URLs and private ' +
      'networks. Only safe when everyone who has a token may reach those networks. Their names are then resolved as ' +
      'by other programs of the machine, such as by its hosts file, and no longer by DNS alone: hosts whose name ' +
      'servers do not answer delay requests to all others.',
  },
  metrics: {
    variable: 'METRICS',
    fallback: 'true',
    parse: flag,
    meaning: 'Whether GET /metrics is served on PORT, to this machine and to tokens.',
  },
  metricsPort: {
    variable: 'METRICS_PORT',
    fallback: '0',
    parse: wholeNumber(0, 65_535),
    meaning:
      'A TCP port for /healthz, /readyz and /metrics alone, which everybody may read who reaches it. It is the only ' +
      'port of `allclear worker`; the service serves no metrics on PORT then. 0: none.',
  },
  metricsHost: {
    variable: 'METRICS_HOST',
    fallback: '127.0.0.1',
    parse: z.string().min(1),
    meaning: 'The address to listen on for METRICS_PORT. 0.0.0.0: all addresses of the machine.',
  },
  metricsComponents: {
    variable: 'METRICS_COMPONENTS',
    fallback: 'false',
    parse: flag,
    meaning:
      'Whether the metrics have the state of each component of up to 500 pages, private ones included ' +
      '(`all_clear_component_state`). Not those of `allclear worker`.',
  },
  automation: {
    variable: 'AUTOMATION',
    fallback: 'true',
    parse: flag,
    meaning:
      'Whether this process starts and completes planned notices on schedule, verifies custom domains and deletes ' +
      'what has been stored for its time. At least one process must.',
  },
  auditRetentionDays: {
    variable: 'AUDIT_RETENTION_DAYS',
    fallback: '0',
    parse: wholeNumber(0, 36_500),
    meaning: 'For how many days entries of the audit log are stored. 0: they are never deleted.',
  },
  deliveryRetentionDays: {
    variable: 'DELIVERY_RETENTION_DAYS',
    fallback: '400',
    parse: wholeNumber(0, 36_500),
    meaning:
      'For how many days deliveries and their attempts are stored; the counts of a publication stay. After the same ' +
      'time the address of somebody who has unsubscribed becomes a keyed hash, by which an import still leaves it ' +
      'out. 0: they are never deleted.',
  },
  worker: {
    variable: 'WORKER',
    fallback: 'true',
    parse: flag,
    meaning:
      'Whether this process sends notifications. At least one process must: this one, or `allclear worker` with the ' +
      'same settings.',
  },
  drainSeconds: {
    variable: 'DRAIN_SECONDS',
    fallback: '2',
    parse: wholeNumber(0, 60),
    meaning:
      'For how many seconds after SIGTERM requests are still served while /healthz/pages and /readyz answer 503, so ' +
      'that load balancers stop sending them. Should be longer than the interval of their health checks.',
  },
  retryHours: {
    variable: 'RETRY_HOURS',
    fallback: '24',
    parse: z.coerce.number('must be a number').min(0, 'must be 0 or more').max(720, 'must be 720 or less'),
    meaning: 'For how many hours the delivery of a message is retried.',
  },
  dnsServers: {
    variable: 'DNS_SERVERS',
    parse: z
      .string()
      .transform(splitList)
      .refine(areDnsServers, 'must be IP addresses, each with or without a port, separated by commas'),
    meaning:
      'The DNS servers that verify custom domains: IP addresses, each with or without a port, separated by commas. ' +
      'Empty: those of the system.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    fallback: 'info',
    parse: oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    meaning: 'The lowest level to log. Each log line is a JSON object on standard error.',
  },
} as const;
