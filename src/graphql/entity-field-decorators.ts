import type { GraphQLFieldResolver } from 'graphql';
import { Extensions, Field } from 'type-graphql';
import type { Conversion } from '../records/selection.js';
import type { RecordClass } from '../records/record-path.js';
import { TypicalSize } from './connection-field.js';
import type { Context } from './context.js';

/** Declares a field whose value this process makes of a column, which SQL cannot. */
export const ConvertedField =
  (from: string, convert: Conversion['convert'], type: () => unknown, description: string) =>
  (target: object, name: string): void => {
    Field(type as never, { description })(target, name);
    Extensions({ conversion: { from, convert } satisfies Conversion })(target, name);
  };

/** How many records a rendered text counts as: it takes longer than reading one. */
const cost = 5;

/** The same of a text, which is rendered. */
export const RenderedField =
  (from: string, render: Conversion['convert'], description: string) =>
  (target: object, name: string): void => {
    ConvertedField(from, render, () => String, `${description} Costs as much as ${cost} records.`)(target, name);
    Extensions({ cost })(target, name);
  };

/**
 * Declares that a field of a record has a resolver of its own, which gets these properties of the record as its root. A
 * document that selects it takes the standard execution.
 */
export const ResolvedFrom = (...properties: string[]) => Extensions({ resolvedFrom: properties });

export const findResolvedFrom = ({ resolvedFrom }: { resolvedFrom?: unknown }): string[] | undefined =>
  resolvedFrom as string[] | undefined;

interface Reference {
  record: () => RecordClass;
  /** The field with the id or the ids. */
  from: string;
}

interface Options {
  description: string;
  nullable?: boolean;
  /** Of a list: how many records it typically has. */
  typicalSize?: number;
}

/**
 * Declares the record, or with `typicalSize` the list of records, whose ids another field has: for ids that are
 * computed, or stored as an array. All of a response are read in one statement. Deleted records are left out of a list.
 */
export const ReferenceField =
  (record: Reference['record'], from: string, { description, nullable, typicalSize }: Options) =>
  (target: object, name: string): void => {
    const isList = typicalSize !== undefined;
    const type = () => (isList ? [record()] : record());
    Field(type as never, { description: `${description} Costs one more statement.`, nullable: nullable ?? !isList })(
      target,
      name,
    );
    if (isList) TypicalSize(typicalSize)(target, name);
    ResolvedFrom(from)(target, name);
    Extensions({ reference: { record, from } satisfies Reference })(target, name);
  };

/** Declares an object that is made of properties of its record. */
export const ComposedField =
  (
    type: () => unknown,
    properties: string[],
    compose: (...values: never[]) => unknown,
    options: { description: string; nullable?: boolean },
  ) =>
  (target: object, name: string): void => {
    Field(type as never, options)(target, name);
    ResolvedFrom(...properties)(target, name);
    Extensions({ compose: (source: Record<string, never>) => compose(...properties.map(each => source[each]!)) })(
      target,
      name,
    );
  };

/** Returns the resolver of such a field, which gets its object as root. */
export function createFieldResolver(extensions: object): GraphQLFieldResolver<unknown, unknown> | undefined {
  const { reference, compose } = extensions as { reference?: Reference; compose?: (source: unknown) => unknown };
  if (compose) return source => compose(source);
  if (!reference) return undefined;
  return (source, _, context, info) => {
    const { batches } = (context as Context).read;
    const ids = (source as Record<string, string | number | (string | number)[] | null>)[reference.from] ?? null;
    const record = reference.record();
    return Array.isArray(ids) ? batches.load(record, ids, info) : batches.loadOne(record, ids, info);
  };
}
