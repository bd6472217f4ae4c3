import { badRequest } from '../core/errors.js';
import { quoteLiteral } from '../core/sql-literal.js';
import type { RunRead } from '../db/prepared-statements.js';

/**
 * Expressions that fail a statement, for values that the GraphQL schema does not allow: graphql-js would refuse them,
 * but does not see a response that PostgreSQL writes. SQL has no expression that raises an error with a message, so the
 * message is the name of a setting that does not exist, which the error shows. PostgreSQL does not call
 * `current_setting` while it plans, as it would call a function of constants, even where no row reaches it.
 */
const raise = (message: string): string => `current_setting(${message})`;

/** Raises "<enum> has no value <value>". Null stays null. */
export const compileUnknownValueError = (enumName: string, value: string): string =>
  raise(`${quoteLiteral(`${enumName} has no value `)} || ${value}`);

/** Raises "<field> is null". `type` is the SQL type that the expression has where it stands. */
export const compileNullError = (fieldName: string, type: string): string => {
  const error = raise(quoteLiteral(`${fieldName} is null, but not nullable`));
  return type === 'text' ? error : `${error}::${type}`;
};

/** Raises "<interface> has no type <name>", where JSON is expected. */
export const compileUnknownTypeError = (interfaceName: string, typeName: string): string =>
  `${raise(`${quoteLiteral(`${interfaceName} has no type `)} || coalesce(${typeName}, 'null')`)}::json`;

const tooLong = 'a response is too long';

/**
 * Refuses a read whose `body` is longer, before PostgreSQL sends it: texts are long, and this process would have them
 * in memory several times. `offset 0` keeps PostgreSQL from computing the body twice.
 */
export const limitReads =
  (run: RunRead, maxBytes: number): RunRead =>
  async (text, values) => {
    const limited = `select r.* from (select s.* from (${text}) s offset 0) r
      where case when octet_length(r.body) > ${maxBytes} then ${raise(quoteLiteral(tooLong))}::boolean else true end`;
    try {
      return await run(limited, values);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(tooLong))) throw error;
      throw badRequest(`The response is longer than ${maxBytes / 1024 / 1024} MB. Ask for fewer records or fields.`);
    }
  };
