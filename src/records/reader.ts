import type { MikroORM } from '@mikro-orm/core';
import { type GraphQLNamedType, type GraphQLResolveInfo, isCompositeType, isUnionType } from 'graphql';
import { type Access, findReadablePages, requireAccess } from '../auth/access.js';
import { quoteLiteral } from '../core/sql-literal.js';
import type { ReadRow, RunRead } from '../db/prepared-statements.js';
import { findIntegerType, type Meta } from './column-mapping.js';
import type { ListArguments } from './list-arguments.js';
import { addPagination, compileList, compileTruncation, type ListRequest } from './list-sql.js';
import { parseNodeId } from './node-id.js';
import { PageReads } from './page-reads.js';
import {
  compilePath,
  completePath,
  findMissing,
  findParentProperty,
  isPossibleId,
  type PathStep,
  type RecordClass,
  type RecordPath,
  resolvePath,
} from './record-path.js';
import { compileRows } from './select-sql.js';
import { getRules } from './record-rules.js';
import { collectRootAccess } from './root-access.js';
import { collectSelection, type Selection } from './selection.js';
import { Statement, type StatementOptions } from './statement.js';
import { compilePageLimit, compileSource, findKey } from './table-sql.js';

/** JSON text from the database, to be sent without parsing it. */
export class SerializedJson {
  constructor(
    readonly body: string,
    readonly record?: { id: string; version: number },
  ) {}
}

/**
 * Runs reads. Each is one statement whose JSON is the response: parsed into rows for the standard execution, otherwise
 * passed on as SerializedJson.
 */
export class Reader {
  /** What it has read. */
  readonly pageReads: PageReads;

  constructor(
    private readonly orm: MikroORM,
    private readonly run: RunRead,
    readonly options: StatementOptions,
  ) {
    this.pageReads = new PageReads(orm);
  }

  /** Reads one record. Throws a "not found" that names the outermost record missing. */
  async one(path: RecordPath, info: GraphQLResolveInfo): Promise<unknown> {
    const steps = resolvePath(this.orm, path);
    const { meta, alias } = steps.at(-1)!;
    const statement = new Statement(this.options, info.variableValues);
    const { selection, pages } = this.collectAuthorized(info, steps);
    const record = compileRows(meta, selection, alias, statement, '');
    const key = findKey(meta).fieldNames[0];
    const version = meta.properties.version ? `${alias}.version` : 'null::integer';
    const body = `(select ${record.json} from ${record.from})::text as body`;
    const columns = `${body}, ${version} as version, ${alias}.${key}::text as id`;
    const row = await this.runAt(steps, statement, columns, { pages });
    return this.toResult(row, true);
  }

  /** Reads the records of a class that belong to the record at a path; all of them where the path is empty. */
  async list(
    path: RecordPath,
    entity: RecordClass,
    info: GraphQLResolveInfo,
    listArguments: ListArguments,
  ): Promise<unknown> {
    const meta = this.orm.getMetadata().get(entity) as Meta;
    const steps = resolvePath(this.orm, path);
    const parent = steps.at(-1);
    const alias = 'l';
    const scope = parent
      ? [`${alias}.${findParentProperty(meta, parent.meta).fieldNames[0]} = ${compileKey(parent)}`]
      : [];
    const rows = { name: info.fieldName, meta, from: `${compileSource(meta)} ${alias}`, alias };
    const { selection, pages } = this.collectAuthorized(info, steps);
    const run = (compile: (request: ListRequest) => string): Promise<ReadRow> => {
      const statement = new Statement(this.options, info.variableValues);
      const limit = limitToPages(meta, alias, pages, statement.bind);
      const list = compile({ ...rows, selection, scope: [...scope, ...limit], listArguments, statement });
      return this.runAt(steps, statement, 'list.*', { joined: `(${list}) list` });
    };
    const list = await run(compileList);
    const pagination = list.is_full ? (await run(compileTruncation)).body : null;
    return this.toResult(pagination ? { body: addPagination(list.body, pagination, selection) } : list, false);
  }

