import { parseMailDomain, parsePublicUrl, type Settings } from '../core/config.js';
import { snakeCase } from '../core/snake-case.js';

/** The settings that SQL expressions need. Every connection gets them when it opens, as all_clear.* variables. */
export interface SessionVariables {
  publicScheme: string;
  baseHost: string;
  /** '' or ':3000' */
  publicPort: string;
  /** The domain of every Message-ID. */
  mailDomain: string;
  /** 'true' or 'false': whether the service can send e-mail, and SMS. */
  isEmailConfigured: string;
  isSmsConfigured: string;
}

const variableName = (name: string) => `all_clear.${snakeCase(name)}`;

/** The SQL expression for a variable, a text. A subselect is evaluated once a statement, not once a row. */
export const sessionVariableSql = (name: keyof SessionVariables): string =>
  `(select current_setting('${variableName(name)}'))`;

export function createSessionVariables(settings: Settings): SessionVariables {
  const { scheme, baseHost, port } = parsePublicUrl(settings);
  return {
    publicScheme: scheme,
    baseHost,
    publicPort: port,
    mailDomain: parseMailDomain(settings),
    isEmailConfigured: String(settings.smtpUrl !== '' && settings.mailFrom !== ''),
    isSmsConfigured: String(settings.smsUrl !== '' && settings.smsFrom !== ''),
  };
}

export interface Client {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

export async function setSessionVariables(client: Client, variables: SessionVariables): Promise<void> {
  const entries = Object.entries(variables);
  const calls = entries.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  await client.query(
    `select ${calls.join(', ')}`,
    entries.flatMap(([name, value]) => [variableName(name), value]),
  );
}
