import { parseMailDomain, parsePublicUrl, type Settings } from '../core/config.js';
import { snakeCase } from '../core/snake-case.js';
import { quoteLiteral } from '../core/sql-literal.js';

/** The settings that SQL expressions need, as all_clear.* variables of the session or of the transaction. */
export interface SessionVariables {
  /** The URL of a page is its id between these. */
  pageUrlPrefix: string;
  pageUrlSuffix: string;
  baseHost: string;
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

export function createSessionVariables(settings: Settings): Record<string, string> {
  const { baseHost, pageUrl } = parsePublicUrl(settings);
  const variables: SessionVariables = {
    pageUrlPrefix: pageUrl.prefix,
    pageUrlSuffix: pageUrl.suffix,
    baseHost,
    mailDomain: parseMailDomain(settings),
    isEmailConfigured: String(settings.smtpUrl !== '' && settings.mailFrom !== ''),
    isSmsConfigured: String(settings.smsUrl !== '' && settings.smsFrom !== ''),
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [variableName(name), value]));
}

/** The statement that sets parameters of PostgreSQL for the session, or until the end of the transaction. */
export function setParametersSql(parameters: Record<string, string>, scope: 'session' | 'transaction'): string {
  const calls = Object.entries(parameters).map(
    ([name, value]) => `set_config(${quoteLiteral(name)}, ${quoteLiteral(value)}, ${scope === 'transaction'})`,
  );
  return `select ${calls.join(', ')}`;
}
