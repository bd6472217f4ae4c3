import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { z } from 'zod';
import { embedded, splitHosts } from './database-settings.js';
import { settingsTable } from './settings-table.js';
import { findIntendedName } from './suggest.js';

type Table = typeof settingsTable;
export type Settings = { -readonly [name in keyof Table]: z.output<Table[name]['parse']> };

interface Setting {
  variable: string;
  /** Another variable, which is read where `variable` is not set. */
  alias?: string;
  isSecret?: boolean;
  /** Default: empty. */
  fallback?: string;
}
const settings: readonly Setting[] = Object.values(settingsTable);
/** The variables whose values may not be printed. */
export const secrets: readonly string[] = settings.filter(({ isSecret }) => isSecret).map(({ variable }) => variable);

/** The values of the secrets, and the passwords in them, none of which may be printed. */
export const settingSecrets = (values: Settings): string[] =>
  Object.entries(settingsTable)
    .filter(([, setting]) => 'isSecret' in setting)
    .flatMap(([name]) => [values[name as keyof Table]].flat().map(String))
    .flatMap(value => [value, readPassword(value)])
    .filter(Boolean);

function readPassword(value: string): string {
  // With several hosts it is not a URL.
  const [url] = splitHosts(value);
  return URL.canParse(url!) ? decodeURIComponent(new URL(url!).password) : '';
}

export class InvalidSettings extends Error {}

type Environment = Record<string, string | undefined>;

/** The value of a secret can be in a file, whose path is in a variable of this name. */
export const fileVariable = (variable: string) => `${variable}_FILE`;

/** Reads the files of secrets, too. Throws InvalidSettings with all mistakes. */
export function readSettings(environment: Environment): Settings {
  const mistakes = findDatabaseMistakes(environment);
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, setting]) => {
      const { variable, fallback = '' }: Setting = setting;
      const text = readText(environment, setting, mistakes);
      const result = setting.parse.safeParse(text ? text : fallback);
      // The message never contains the value, which may be a secret.
      if (!result.success) mistakes.push(`${variable}: ${listMessages(result.error.issues).join('; ')}`);
      return [name, result.data];
    }),
  ) as Settings;
  mistakes.push(...findMissingSettings(values));
  if (mistakes.length)
    throw new InvalidSettings(`These settings are wrong:\n${mistakes.map(line => `  ${line}`).join('\n')}`);
  return values;
}

/** Where alternatives are refused, the message of the last is about what was meant: the others are single words. */
const listMessages = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap(issue => (issue.code === 'invalid_union' ? listMessages(issue.errors.at(-1)!) : [issue.message]));

