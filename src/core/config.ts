import type { z } from 'zod';
import { settingsTable } from './settings-table.js';
import { isMisspelling, suggest } from './suggest.js';

type Table = typeof settingsTable;
export type Settings = { -readonly [name in keyof Table]: z.output<Table[name]['parse']> };

export class InvalidSettings extends Error {}

export function readSettings(environment: Record<string, string | undefined>): Settings {
  const mistakes: string[] = [];
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, { variable, fallback, parse }]) => {
      const text = environment[variable]?.trim();
      const result = parse.safeParse(text ? text : fallback);
      // The message never contains the value, which may be a secret.
      if (!result.success) mistakes.push(`${variable}: ${result.error.issues.map(issue => issue.message).join('; ')}`);
      return [name, result.data];
    }),
  ) as Settings;
  mistakes.push(...findMissingSettings(values));
  if (mistakes.length)
    throw new InvalidSettings(`These settings are wrong:\n${mistakes.map(line => `  ${line}`).join('\n')}`);
  return values;
}

/**
 * Returns a sentence for each variable of the environment whose name is nearly that of a setting. Unknown names cannot
 * be refused: the environment has variables of other programs.
 */
export function findMisspelledSettings(environment: Record<string, string | undefined>): string[] {
  const variables = Object.values(settingsTable).map(({ variable }) => variable as string);
  return Object.keys(environment).flatMap(name => {
    if (variables.includes(name)) return [];
    const suggestion = suggest(name, variables).find(variable => isMisspelling(name.toUpperCase(), variable));
    return suggestion ? [`The variable ${name} is not a setting and has no effect. Did you mean ${suggestion}?`] : [];
  });
}

/** Settings without which others that are set have no effect. */
function findMissingSettings(values: Settings): string[] {
  const missing = (isNeeded: boolean, reason: string, names: readonly (keyof Table)[]) =>
    names.filter(name => isNeeded && !values[name]).map(name => `${settingsTable[name].variable}: ${reason}`);
  const oauth = ['smtpUrl', 'smtpOauthClientId', 'smtpOauthRefreshToken'] as const;
  const dkim = ['dkimDomain', 'dkimSelector', 'dkimPrivateKeyFile'] as const;
  const { username, password } = new URL(values.smtpUrl || 'smtp://user@host');
  return [
    ...missing(!!values.smtpUrl, 'must be set where SMTP_URL is', ['mailFrom']),
    ...missing(!!values.smsUrl, 'must be set where SMS_URL is', ['smsFrom']),
    ...missing(!!values.smtpOauthTokenUrl, 'must be set where SMTP_OAUTH_TOKEN_URL is', oauth),
    ...(values.smtpOauthTokenUrl && (!username || password)
      ? ['SMTP_URL: must name a user, and no password, where SMTP_OAUTH_TOKEN_URL is set']
      : []),
    ...findConsoleMistakes(values),
    ...missing(!!values.oidcIssuer, 'must be set where OIDC_ISSUER is', ['oidcClientId']),
    ...missing(values.oidcRoles.length > 0, 'must be set where OIDC_ROLES is', ['oidcIssuer', 'oidcRolesClaim']),
    ...missing(
      dkim.some(name => values[name]),
      'must be set where another DKIM setting is',
      dkim,
    ),
  ];
}

function findConsoleMistakes(values: Settings): string[] {
  // One that is not valid is reported by itself.
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
}

export function parsePublicUrl({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): PublicUrl {
  const url = new URL(publicUrl || `http://localhost:${port}`);
  return {
    scheme: url.protocol.slice(0, -1),
    baseHost: url.hostname,
    port: url.port && `:${url.port}`,
    origin: url.origin,
  };
}

type AddressSettings = Pick<Settings, 'publicUrl' | 'port'> & Partial<Pick<Settings, 'consoleUrl'>>;

/** Where people sign in and use the console: at PUBLIC_URL, or at a host of its own. */
export const parseConsoleUrl = ({ publicUrl, consoleUrl, port }: AddressSettings): PublicUrl =>
  parsePublicUrl({ publicUrl: consoleUrl || publicUrl, port });

/** The hosts that the service has a use for, besides those of pages. */
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

/** .env.example */
export function renderEnvExample(): string {
  const toEntry = ({ variable, fallback, meaning }: Table[keyof Table]) =>
    `# ${meaning}\n${fallback ? '' : '# '}${variable}=${fallback}\n`;
  const entries = Object.values(settingsTable).map(toEntry);
  return `# Generated by \`npm run env-example\` from src/core/settings-table.ts.\n\n${entries.join('\n')}`;
}

/** docs/configuration.md */
export function renderConfigurationPage(): string {
  const toRow = ({ variable, fallback, meaning }: Table[keyof Table]) =>
    `| \`${variable}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`;
  return `# Configuration

Settings are read once at start, from the environment or from a file \`.env\` in the working directory; the environment
goes first. All mistakes are listed at once, and the service does not start. Values are never printed.

| variable | default | meaning |
|---|---|---|
${Object.values(settingsTable).map(toRow).join('\n')}

Generated by \`npm run env-example\` from \`src/core/settings-table.ts\`.
`;
}
