import { snakeCase } from '../core/snake-case.js';
import { type EntityProperty, ReferenceKind } from '@mikro-orm/core';
import { badRequest } from '../core/errors.js';
import { parseTimestamp } from '../core/timestamp.js';
import { literal } from '../core/sql-literal.js';
import { column, type Columns, columnsOf, join, latest, type Meta, type Statement, visible } from './select-sql.js';

/**
 * The filters of the contract, section 7, as SQL conditions. A filter is what the graph's filter inputs give:
 * `{ subject: { cont: 'x' }, components: { state: { eq: 'degraded' } } }`; values are parsed by the edges, and checked here where SQL would stumble.
 */
export type Operator =
  | 'eq'
  | 'notEq'
  | 'matches'
  | 'cont'
  | 'gt'
  | 'lt'
  | 'gteq'
  | 'lteq'
  | 'present'
  | 'blank'
  | 'in'
  | 'notIn';
export type Filter = { [field: string]: Filter | { [operator in Operator]?: unknown } | unknown };

interface Subject {
  sql: string;
  /** The SQL type that a value is compared as. */
  type: 'text' | 'bigint' | 'timestamptz' | 'boolean';
  /** E-mail addresses are compared without case. */
  caseless: boolean;
}

type Parameter = (value: unknown) => string;

/**
 * Case is folded the same way on every database, whatever the locale it was made with, and letter by letter: the lower case of İ is two letters,
 * and that of Σ hangs on what follows it, so that a part would not be found in its whole.
 */
const letterByLetter = (sql: string) => `translate(${sql}, 'İΣς', 'iσσ')`;
const like = (subject: Subject, pattern: string) =>
  `${letterByLetter(asText(subject))} collate "und-x-icu" ilike ${letterByLetter(pattern)}`;
const asText = ({ sql, type }: Subject) => (type === 'text' ? sql : `${sql}::text`);
const comparable = ({ sql, caseless }: Subject) => (caseless ? `lower(${sql})` : sql);
const byCodePoint = (subject: Subject) =>
  subject.type === 'text' ? `${comparable(subject)} collate "C"` : subject.sql;
const empty = ({ sql, type }: Subject) => (type === 'text' ? `(${sql} is null or ${sql} = '')` : `${sql} is null`);
const escaped = (value: string) => value.replace(/[\\%_]/g, '\\$&');
/** A lone backslash at the end is a backslash; LIKE would refuse it. */
const pattern = (value: string) => (/(?:^|[^\\])(?:\\\\)*\\$/.test(value) ? `${value}\\` : value);

/** One line an operator. Comparison with null is never true, which is how `notEq` and `notIn` leave nulls out. */
const operators: Record<Operator, (subject: Subject, value: unknown, p: Parameter) => string> = {
  eq: (s, value, p) => `${comparable(s)} = ${p(value)}`,
  notEq: (s, value, p) => `${comparable(s)} <> ${p(value)}`,
  matches: (s, value, p) => like(s, p(pattern(String(value)))),
  cont: (s, value, p) => like(s, p(`%${escaped(String(value))}%`)),
  gt: (s, value, p) => `${byCodePoint(s)} > ${p(value)}`,
  lt: (s, value, p) => `${byCodePoint(s)} < ${p(value)}`,
  gteq: (s, value, p) => `${byCodePoint(s)} >= ${p(value)}`,
  lteq: (s, value, p) => `${byCodePoint(s)} <= ${p(value)}`,
  present: (s, value) => (value ? `not ${empty(s)}` : empty(s)),
  blank: (s, value) => (value ? empty(s) : `not ${empty(s)}`),
  in: (s, value, p) => `${comparable(s)} = any(${p(value)})`,
  notIn: (s, value, p) => `${comparable(s)} <> all(${p(value)})`,
};

interface Condition {
  sql: string;
  /** Of a related list: 'no related record fails it', in place of 'at least one meets it'. */
  negative: boolean;
}

export function conditions(
  filter: Filter | null | undefined,
  meta: Meta,
  alias: string,
  statement: Statement,
): string[] {
  return compile(filter, meta, alias, statement, '').map(({ sql }) => sql);
}

/** `path` is what stands before a field's name in the key that a refusal names: `components_`. */
function compile(
  filter: Filter | null | undefined,
  meta: Meta,
  alias: string,
  statement: Statement,
  path: string,
): Condition[] {
  return Object.entries(filter ?? {}).flatMap(([name, asked]) => {
    if (asked === null || asked === undefined) return [];
    const special = specialConditions(meta)[name];
    if (special) {
      const accepted = each(asked, snakeCase(name), value => checked(value, 'bigint', snakeCase(name)));
      return [{ sql: special(columnsOf(meta, alias), statement.parameter(accepted)), negative: false }];
    }
    const property = meta.properties[name] as EntityProperty;
    if (property.targetMeta)
      return compileRelation(property, asked as Filter, alias, statement, `${path}${snakeCase(name)}_`);
    return Object.entries(asked as object).flatMap(([operator, value]) =>
      value === null || value === undefined
        ? []
        : [
            compileLeaf(
              meta,
              property,
              alias,
              operator as Operator,
              value,
              statement,
              `${path}${snakeCase(name)}_${snakeCase(operator)}`,
            ),
          ],
    );
  });
}

/** Each condition counts by itself: several on one association may be met by several related records. */
function compileRelation(
  property: EntityProperty,
  filter: Filter,
  alias: string,
  statement: Statement,
  path: string,
): Condition[] {
  const related = statement.alias();
  const { from, on } = join(property, alias, related);
  const base = [on, ...visible(property.targetMeta!, related, statement.form.caller)].join(' and ');
  const many = property.kind === ReferenceKind.ONE_TO_MANY || property.kind === ReferenceKind.MANY_TO_MANY;
  return compile(filter, property.targetMeta!, related, statement, path).map(({ sql, negative }) =>
    many && negative
      ? { sql: `not exists (select 1 from ${from} where ${base} and (${sql}) is not true)`, negative }
      : { sql: `exists (select 1 from ${from} where ${base} and ${sql})`, negative: false },
  );
}

