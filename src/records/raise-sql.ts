import { quoteLiteral } from '../core/sql-literal.js';

/**
 * Expressions that fail a statement, for values that the GraphQL schema does not allow: graphql-js would refuse them,
 * but does not see a response that PostgreSQL writes. SQL has no expression that raises an error, so a text is cast to
 * an integer, which fails and shows the text. None of the texts is constant, since PostgreSQL evaluates a constant
 * while it plans the statement, even one that no row reaches.
 */

const raise = (message: string, detail: string): string => `(${quoteLiteral(message)} || ${detail})::integer::text`;

/** Raises "<enum> has no value <value>". Null stays null. */
export const compileUnknownValueError = (enumName: string, value: string): string =>
  raise(`${enumName} has no value `, value);

/** Raises "<field> is null". `type` is the SQL type that the expression has where it stands. */
export const compileNullError = (fieldName: string, type: string): string =>
  `${raise(`${fieldName} is null, which the schema does not allow: `, 'now()')}::${type}`;

/** Raises "<interface> has no type <name>", where JSON is expected. */
export const compileUnknownTypeError = (interfaceName: string, typeName: string): string =>
  `${raise(`${interfaceName} has no type `, `coalesce(${typeName}, 'null')`)}::json`;