  /** Reads records by their ids, sorted by id; for the payloads of mutations. */
  async byIds(entity: RecordClass, ids: readonly (string | number)[], info: GraphQLResolveInfo): Promise<unknown> {
    const meta = this.orm.getMetadata().get(entity) as Meta;
    const statement = new Statement(this.options, info.variableValues);
    const alias = statement.nextAlias();
    const key = `${alias}.${findKey(meta).fieldNames[0]}`;
    const { selection, pages } = this.collectAuthorized(info, []);
    const where = [`${key} = any(${statement.bind(ids)})`, ...limitToPages(meta, alias, pages, statement.bind)];
    const tail = `from ${compileSource(meta)} ${alias} where ${where.join(' and ')} order by ${key}`;
    const many = compileRows(meta, selection, alias, statement, tail);
    const row = await this.run(
      `select (select coalesce(json_agg(${many.row}), '[]') from ${many.from})::text as body`,
      statement.values,
    );
    return this.toResult(row!, false);
  }

  /** Reads records of any class by their global ids, in that order; null where there is none. */
  nodes(nodeIds: readonly string[], info: GraphQLResolveInfo): Promise<unknown> {
    return this.readNodes(nodeIds, info, list => list);
  }

  /** Reads the record with a global id; null if there is none. */
  node(nodeId: string, info: GraphQLResolveInfo): Promise<unknown> {
    return this.readNodes([nodeId], info, list => `(${list}) -> 0`);
  }

  private async readNodes(
    nodeIds: readonly string[],
    info: GraphQLResolveInfo,
    choose: (list: string) => string,
  ): Promise<unknown> {
    const statement = new Statement(this.options, info.variableValues);
    const found = nodeIds.map(nodeId => this.findNode(nodeId, info));
    const metas = new Set(found.flatMap(node => node?.meta ?? []));
    const branches = [...metas].map(meta => {
      const steps = completePath(meta, 0);
      const { alias } = steps.at(-1)!;
      const type = info.schema.getType(meta.className)!;
      const { selection, pages } = this.collectAuthorized(info, steps, type);
      const rows = compileRows(meta, selection, alias, statement, '');
      const idType = findIntegerType(findKey(meta)) ?? 'text';
      const { from, where } = compilePath(steps, this.options.caller.kind, () => `asked.id::${idType}`);
      const conditions = [...where, ...limitToPages(meta, alias, pages, statement.bind)].join(' and ');
      const record = `select (select ${rows.json} from ${rows.from}) from ${from} where ${conditions}`;
      return `when ${quoteLiteral(meta.className)} then (${record})`;
    });
    const classes = statement.bind(found.map(node => node?.meta.className ?? null));
    const ids = statement.bind(found.map(node => node?.id ?? null));
    const record = branches.length ? `case asked.class ${branches.join(' ')} end` : 'null::json';
    const list = `coalesce(json_agg(${record} order by asked.position), '[]')`;
    const asked = `unnest(${classes}::text[], ${ids}::text[]) with ordinality asked(class, id, position)`;
    const row = await this.run(`select (${choose(list)})::text as body from ${asked}`, statement.values);
    return this.toResult(row!, false);
  }

  private findNode(nodeId: string, { schema }: GraphQLResolveInfo): { meta: Meta; id: string } | null {
    const parsed = parseNodeId(nodeId);
    if (!parsed) return null;
    const type = schema.getType(parsed.className);
    const isNode =
      isCompositeType(type) && !isUnionType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
    if (!isNode || !type.extensions.recordAccess) return null;
    const meta = this.orm.getMetadata().getByClassName(parsed.className as never) as unknown as Meta;
    return isPossibleId({ meta, id: parsed.id, alias: '' }) ? { meta, id: parsed.id } : null;
  }

