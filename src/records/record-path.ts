import { type EntityProperty, type MikroORM, ReferenceKind } from '@mikro-orm/core';
import { movedTo, notFound, type RecordName, type Refusal } from '../core/errors.js';
import { findIntegerType, mapColumns, type Meta } from './column-mapping.js';
import { getRules, type Viewer } from './record-rules.js';
import { compileSource, compileGuessability, compileVisibility, findKey } from './table-sql.js';

/** A class of records that a path can contain. */
export type RecordClass = { new (): object; readonly name: string; readonly rules: { recordName: RecordName } };

/**
 * The path of a record, outermost first: `[[Page, 'a1b2c3d4'], [Notice, '12']]`. A record that exists once per parent
 * (the brand of a page) needs no id, nor does the parent of a record that has one.
 */
export type RecordPath = [RecordClass, (string | number | null)?][];

export interface PathStep {
  meta: Meta;
  id: string | number | undefined;
  alias: string;
}

export const resolvePath = (orm: Pick<MikroORM, 'getMetadata'>, path: RecordPath): PathStep[] =>
  path.map(([entity, id], index) => toStep(orm.getMetadata().get(entity) as Meta, id ?? undefined, index));

const toStep = (meta: Meta, id: PathStep['id'], index: number): PathStep => ({ meta, id, alias: `p${index}` });

/** Returns the path of a record by its own id alone. Its parents are in it, since their visibility counts too. */
export function completePath(meta: Meta, id: string | number): PathStep[] {
  const metas = [meta];
  for (let parent = findParent(meta); parent; parent = findParent(parent)) metas.unshift(parent);
  return metas.map((one, index) => toStep(one, one === meta ? id : undefined, index));
}

/** The parent is what the first relation leads to that every record has. */
const findParent = (meta: Meta): Meta | undefined =>
  (meta.relations as EntityProperty[]).find(
    ({ owner, kind, nullable }) => (owner || kind === ReferenceKind.MANY_TO_ONE) && !nullable,
  )?.targetMeta;

/** An id of these types is an integer of at most `digits` digits, below `limit`; another id is a text. */
const integerIds = {
  integer: { digits: 10, limit: 2n ** 31n },
  bigint: { digits: 19, limit: 2n ** 63n },
};

/** Whether an id has a valid format: another is "not found", where the database would raise an error. */
export function isPossibleId({ meta, id }: PathStep): boolean {
  if (id === undefined) return true;
  const text = String(id);
  const type = findIntegerType(findKey(meta));
  if (!type) return !text.includes('\0') && text.isWellFormed() && text.length <= 255;
  const { digits, limit } = integerIds[type];
  return /^\d+$/.test(text) && text.length <= digits && BigInt(text) < limit;
}

/**
 * Compiles a path to the tables and conditions of its last step. The outermost table is left out where a foreign key
 * already holds its id, unless the caller does not see all of its rows. `bind` is what an id is in the statement.
 * `isGuessed` is false where the id comes from another record that the caller may see, and not from the caller.
 */
export function compilePath(
  steps: PathStep[],
  viewer: Viewer,
  bind: (id: string | number) => string = viewer.bind,
  isGuessed = true,
): { from: string; where: string[] } {
  const last = steps.at(-1)!;
  let from = `${compileSource(last.meta)} ${last.alias}`;
  const where: string[] = [];
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index]!;
    const parent = steps[index - 1];
    where.push(...compileVisibility(step.meta, step.alias, viewer));
    if (isGuessed && index === 0 && step.id === undefined)
      where.push(...compileGuessability(step.meta, step.alias, viewer));
    if (step.id !== undefined) where.push(`${step.alias}.${findKey(step.meta).fieldNames[0]} = ${bind(step.id)}`);
    if (!parent) break;
    const foreignKey = `${step.alias}.${findParentProperty(step.meta, parent.meta).fieldNames[0]}`;
    const isSeenByAll = index === 1 && !compileVisibility(parent.meta, parent.alias, viewer).length;
    if (isSeenByAll) {
      if (parent.id !== undefined) where.push(`${foreignKey} = ${bind(parent.id)}`);
      break;
    }
    const parentKey = `${parent.alias}.${findKey(parent.meta).fieldNames[0]}`;
    from += ` join ${compileSource(parent.meta)} ${parent.alias} on ${parentKey} = ${foreignKey}`;
  }
  return { from, where };
}

/**
 * Returns the condition that limits the rows of a list to those of the record that its path leads to. They are compared
 * with its id, not with its row: the planner estimates how many a value has, and takes an average for a column.
 */
export function compileParentCondition(
  meta: Meta,
  alias: string,
  parent: PathStep,
  bind: (id: string | number) => string,
): string {
  const key = parent.id === undefined ? `${parent.alias}.${findKey(parent.meta).fieldNames[0]}` : bind(parent.id);
  const { belongsToPage } = getRules(meta);
  if (belongsToPage) return belongsToPage(mapColumns(meta, alias), key);
  return `${alias}.${findParentProperty(meta, parent.meta).fieldNames[0]} = ${key}`;
}

export function findParentProperty(meta: Meta, parent: Meta): EntityProperty {
  const property = (meta.relations as EntityProperty[]).find(
    property => property.owner !== false && property.targetMeta?.class === parent.class && property.fieldNames?.length,
  );
  if (!property) throw new Error(`${meta.className} does not belong to ${parent.className}`);
  return property;
}

/** How `findMissing` looks for records. */
interface Lookup {
  exists(path: PathStep[]): Promise<boolean>;
  /** The address of a page at the installation that it moved to. */
  findMovedPage(pageId: string): Promise<string | null>;
}

/** The refusal for the outermost step that does not exist. Costs a query a step: for paths that were not found. */
export async function findMissing(steps: PathStep[], lookup: Lookup): Promise<Refusal> {
  let missing = steps.at(-1)!;
  for (let length = 1; length < steps.length; length++) {
    const step = steps[length - 1]!;
    if (step.id === undefined) continue;
    if (isPossibleId(step) && (await lookup.exists(steps.slice(0, length)))) continue;
    missing = step;
    break;
  }
  const isPage = getRules(missing.meta).isAggregateRoot && isPossibleId(missing);
  const url = isPage ? await lookup.findMovedPage(String(missing.id)) : null;
  return url === null ? notFound(nameOf(missing)) : movedTo(url);
}

const nameOf = ({ meta }: PathStep): RecordName => getRules(meta).recordName!;
