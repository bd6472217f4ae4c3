/** What a filter compares a field by, as docs/rest-api.md says. */
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

/** The left side of a comparison. */
export interface Operand {
  sql: string;
  /** The SQL type that a value is compared as. */
  type: 'text' | 'bigint' | 'timestamptz' | 'boolean';
  isCaseInsensitive: boolean;
}

type Bind = (value: unknown) => string;

/**
 * Case folding that is the same on every database and works character by character. The ICU collation alone is not
 * enough: İ becomes two characters and Σ depends on what follows, so that `cont` would not find a part in its whole.
 */
const foldSpecialCases = (sql: string) => `translate(${sql}, 'İΣς', 'iσσ')`;
/** With Kelvin, the only ones beyond ASCII whose lower case is in it. */
const foldedIntoAscii = ['İ', '\u212a'];

/**
 * A pattern of ASCII is compared with the bytes of the lower case, which takes a tenth of the time. Only a text with
 * one of the letters above, so one of more bytes than characters, can match it in no other way than by case folding.
 * `like` on lower case takes a third of the time of `ilike`, which lowers the pattern, too, for each text.
 */
function like(operand: Operand, value: string, bind: Bind): string {
  const text = toText(operand);
  const isFast = /^[ -~]*$/.test(value);
  // Computed once, and not for each comparison: it may be from a message of 100 kB.
  if (isFast && !/^[\w".]+$/.test(text)) {
    const comparison = like({ ...operand, sql: 'computed.value', type: 'text' }, value, bind);
    return `(select ${comparison} from (select ${text} as value offset 0) computed)`;
  }
  const pattern = bind(isFast ? value.toLowerCase() : value);
  const folded = `${foldSpecialCases(text)} collate "und-x-icu" ilike ${foldSpecialCases(pattern)}`;
  if (!isFast) return folded;
  const hasFolded = foldedIntoAscii.map(letter => `strpos(${text}, '${letter}') > 0`).join(' or ');
  const isBeyondAscii = `octet_length(${text}) > length(${text})`;
  return `(lower(${text} collate "C") like ${pattern} or ${isBeyondAscii} and (${hasFolded}) and ${folded})`;
}
const toText = ({ sql, type }: Operand) => (type === 'text' ? sql : `${sql}::text`);
const toComparable = ({ sql, isCaseInsensitive }: Operand) => (isCaseInsensitive ? `lower(${sql})` : sql);
const byCodePoint = (operand: Operand) =>
  operand.type === 'text' ? `${toComparable(operand)} collate "C"` : operand.sql;
const isEmpty = ({ sql, type }: Operand) => (type === 'text' ? `(${sql} is null or ${sql} = '')` : `${sql} is null`);
const escapePattern = (value: string) => value.replace(/[\\%_]/g, '\\$&');
/** Completes a lone backslash at the end of a pattern, which LIKE would refuse. */
const completeEscape = (value: string) => (/(?:^|[^\\])(?:\\\\)*\\$/.test(value) ? `${value}\\` : value);

/** They compare a value of any type as text. */
export const patternOperators: ReadonlySet<Operator> = new Set(['matches', 'cont']);

/** Comparison with null is never true in SQL, so `notEq` and `notIn` leave out nulls, as docs/rest-api.md says. */
export const operators: Record<Operator, (operand: Operand, value: unknown, bind: Bind) => string> = {
  eq: (operand, value, bind) => `${toComparable(operand)} = ${bind(value)}`,
  notEq: (operand, value, bind) => `${toComparable(operand)} <> ${bind(value)}`,
  matches: (operand, value, bind) => like(operand, completeEscape(String(value)), bind),
  cont: (operand, value, bind) => like(operand, `%${escapePattern(String(value))}%`, bind),
  gt: (operand, value, bind) => `${byCodePoint(operand)} > ${bind(value)}`,
  lt: (operand, value, bind) => `${byCodePoint(operand)} < ${bind(value)}`,
  gteq: (operand, value, bind) => `${byCodePoint(operand)} >= ${bind(value)}`,
  lteq: (operand, value, bind) => `${byCodePoint(operand)} <= ${bind(value)}`,
  present: (operand, value) => (value ? `not ${isEmpty(operand)}` : isEmpty(operand)),
  blank: (operand, value) => (value ? isEmpty(operand) : `not ${isEmpty(operand)}`),
  in: (operand, value, bind) => `${toComparable(operand)} = any(${bind(value)})`,
  notIn: (operand, value, bind) => `${toComparable(operand)} <> all(${bind(value)})`,
};
