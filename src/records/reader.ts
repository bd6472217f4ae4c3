import type { MikroORM } from '@mikro-orm/core';
import type { GraphQLNamedType, GraphQLResolveInfo } from 'graphql';
import { type Access, findReadablePages, requireAccess } from '../auth/access.js';
import type { ReadRow, RunRead } from '../db/prepared-statements.js';
import type { Meta } from './column-mapping.js';
import type { ListArguments } from './list-arguments.js';
import { addPagination, compileList, compileTruncation, type ListRequest } from './list-sql.js';
import { convertRows } from './conversion.js';
import { compileNodes, findNode } from './nodes-sql.js';
import { PageReads } from './page-reads.js';
import { RecordBatches } from './record-batches.js';
import {
  compileParentCondition,
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
import { limitReads, ResponseSize } from './raise-sql.js';
import { getRules } from './record-rules.js';
import { collectRootAccess } from './collect-fields.js';
import { collectSelection, type Selection } from './selection.js';
import { Statement, type StatementOptions } from './statement.js';
import { compilePageLimit, compileSource, findKey } from './table-sql.js';

/** JSON from the database, to be sent without parsing it. */
export class SerializedJson {
  constructor(
    readonly body: string,
    readonly record?: { id: string; version: number },
  ) {}
}

/** Runs reads, each as one statement, whose JSON is parsed for the standard execution, else passed on as it is. */
export class Reader {
  readonly pageReads: PageReads;
  /** Counts what resolvers make besides what is read. */
  readonly size: ResponseSize;
  private readonly run: RunRead;
  readonly batches = new RecordBatches((nodeIds, info) => this.readNodes(nodeIds, info, list => list, false));

  constructor(
    readonly orm: MikroORM,
    run: RunRead,
    readonly options: StatementOptions,
  ) {
    this.pageReads = new PageReads(orm);
    this.size = new ResponseSize(options.maxBytes);
    this.run = limitReads(run, this.size);
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
    return this.toResult(row, this.createConverter(selection), true);
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
    const rows = { name: info.fieldName, meta, from: `${compileSource(meta)} ${alias}`, alias };
    const { selection, pages } = this.collectAuthorized(info, steps);
    const run = (compile: (request: ListRequest) => string): Promise<ReadRow> => {
      const statement = new Statement(this.options, info.variableValues);
      const scope = limitToPages(meta, alias, pages, statement.bind);
      if (parent) scope.unshift(compileParentCondition(meta, alias, parent, statement.bind));
      const list = compile({ ...rows, selection, scope, listArguments, statement });
      return this.runAt(steps, statement, 'list.*', { joined: `(${list}) list`, pages: steps.length ? pages : null });
    };
    const list = await run(compileList);
    const pagination = list.is_full ? (await run(compileTruncation)).body : null;
    const body = pagination ? { body: addPagination(list.body, pagination, selection) } : list;
    return this.toResult(body, this.createConverter(selection));
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
    return this.toResult(row!, this.createConverter(selection));
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
    isGuessed = true,
  ): Promise<unknown> {
    const statement = new Statement(this.options, info.variableValues);
    const nodes = nodeIds.map(nodeId => findNode(this.orm, info.schema, nodeId));
    const selections = new Map<Meta, Selection>();
    const { list, from } = compileNodes(nodes, statement, (meta, steps, id) => {
      const { alias } = steps.at(-1)!;
      const { selection, pages } = this.collectAuthorized(info, [], info.schema.getType(meta.className)!);
      selections.set(meta, selection);
      const rows = compileRows(meta, selection, alias, statement, '');
      const path = compilePath(steps, statement, () => id, isGuessed);
      const where = [...path.where, ...limitToPages(meta, alias, pages, statement.bind)].join(' and ');
      return `select (select ${rows.json} from ${rows.from}) from ${path.from} where ${where}`;
    });
    const row = await this.run(`select (${choose(list)})::text as body from ${from}`, statement.values);
    const hasConversions = [...selections.values()].some(selection => selection.hasConversions);
    const convert = async (value: unknown) => {
      for (const [index, record] of (Array.isArray(value) ? value : [value]).entries())
        if (record) await this.convert(record, selections.get(nodes[index]!.meta)!);
    };
    return this.toResult(row!, hasConversions ? convert : undefined);
  }

  /** Finds the id of the parent of a record, which the caller has left out. */
  async findParentId(parent: RecordClass, entity: RecordClass, id: string | number): Promise<string> {
    const steps = completePath(this.orm.getMetadata().get(entity) as Meta, id);
    const index = steps.findIndex(({ meta }) => meta.class === parent);
    const foreignKey = findParentProperty(steps[index + 1]!.meta, steps[index]!.meta).fieldNames[0];
    const selected = `${steps[index + 1]!.alias}.${foreignKey}::text as body`;
    const pages = findReadablePages(this.options.caller, ['viewer']);
    return String((await this.runAt(steps, new Statement(this.options, {}), selected, { pages })).body);
  }

  /** Runs a statement over the record at a path and over `joined`. `pages` limits a path that begins below the page. */
  private async runAt(
    steps: PathStep[],
    statement: Statement,
    selected: string,
    { joined, pages = null }: { joined?: string; pages?: readonly string[] | null },
  ): Promise<ReadRow> {
    if (!steps.length) return (await this.run(`select ${selected} from ${joined}`, statement.values))!;
    const compile = (path: PathStep[], bind: (value: unknown) => string) => {
      const { from, where } = compilePath(path, { caller: this.options.caller, bind });
      const { meta, alias } = path.at(-1)!;
      return { from, where: [...where, ...limitToPages(meta, alias, pages, bind)].join(' and ') };
    };
    if (steps.every(isPossibleId)) {
      const { from, where } = compile(steps, statement.bind);
      const tables = joined ? `${from} cross join lateral ${joined}` : from;
      const row = await this.run(`select ${selected} from ${tables} where ${where}`, statement.values);
      if (row) return row;
    }
    throw await findMissing(steps, {
      exists: async path => {
        const values: unknown[] = [];
        const { from, where } = compile(path, value => `$${values.push(value)}`);
        return (await this.run(`select '' as body from ${from} where ${where}`, values)) !== null;
      },
      findMovedPage: async pageId =>
        (await this.run('select url as body from moved_page where page_id = $1', [pageId]))?.body ?? null,
    });
  }

  /** `convert` gets the parsed body; without it a finished body is not parsed. */
  private async toResult(
    { body, id, version }: ReadRow,
    convert: ((value: unknown) => Promise<void>) | undefined,
    isSingle = false,
  ): Promise<unknown> {
    const { outputMode } = this.options;
    const record = isSingle && id && version ? { id, version } : undefined;
    if (!convert && outputMode !== 'execution') return new SerializedJson(body, record);
    const value = JSON.parse(body);
    await convert?.(value);
    return outputMode === 'execution' ? value : new SerializedJson(JSON.stringify(value), record);
  }

  private createConverter(selection: Selection): ((value: unknown) => Promise<void>) | undefined {
    return selection.hasConversions ? value => this.convert(value, selection) : undefined;
  }

  private convert(value: unknown, selection: Selection): Promise<void> {
    return convertRows(value, selection, this.options.outputMode, this.size);
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
    const ofRoot = [...collectRootAccess(info), ...(type ? getRecordAccess(type) : [])];
    for (const access of ofRoot) requireAccess(caller, access, { pageId });
    for (const [access, path] of selection.access)
      requireAccess(caller, access, { pageId, field: [info.fieldName, ...path] });
    const required = [...ofRoot, ...selection.access.keys()];
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
