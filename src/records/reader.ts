import type { MikroORM } from '@mikro-orm/core';
import { type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import { badRequest } from '../core/errors.js';
import { check } from '../auth/access.js';
import { type Asked, type Selection, selectionBelow } from './selection.js';
import { conditions, type Filter } from './filter-sql.js';
import { type ListArguments, listSql } from './list-sql.js';
import {
  missing,
  type Place,
  parentProperty,
  placeSql,
  possible,
  type RecordClass,
  type Step,
  stepsOf,
} from './record-path.js';
import type { ReadRow, RunRead } from '../db/prepared-statements.js';
import { keyOf, type Form, type Meta, rows, source, Statement } from './select-sql.js';

/** The finished JSON of a read, to be passed on as it is. */
export class Written {
  constructor(
    readonly body: string,
    readonly record?: { id: string; version: number },
  ) {}
}

export interface ReaderOptions extends Form {
  /** The longest page of a list; what is asked beyond is refused. */
  longestPage: number;
}

/**
 * How every read goes: what was asked and where it stands, in one statement, whose JSON is the answer.
 * For execution it is parsed into rows, keyed by the names of the answer; otherwise it is passed on as Written.
 */
export class Reader {
  constructor(
    private readonly orm: MikroORM,
    private readonly run: RunRead,
    readonly options: ReaderOptions,
  ) {}

  /** One record, or a "not found" that names the outermost thing missing. */
  async one(place: Place, info: GraphQLResolveInfo): Promise<unknown> {
    const steps = stepsOf(this.orm, place);
    const { meta, alias } = steps.at(-1)!;
    const statement = this.statement(info);
    const record = rows(meta, this.allowed(info), alias, statement, '');
    const key = keyOf(meta).fieldNames[0];
    const version = meta.properties.version ? `${alias}.version` : 'null::integer';
    const row = await this.at(
      steps,
      statement,
      `(select ${record.json} from ${record.from})::text as body, ${version} as version, ${alias}.${key}::text as id`,
    );
    return this.result(row, true);
  }

  /** The records of a class that belong to a place; all there are where the place is empty. */
  async list(place: Place, entity: RecordClass, info: GraphQLResolveInfo, listed: ListArguments): Promise<unknown> {
    this.checkSize(listed);
    const meta = this.orm.getMetadata().get(entity) as Meta;
    const steps = stepsOf(this.orm, place);
    const parent = steps.at(-1);
    const statement = this.statement(info);
    const scope = parent
      ? [`l.${parentProperty(meta, parent.meta).fieldNames[0]} = ${parent.alias}.${keyOf(parent.meta).fieldNames[0]}`]
      : [];
    const body = `${listSql(meta, this.allowed(info), source(meta), scope, listed, statement)}::text as body`;
    return this.result(
      parent ? await this.at(steps, statement, body) : (await this.run(`select ${body}`, statement.values))!,
      false,
    );
  }

  /** These records of a class, in its order; for the payloads of mutations. */
  async some(entity: RecordClass, ids: readonly (string | number)[], info: GraphQLResolveInfo): Promise<unknown> {
    const meta = this.orm.getMetadata().get(entity) as Meta;
    const statement = this.statement(info);
    const alias = statement.alias();
    const key = `${alias}.${keyOf(meta).fieldNames[0]}`;
    const tail = `from ${source(meta)} ${alias} where ${key} = any(${statement.parameter(ids)}) order by ${key}`;
    const many = rows(meta, this.allowed(info), alias, statement, tail);
    const row = await this.run(
      `select (select coalesce(json_agg(${many.row}), '[]') from ${many.from})::text as body`,
      statement.values,
    );
    return this.result(row!, false);
  }

  private async at(steps: Step[], statement: Statement, selected: string): Promise<ReadRow> {
    if (steps.every(possible)) {
      const { from, where } = placeSql(steps, statement);
      const row = await this.run(`select ${selected} from ${from} where ${where.join(' and ')}`, statement.values);
      if (row) return row;
    }
    throw await missing(steps, async upTo => {
      const probe = new Statement(this.options, {}, () => ({ conditions: [], limit: 0 }));
      const { from, where } = placeSql(upTo, probe);
      return (await this.run(`select '' as body from ${from} where ${where.join(' and ')}`, probe.values)) !== null;
    });
  }

  private result({ body, id, version }: ReadRow, single: boolean): unknown {
    if (this.options.purpose === 'execution') return JSON.parse(body);
    return new Written(body, single && id && version ? { id, version } : undefined);
  }

  private statement(info: GraphQLResolveInfo): Statement {
    return new Statement(this.options, info.variableValues, (meta, alias, asked, statement) =>
      this.narrowed(meta, alias, asked, statement),
    );
  }

  /** The only source of records, so the place where fields below the root are guarded. */
  private allowed(info: GraphQLResolveInfo): Selection {
    const selection = selectionBelow(info, info.returnType, info.fieldNodes);
    for (const access of selection.access) check(this.options.caller, access);
    return selection;
  }

  private narrowed(meta: Meta, alias: string, asked: Asked, statement: Statement) {
    const { filter, first } = getArgumentValues(asked.field, asked.node, statement.variables) as {
      filter?: Filter;
      first?: number;
    };
    const limit = first ?? this.options.longestList;
    if (limit < 1 || limit > this.options.longestList)
      throw badRequest(`\`first\` of ${asked.name} is from 1 to ${this.options.longestList}.`);
    return { conditions: conditions(filter, meta, alias, statement), limit };
  }

  private checkSize({ page, perPage, first, after }: ListArguments): void {
    const { longestPage } = this.options;
    for (const [name, size] of Object.entries({ perPage, first })) {
      if (size != null && (size < 1 || size > longestPage))
        throw badRequest(`\`${name}\` is from 1 to ${longestPage}.`);
    }
    if (page != null && (first != null || after != null))
      throw badRequest('`page` goes with `perPage`; `first` and `after` go by cursor.');
    if (page != null && (page < 1 || page > 1_000_000)) throw badRequest('`page` is from 1 to 1,000,000.');
  }
}
