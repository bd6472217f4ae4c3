import { type Field, type Kind, schemaOf } from './kind.js';
import { kinds } from './kinds.js';
import { z } from 'zod';

const columnOf = (name: string, field: Field): string => (field instanceof z.ZodType ? name : (field.column ?? name));

/** The condition that a row `alias` belongs to one of the pages `$n`. */
function ofPages(kind: Kind, alias: string, parameter: string): string {
  if (kind.table === 'page') return `${alias}.id = any(${parameter})`;
  if ('page_id' in kind.fields) return `${alias}.page_id = any(${parameter})`;
  const [column, target] = Object.entries(kind.references!)[0]!;
  const parent = `${alias}p`;
  const { table } = kinds[target]!;
  return `${alias}.${column} in (
    select ${parent}.id from ${table} ${parent} where ${ofPages(kinds[target]!, parent, parameter)})`;
}

/** Selects the records of a kind on the pages `$1`, each as the text of a JSON object. */
export function compileSelect(kind: Kind, isWhole: boolean): string {
  const values = Object.entries(kind.fields).map(([name, field]) =>
    field instanceof z.ZodType ? `k.${name}` : `${field.read} as ${name}`,
  );
  return `select row_to_json(record)::text as line from (
    select ${values.join(', ')} from ${kind.source ?? kind.table} k
    where ${compileWhere(kind, isWhole)} order by ${kind.order}) record`;
}

export const compileCount = (kind: Kind, isWhole: boolean): string =>
  `select count(*)::integer as rows from ${kind.source ?? kind.table} k where ${compileWhere(kind, isWhole)}`;

const compileWhere = (kind: Kind, isWhole: boolean): string =>
  kind.where?.(isWhole) ?? (kind.source ? 'true' : ofPages(kind, 'k', '$1'));

/**
 * Inserts the records of `$1`, a JSON array, that refer to rows of the pages `$2` alone. Returns how many: the caller
 * compares.
 */
export function compileInsert(kind: Kind): string {
  if (kind.insert) return kind.insert;
  const fields = Object.entries(kind.fields);
  const defaults = Object.entries(kind.defaults ?? {});
  const columns = [...fields.map(([name, field]) => columnOf(name, field)), ...defaults.map(([name]) => name)];
  const values = [
    ...fields.map(([name, field]) => (field instanceof z.ZodType ? `k.${name}` : field.write)),
    ...defaults.map(([, sql]) => sql),
  ];
  const conditions = Object.entries(kind.references ?? {}).map(([column, target]) =>
    compileReference(kind, column, kinds[target]!),
  );
  return `with records as materialized (select record from json_array_elements($1::json) record), inserted as (
    insert into ${kind.table} (${columns.join(', ')})
    select ${values.join(', ')}
    from records r cross join lateral json_populate_record(null::${kind.table}, r.record) k
    where ${['$2::text[] is not null', ...conditions].join(' and ')}
    ${kind.mayExist ? 'on conflict do nothing' : ''} returning 1)
  select count(*)::integer as rows from inserted`;
}

function compileReference(kind: Kind, column: string, target: Kind): string {
  // The page has been inserted, or the foreign key fails.
  if (target.table === 'page') return `(k.${column} is null or k.${column} = any($2))`;
  // Rows that the same statement inserts cannot be seen yet.
  const own = target === kind ? ` or k.${column}::text in (select own.record ->> 'id' from records own)` : '';
  return `(k.${column} is null or exists (
    select from ${target.table} t where t.id = k.${column} and ${ofPages(target, 't', '$2')})${own})`;
}

/** The field whose values no two rows of an installation may have in common. */
export const uniqueField = (kind: Kind): string | null => kind.unique?.field ?? ('id' in kind.fields ? 'id' : null);

const hasNumericIds = ({ fields }: Kind): boolean =>
  fields.id !== undefined && schemaOf(fields.id) instanceof z.ZodNumber;

/** Selects those of the values `$1` of the unique field that rows have already. */
export function compileConflicts(kind: Kind): string {
  const field = uniqueField(kind)!;
  const type = field === 'id' && hasNumericIds(kind) ? 'integer' : 'text';
  const where = kind.unique?.where ?? 'true';
  return `select k.${field}::text as value from ${kind.table} k
    where k.${field} = any($1::${type}[]) and ${where} order by k.${field}`;
}

/** Sets the sequence of the ids after the greatest one. Null: the ids are not numbers. */
export const compileSequence = (kind: Kind): string | null =>
  hasNumericIds(kind)
    ? `select setval('${kind.table}_id_seq', greatest.id)
       from (select max(id) as id from ${kind.table}) greatest, ${kind.table}_id_seq sequence
       where greatest.id >= sequence.last_value`
    : null;
