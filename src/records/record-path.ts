import type { EntityProperty, MikroORM } from '@mikro-orm/core';
import { notFound, type RecordWord, type Refusal } from '../core/errors.js';
import { keyOf, type Meta, type Statement, source, visible } from './select-sql.js';

/** A class of records that can be addressed; `word` is what a "not found" calls it. */
export type RecordClass = { new (): object; readonly word: RecordWord };

/** Where a record stands, from the outermost: `[[Page, 'a1b2c3d4'], [Notice, '12']]`. A record of which a page has one needs no id. */
export type Place = [RecordClass, (string | number)?][];

export interface Step {
  meta: Meta;
  id: string | number | undefined;
  alias: string;
}

export const stepsOf = (orm: Pick<MikroORM, 'getMetadata'>, place: Place): Step[] =>
  place.map(([entity, id], index) => ({ meta: orm.getMetadata().get(entity) as Meta, id, alias: `p${index}` }));

/** Whether an id can be one of this kind at all; what cannot is not found, rather than an error of the database. */
export function possible({ meta, id }: Step): boolean {
  if (id === undefined) return true;
  const text = String(id);
  if (keyOf(meta).type !== 'integer') return !text.includes('\0') && text.isWellFormed() && text.length <= 255;
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31;
}

/** The tables and conditions that lead to the last step. A step whose parent is the outermost compares its foreign key; the outermost itself need not be read. */
export function placeSql(
  steps: Step[],
  statement: Pick<Statement, 'parameter' | 'form'>,
): { from: string; where: string[] } {
  const last = steps.at(-1)!;
  let from = `${source(last.meta)} ${last.alias}`;
  const where: string[] = [];
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index]!;
    const parent = steps[index - 1];
    where.push(...visible(step.meta, step.alias, statement.form.caller));
    if (step.id !== undefined)
      where.push(`${step.alias}.${keyOf(step.meta).fieldNames[0]} = ${statement.parameter(step.id)}`);
    if (!parent) break;
    const back = `${step.alias}.${parentProperty(step.meta, parent.meta).fieldNames[0]}`;
    if (index === 1) {
      where.push(`${back} = ${statement.parameter(parent.id)}`);
      break;
    }
    from += ` join ${source(parent.meta)} ${parent.alias} on ${parent.alias}.${keyOf(parent.meta).fieldNames[0]} = ${back}`;
  }
  return { from, where };
}

export function parentProperty(meta: Meta, parent: Meta): EntityProperty {
  const found = (meta.relations as EntityProperty[]).find(
    property => property.owner !== false && property.targetMeta?.class === parent.class && property.fieldNames?.length,
  );
  if (!found) throw new Error(`${meta.className} does not belong to ${parent.className}`);
  return found;
}

/** The refusal for the outermost step that is not there; asked only after something was not found. */
export async function missing(steps: Step[], exists: (upTo: Step[]) => Promise<boolean>): Promise<Refusal> {
  for (let length = 1; length < steps.length; length++) {
    const upTo = steps.slice(0, length);
    if (!possible(upTo.at(-1)!) || !(await exists(upTo))) return notFound(wordOf(upTo.at(-1)!));
  }
  return notFound(wordOf(steps.at(-1)!));
}

const wordOf = ({ meta }: Step): RecordWord => (meta.class as unknown as RecordClass).word;
