import PQueue from 'p-queue';
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

/** How many bytes a response may still have. */
export class ResponseSize {
  private left: number;
  private hasDocument = false;
  /** What else is read would take the database as long as what was refused. */
  isExceeded = false;
  /** Root fields of which a part was refused. */
  readonly refusedFields = new Set<string>();

  constructor(private readonly maxBytes: number) {
    this.left = maxBytes;
  }

  get bytesLeft(): number {
    return this.left;
  }

  /** Counts bytes of the response; throws where they are too many. */
  add(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) this.refuse();
  }

  addText(text: string): void {
    this.add(Buffer.byteLength(text));
  }

  /** The same of a value that becomes JSON, without making it. */
  addValue(value: unknown): void {
    if (typeof value === 'string') this.addText(value);
    else if (typeof value !== 'object' || value === null) this.add(4);
    else
      for (const [name, member] of Object.entries(value)) {
        this.add(Array.isArray(value) ? 1 : name.length + 4);
        this.addValue(member);
      }
  }

  /** The same of a document of a page, which can be longer than a response: one of them does not count. */
  addDocument(html: string): void {
    if (this.hasDocument) this.addText(html);
    this.hasDocument = true;
  }

  refuse(): never {
    this.isExceeded = true;
    throw badRequest(`The response is longer than ${this.maxBytes / 1024 / 1024} MB. Ask for fewer records or fields.`);
  }
}

/**
 * Refuses a read whose `body` is longer than what is left, before PostgreSQL sends it: texts are long, and this process
 * would have them in memory several times. All reads of a response share it, since a query has up to 20 root fields,
 * and so run one after another. `offset 0` keeps PostgreSQL from computing the body twice.
 */
export function limitReads(run: RunRead, size: ResponseSize): RunRead {
  const queue = new PQueue({ concurrency: 1 });
  const read: RunRead = async (text, values) => {
    if (size.isExceeded) size.refuse();
    // A parameter, so that the text can be that of a prepared statement.
    const limited = `select r.* from (select s.* from (${text}) s offset 0) r
      where case when octet_length(r.body) > $${values.length + 1}
        then ${raise(quoteLiteral(tooLong))}::boolean else true end`;
    const row = await run(limited, [...values, size.bytesLeft]).catch(error => {
      if (error instanceof Error && error.message.includes(tooLong)) size.refuse();
      throw error;
    });
    size.add(Buffer.byteLength(row?.body ?? ''));
    return row;
  };
  return (text, values) => queue.add(() => read(text, values));
}
