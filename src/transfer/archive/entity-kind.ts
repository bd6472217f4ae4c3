import { z } from 'zod';
import { type EntityClass, type EntityColumn, listColumns, tableOf } from '../../records/entity-columns.js';
import {
  bytes,
  counter,
  type Field,
  flag,
  id,
  integer,
  type Kind,
  type KindName,
  pageId,
  templateId,
  text,
  time,
} from './kind.js';

interface EntityKind extends Omit<Kind, 'table' | 'fields' | 'order'> {
  /** In place of what follows from the column, or of no column. */
  fields?: Record<string, Field>;
  /** Columns that are not in the archive. */
  omitted?: readonly string[];
  /** Fields without which a record would say something else: archives of earlier versions have them, too. */
  required?: readonly string[];
  /** Columns that follow one another in a record in this order, which is not that of the properties. */
  runs?: readonly (readonly string[])[];
  /** Default: by id. */
  order?: string;
}

/** The kinds that relations lead to, by table. */
const kindNames: Readonly<Record<string, KindName>> = {
  page: 'pages',
  component: 'components',
  metric: 'metrics',
  notice: 'notices',
  notice_update: 'updates',
};

const types: Readonly<Record<string, z.ZodType>> = {
  text,
  integer,
  boolean: flag,
  timestamptz: time,
  'string[]': z.array(text),
  'integer[]': z.array(integer),
};

/**
 * The kind of the rows of an entity. Each of its columns is a field: those that neither the API nor the audit log
 * shows only where `fields` names them.
 */
export function describeEntity(
  entity: EntityClass,
  { fields: exceptions = {}, omitted = [], required = [], runs = [], ...kind }: EntityKind,
): Kind {
  const table = tableOf(entity);
  const columns = listColumns(entity).filter(
    ({ name, isSecret }) => name in exceptions || !(isSecret || omitted.includes(name)),
  );
  const derived = columns.map(column => [column.name, exceptions[column.name] ?? deriveField(table, column)] as const);
  const relations = columns.filter(({ target }) => target !== null && target in kindNames);
  const fields = { ...Object.fromEntries(derived), ...exceptions };
  return {
    table,
    fields: Object.fromEntries(arrange(Object.keys(fields), runs).map(name => [name, fields[name]!])),
    order: 'k.id',
    references: Object.fromEntries(relations.map(({ name, target }) => [name, kindNames[target!]!])),
    initial: Object.fromEntries(
      columns.flatMap(({ name, initial }) => (required.includes(name) ? [] : [[name, initial] as const])),
    ),
    ...kind,
  };
}

function deriveField(table: string, { name, type, isNullable, values, target }: EntityColumn): Field {
  const orNull = (schema: z.ZodType) => (isNullable ? schema.nullable() : schema);
  if (type === 'blob') return bytes(name, orNull(z.base64()));
  if (name === 'id' || target) return orNull(idOf(target ?? table));
  const choice = values && z.enum(values);
  const schema = choice ? (type.endsWith('[]') ? z.array(choice) : choice) : isCounter(name) ? counter : types[type];
  if (!schema) throw new Error(`${table}.${name} needs a field in the archive: no schema follows from ${type}.`);
  return orNull(schema);
}

const isCounter = (column: string): boolean => /(?:^|_)(?:version|count)$/.test(column);

const idOf = (table: string): z.ZodType => (table === 'page' ? pageId : table === 'notice_template' ? templateId : id);

const arrange = (names: readonly string[], runs: EntityKind['runs'] & object): readonly string[] =>
  runs.reduce<readonly string[]>(
    (before, [first, ...others]) =>
      before.filter(name => !others.includes(name)).flatMap(name => (name === first ? [name, ...others] : name)),
    names,
  );