function readText(environment: Environment, { variable, alias }: Setting, mistakes: string[]): string | undefined {
  const text = (environment[variable] || (alias && environment[alias]))?.trim();
  const path = secrets.includes(variable) ? environment[fileVariable(variable)] : undefined;
  if (!path) return text;
  if (text) mistakes.push(`${fileVariable(variable)}: must not be set where ${variable} is`);
  try {
    const content = readFileSync(path, 'utf8').trim();
    if (!content) mistakes.push(`${fileVariable(variable)}: the file is empty`);
    return content;
  } catch (error) {
    mistakes.push(`${fileVariable(variable)}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}

/** A lost setting must not put the data of a production service into an embedded database. */
function findDatabaseMistakes(environment: Environment): string[] {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file, NODE_ENV } = environment;
  const choice = `the URL of a PostgreSQL database, or ${embedded}`;
  if (file || url?.trim()) return [];
  if (url !== undefined) return [`DATABASE_URL: is empty. It must be ${choice}`];
  return NODE_ENV === 'production' ? [`DATABASE_URL: must be set where NODE_ENV is production: ${choice}`] : [];
}

/** How other programs call a setting. */
const otherNames: Record<string, string> = {
  BASE_HOST: 'PUBLIC_URL',
  BASE_URL: 'PUBLIC_URL',
  SMTP_FROM: 'MAIL_FROM',
  SMTP_HOST: 'SMTP_URL',
  SMTP_PASS: 'SMTP_URL',
  SMTP_PASSWORD: 'SMTP_URL',
  SMTP_PORT: 'SMTP_URL',
  SMTP_SERVER: 'SMTP_URL',
  SMTP_USER: 'SMTP_URL',
  SMTP_USERNAME: 'SMTP_URL',
  TRUST_PROXY: 'TRUSTED_PROXIES',
  TRUSTED_PROXY: 'TRUSTED_PROXIES',
};

/** Kubernetes sets variables of the services of a namespace, such as SMTP_PORT=tcp://10.0.0.7:25. */
const isOfKubernetes = (value: string | undefined) => /^(tcp|udp):/.test(value ?? '');

/**
 * Returns a sentence for each variable of the environment whose name is nearly that of a setting. Unknown names cannot
 * be refused: the environment has variables of other programs.
 */
export function findMisspelledSettings(environment: Environment): string[] {
  const aliases = settings.flatMap(({ alias }) => alias ?? []);
  const variables = [...settings.map(({ variable }) => variable), ...aliases, ...secrets.map(fileVariable)];
  return Object.keys(environment).flatMap(name => {
    if (variables.includes(name) || isOfKubernetes(environment[name])) return [];
    const suggestion = otherNames[name] ?? findIntendedName(name.toUpperCase(), variables);
    return suggestion ? [`The variable ${name} is not a setting and has no effect. Did you mean ${suggestion}?`] : [];
  });
}

/** Settings without which others that are set have no effect. */
function findMissingSettings(values: Settings): string[] {
  const missing = (isNeeded: boolean, reason: string, names: readonly (keyof Table)[]) =>
    names.filter(name => isNeeded && !values[name]).map(name => `${settingsTable[name].variable}: ${reason}`);
  const oauth = ['smtpUrl', 'smtpOauthClientId'] as const;
  const dkim = ['dkimDomain', 'dkimSelector', 'dkimPrivateKeyFile'] as const;
  // Undefined where it is not valid.
  const { oidcRoles, databaseReplicaUrls }: Partial<Settings> = values;
  const { username, password } = new URL(values.smtpUrl || 'smtp://user@host');
  return [
    ...missing(!!values.databaseDirectUrl, 'must be a server where DATABASE_DIRECT_URL is set', ['databaseUrl']),
    ...missing(!!databaseReplicaUrls?.length, 'must be a server where DATABASE_REPLICA_URLS is set', ['databaseUrl']),
    ...missing(!!values.smtpUrl, 'must be set where SMTP_URL is', ['mailFrom']),
    ...missing(!!values.smsUrl, 'must be set where SMS_URL is', ['smsFrom']),
    ...missing(!!values.smtpOauthTokenUrl, 'must be set where SMTP_OAUTH_TOKEN_URL is', oauth),
    ...(values.smtpOauthTokenUrl && !values.smtpOauthRefreshToken && !values.smtpOauthClientSecret
      ? ['SMTP_OAUTH_REFRESH_TOKEN: must be set, or SMTP_OAUTH_CLIENT_SECRET, where SMTP_OAUTH_TOKEN_URL is']
      : []),
    ...(values.smtpOauthTokenUrl && (!username || password)
      ? ['SMTP_URL: must name a user, and no password, where SMTP_OAUTH_TOKEN_URL is set']
      : []),
    ...findConsoleMistakes(values),
    ...missing(!!values.oidcIssuer, 'must be set where OIDC_ISSUER is', ['oidcClientId']),
    ...missing(!!oidcRoles?.length, 'must be set where OIDC_ROLES is', ['oidcIssuer', 'oidcRolesClaim']),
    ...missing(
      dkim.some(name => values[name]),
      'must be set where another DKIM setting is',
      dkim,
    ),
  ];
}

function findConsoleMistakes(values: Settings): string[] {
  // An invalid address is reported by its own setting.
  if ([values.port, values.publicUrl, values.consoleUrl].includes(undefined as never)) return [];
  const { baseHost, consoleHost = '' } = parseHosts(values);
  const isPageHost = consoleHost.endsWith(`.${baseHost}`) && /^[0-9a-f]{8}\./.test(consoleHost);
  return [
    ...(isPageHost ? ['CONSOLE_URL: must not have the host of a page'] : []),
    ...(parseConsoleUrl(values).scheme === parsePublicUrl(values).scheme
      ? []
      : ['CONSOLE_URL: must have the scheme of PUBLIC_URL']),
  ];
}

/** The parts of PUBLIC_URL, in lower case and without a path. `port` is '' or ':3000'. */
export interface PublicUrl {
  scheme: string;
  baseHost: string;
  port: string;
  origin: string;
  /** The URL of a page is its id between these: at a host below the base host, or at a path of an IP address. */
  pageUrl: { prefix: string; suffix: string };
}

export function parsePublicUrl({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): PublicUrl {
  const { protocol, hostname, host, port: given, origin } = new URL(publicUrl || `http://localhost:${port}`);
  const isAddress = isIP(hostname) > 0 || hostname.startsWith('[');
  return {
    scheme: protocol.slice(0, -1),
    baseHost: hostname,
    port: given && `:${given}`,
    origin,
    pageUrl: isAddress ? { prefix: `${origin}/status/`, suffix: '' } : { prefix: `${protocol}//`, suffix: `.${host}` },
  };
}

export type AddressSettings = Pick<Settings, 'publicUrl' | 'port'> & Partial<Pick<Settings, 'consoleUrl'>>;

/** Where people sign in and use the console: at PUBLIC_URL, or at a host of its own. */
export const parseConsoleUrl = ({ publicUrl, consoleUrl, port }: AddressSettings): PublicUrl =>
  parsePublicUrl({ publicUrl: consoleUrl || publicUrl, port });

/** The hosts of the service itself, beside those of pages. */
export interface OwnHosts {
  baseHost: string;
  /** Absent where the console is at the base host. */
  consoleHost?: string;
}

export function parseHosts(settings: AddressSettings): OwnHosts {
  const { baseHost } = parsePublicUrl(settings);
  const consoleHost = parseConsoleUrl(settings).baseHost;
  return consoleHost === baseHost ? { baseHost } : { baseHost, consoleHost };
}

/** Returns the domain of the sender, which a Message-ID ends with. */
export const parseMailDomain = (given: Pick<Settings, 'mailFrom' | 'publicUrl' | 'port'>): string =>
  /@([^<>\s@]+)>?$/.exec(given.mailFrom)?.[1] ?? parsePublicUrl(given).baseHost;