function compileLeaf(
  meta: Meta,
  property: EntityProperty,
  alias: string,
  operator: Operator,
  value: unknown,
  statement: Statement,
  key: string,
): Condition {
  const negative = operator === 'notEq' || operator === 'notIn';
  const subject: Subject = {
    sql: compared(meta, property, alias),
    type: sqlType(property),
    caseless: caseless(meta, property.name),
  };
  const tags = property.type === 'string[]';
  if (operator === 'present' || operator === 'blank') {
    if (tags)
      return {
        sql: `cardinality(${subject.sql}) ${(operator === 'present') === Boolean(value) ? '>' : '='} 0`,
        negative,
      };
    return { sql: operators[operator](subject, value, statement.parameter), negative };
  }
  const partOfText = operator === 'matches' || operator === 'cont';
  const parameter = (given: unknown) => {
    const sql = `${statement.parameter(given)}::${partOfText ? 'text' : subject.type}${Array.isArray(given) ? '[]' : ''}`;
    if (!subject.caseless || partOfText) return sql;
    // By the database, as the column is: the lower case of JavaScript is another for some letters.
    return Array.isArray(given) ? `array(select lower(member) from unnest(${sql}) member)` : `lower(${sql})`;
  };
  const accepted = accept(operator, partOfText ? value : written(meta, property.name, value), subject, key);
  if (!tags) return { sql: operators[operator](subject, accepted, parameter), negative };
  // Single tags are compared, as the records of an association would be.
  const one = operators[operator]({ ...subject, sql: 'tag' }, accepted, parameter);
  const among = `select 1 from unnest(${subject.sql}) tag where`;
  return { sql: negative ? `not exists (${among} (${one}) is not true)` : `exists (${among} ${one})`, negative };
}

function accept(operator: Operator, value: unknown, { type }: Subject, name: string): unknown {
  if (operator === 'matches' || operator === 'cont') {
    if (type !== 'text' && type !== 'bigint') throw badRequest(`The filter ${name} compares texts, and this is none.`);
    // What a pattern costs grows with its length times that of the text.
    if (String(value).length > longestPattern)
      throw badRequest(`The filter ${name} takes a text of at most ${longestPattern} characters.`);
    return checked(value, 'text', name);
  }
  return each(value, name, one => checked(one, type, name));
}

/** A value, or each of a list of them. */
function each(value: unknown, name: string, judge: (one: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return judge(value);
  if (value.length > longestList)
    throw badRequest(`The filter ${name} takes at most ${longestList.toLocaleString('en')} values.`);
  return value.map(judge);
}

const longestList = 1_000;
const longestPattern = 1_000;
const longest = 2n ** 63n;

function checked(value: unknown, type: Subject['type'], name: string): unknown {
  if (type === 'bigint') {
    const digits = String(value).trim();
    if (!/^[+-]?\d{1,30}$/.test(digits) || BigInt(digits) >= longest || BigInt(digits) < -longest)
      throw badRequest(`The filter ${name} takes an integer, not "${digits.slice(0, 40)}".`);
    return digits;
  }
  if (type === 'text' && (String(value).includes('\0') || !String(value).isWellFormed()))
    throw badRequest(
      `The filter ${name} takes no ${JSON.stringify(String(value).slice(0, 60).toWellFormed())}: it holds a character that no text can hold.`,
    );
  return value instanceof Date ? value.toISOString() : value;
}

/** A value that must be of the property's own type, for the comparisons of a cursor. */
export function typedParameter(property: EntityProperty, value: unknown, statement: Statement): string {
  const type = sqlType(property);
  if (type === 'timestamptz' && value === latest) return `${literal(latest)}::timestamptz`;
  const moment = type === 'timestamptz' ? parseTimestamp(String(value)) : undefined;
  if (moment === null)
    throw badRequest('`after` takes a cursor that this list gave, in the order that it was given in.');
  return `${statement.parameter(checked(moment ?? (type === 'text' ? String(value) : value), type, 'after'))}::${type}${type === 'text' ? ' collate "C"' : ''}`;
}

function sqlType(property: EntityProperty): Subject['type'] {
  if (property.type === 'integer' || property.runtimeType === 'number') return 'bigint';
  if (property.type === 'boolean') return 'boolean';
  return property.type === 'timestamptz' || property.runtimeType === 'Date' ? 'timestamptz' : 'text';
}

/** What is compared where it is not what is kept: an attribute that a record of its kind does not have is null. */
function compared(meta: Meta, property: EntityProperty, alias: string): string {
  const other = (meta.class as { compared?: Record<string, (columns: Columns) => string> }).compared?.[property.name];
  return other ? `(${other(columnsOf(meta, alias))})` : column(meta, property, alias);
}

const caseless = (meta: Meta, name: string) =>
  ((meta.class as { caseless?: readonly string[] }).caseless ?? []).includes(name);

/** A value in the writing that is kept, where the entity has one; what cannot be written so stays as it came, and equals nothing. */
function written(meta: Meta, name: string, value: unknown): unknown {
  const write = (meta.class as { written?: Record<string, (text: string) => string | null> }).written?.[name];
  if (!write) return value;
  return each(value, snakeCase(name), one => write(String(one)) ?? one);
}

type SpecialCondition = (columns: Columns, parameter: string) => string;
const specialConditions = (meta: Meta) =>
  (meta.class as { conditions?: Record<string, SpecialCondition> }).conditions ?? {};
