import { cell, renderTable } from './markdown.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of OpenAPI nests JSON of many shapes.
export type Json = Record<string, any>;

export interface Field {
  name: string;
  schema: Json;
  isRequired: boolean;
  /** Behind its name. */
  note?: string;
}

/** What a reference leads to, and anything else as it is. */
export const resolve = (openApi: Json, one: Json): Json =>
  one.$ref
    ? one.$ref
        .slice(2)
        .split('/')
        .reduce((node: Json, key: string) => node[key], openApi)
    : one;

/** The properties of a schema; of several types of a record all, each with the types that have it where some have not. */
export function listProperties(openApi: Json, schema: Json): Field[] {
  const { oneOf, required = [], properties = {} } = resolve(openApi, schema);
  if (!oneOf)
    return Object.entries<Json>(properties).map(([name, one]) => ({
      name,
      schema: one,
      isRequired: required.includes(name),
    }));
  const types = oneOf.map((one: Json) => ({ type: one.$ref.split('/').at(-1), fields: listProperties(openApi, one) }));
  const fields = new Map<string, Field>(
    types.flatMap(({ fields }: { fields: Field[] }) => fields.map(one => [one.name, one])),
  );
  return [...fields.values()].map(field => {
    const having = types.filter((one: { fields: Field[] }) => one.fields.some(({ name }) => name === field.name));
    const names = having.map(({ type }: { type: string }) => type).join(', ');
    const isConstant = field.schema.const !== undefined;
    const values = having.map(
      ({ fields: own }: { fields: Field[] }) => own.find(({ name }) => name === field.name)!.schema.const,
    );
    const merged = isConstant ? { ...field.schema, const: undefined, enum: values } : field.schema;
    return { ...field, schema: merged, note: having.length < types.length ? ` (${names})` : '' };
  });
}

/** A table of fields with their types. */
export const renderFields = (openApi: Json, heading: string, fields: Field[]): string =>
  renderTable(
    heading,
    fields.map(({ name, schema, isRequired, note = '' }) => [
      `\`${name}\`${note}`,
      cell(`${describeType(openApi, schema)}${isRequired && heading !== 'Field' ? ', required' : ''}`),
      cell(
        schema.description || resolve(openApi, schema).description || (note === ' (path)' ? 'Part of the path.' : ''),
      ),
    ]),
  );

const formats: Record<string, string> = { 'date-time': 'timestamp', binary: 'file' };

/** `integer or null`, `list of integer`, `` `asc` or `desc` ``. */
function describeType(openApi: Json, schema: Json): string {
  const {
    type,
    format,
    enum: values,
    const: constant,
    items,
    anyOf,
    properties,
    default: usual,
  } = resolve(openApi, schema);
  const without = usual === undefined ? '' : `, default ${usual}`;
  if (constant !== undefined) return `\`${constant}\``;
  if (values) return values.map((value: unknown) => `\`${value}\``).join(', ');
  if (anyOf) return anyOf.map((one: Json) => describeType(openApi, one)).join(' or ');
  const names = [type ?? (properties ? 'object' : 'any')].flat();
  const listed = names.map((name: string) => {
    if (name === 'array') return `list of ${describeType(openApi, items)}`;
    return name === 'string' ? (formats[format] ?? name) : name;
  });
  return [...new Set(listed)].join(' or ') + without;
}