  /** Finds the id of the parent of a record, which the caller has left out. */
  async findParentId(parent: RecordClass, entity: RecordClass, id: string | number): Promise<string> {
    const steps = completePath(this.orm.getMetadata().get(entity) as Meta, id);
    const index = steps.findIndex(({ meta }) => meta.class === parent);
    const foreignKey = findParentProperty(steps[index + 1]!.meta, steps[index]!.meta).fieldNames[0];
    const selected = `${steps[index + 1]!.alias}.${foreignKey}::text as body`;
    const pages = findReadablePages(this.options.caller, ['viewer']);
    return (await this.runAt(steps, new Statement(this.options, {}), selected, { pages })).body;
  }

  /**
   * Runs a statement over the record at a path, and over `joined`, which can refer to it. `pages` limits a path that
   * begins below the page.
   */
  private async runAt(
    steps: PathStep[],
    statement: Statement,
    selected: string,
    { joined, pages = null }: { joined?: string; pages?: readonly string[] | null },
  ): Promise<ReadRow> {
    if (!steps.length) return (await this.run(`select ${selected} from ${joined}`, statement.values))!;
    const compile = (path: PathStep[], bind: (value: unknown) => string) => {
      const { from, where } = compilePath(path, this.options.caller.kind, bind);
      const { meta, alias } = path.at(-1)!;
      return { from, where: [...where, ...limitToPages(meta, alias, pages, bind)].join(' and ') };
    };
    if (steps.every(isPossibleId)) {
      const { from, where } = compile(steps, statement.bind);
      const tables = joined ? `${from} cross join lateral ${joined}` : from;
      const row = await this.run(`select ${selected} from ${tables} where ${where}`, statement.values);
      if (row) return row;
    }
    throw await findMissing(steps, async path => {
      const values: unknown[] = [];
      const { from, where } = compile(path, value => `$${values.push(value)}`);
      return (await this.run(`select '' as body from ${from} where ${where}`, values)) !== null;
    });
  }

  private toResult({ body, id, version }: ReadRow, isSingle: boolean): unknown {
    if (this.options.outputMode === 'execution') return JSON.parse(body);
    return new SerializedJson(body, isSingle && id && version ? { id, version } : undefined);
  }

  /**
   * Checks the access to the root field and to every field below it, on the page that the path begins with. All records
   * come from here, so no field can be forgotten. `pages` limits what is read without such a page; null: no limit.
   */
  private collectAuthorized(
    info: GraphQLResolveInfo,
    steps: readonly PathStep[],
    type?: GraphQLNamedType,
  ): { selection: Selection; pages: readonly string[] | null } {
    const { caller } = this.options;
    const [root] = steps;
    const pageId = root?.id !== undefined && getRules(root.meta).isAggregateRoot ? String(root.id) : undefined;
    const selection = collectSelection(info, type ?? info.returnType, info.fieldNodes);
    const required = [...collectRootAccess(info), ...(type ? getRecordAccess(type) : []), ...selection.access];
    for (const access of required) requireAccess(caller, access, { pageId });
    this.pageReads.add(steps, selection);
    return { selection, pages: pageId === undefined ? findReadablePages(caller, required) : null };
  }
}

/** The condition that limits rows to those of some pages; none where `pages` is null. */
function limitToPages(
  meta: Meta,
  alias: string,
  pages: readonly string[] | null,
  bind: (value: unknown) => string,
): string[] {
  if (!pages || !compilePageLimit(meta, alias, '')) return [];
  return [compilePageLimit(meta, alias, bind(pages))!];
}

/** What the query of a record requires, for a record that is read by its global id. */
const getRecordAccess = ({ extensions }: GraphQLNamedType): Access[] => [extensions.recordAccess as Access];

const compileKey = ({ meta, alias }: PathStep) => `${alias}.${findKey(meta).fieldNames[0]}`;
