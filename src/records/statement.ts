import type { Caller } from '../auth/access.js';

/** The key of the concrete type in rows for execution. It begins with a digit, as no GraphQL alias can. */
export const typeKey = '0kind';

/** The row below which others are selected, and their relation to it. */
export interface ParentRow {
  relation: string;
  alias: string;
}

/** A statement while it is compiled: its parameters and the aliases of its tables. */
export class Statement {
  readonly values: unknown[] = [];
  /** By the alias of the rows that are selected below one. */
  readonly parents = new Map<string, ParentRow>();
  private aliases = 0;

  constructor(
    readonly options: StatementOptions,
    readonly variables: Record<string, unknown>,
  ) {}

  /** Adds a parameter and returns its placeholder. The only way for a value of a client into a statement. */
  bind = (value: unknown): string => `$${this.values.push(value)}`;

  get caller(): Caller {
    return this.options.caller;
  }

  nextAlias = (): string => `t${++this.aliases}`;
}

/**
 * What the JSON is for.
 * - rest: the response of /v1, which prints values as they are stored
 * - graphql: a complete GraphQL response, with enums by name and ids as strings
 * - execution: rows for the standard execution of GraphQL, which serializes values itself and resolves interfaces
 */
export type OutputMode = 'rest' | 'graphql' | 'execution';

/** How an error names a condition of a filter: `subject.cont` in GraphQL, `subject_cont` in /v1. */
export interface FilterNames {
  /** The name of a field of a record, or of an operator. */
  name(name: string, record?: string): string;
  separator: string;
}

export interface StatementOptions {
  caller: Caller;
  outputMode: OutputMode;
  filterNames: FilterNames;
  /** The most records of a list, or of the slice of one; a request for more is refused. */
  maxListSize: number;
  /** Of the response: of what is read, and of what is made of it. */
  maxBytes: number;
}
