import { Extensions, Field } from 'type-graphql';
import type { Conversion } from '../records/selection.js';

/** How many records a conversion counts as: rendering a text takes longer than reading one. */
const cost = 5;

/** Declares a field whose value this process makes of a column, which SQL cannot. */
export const ConvertedField =
  (from: string, convert: Conversion['convert'], type: () => unknown, description: string) =>
  (target: object, name: string): void => {
    Field(type as never, { description: `${description} Costs as much as ${cost} records.` })(target, name);
    Extensions({ cost, conversion: { from, convert } satisfies Conversion })(target, name);
  };

/**
 * Declares that a field of a record has a resolver of its own, which gets these properties of the record as its root. A
 * document that selects it takes the standard execution.
 */
export const ResolvedFrom = (...properties: string[]) => Extensions({ resolvedFrom: properties });

export const findResolvedFrom = ({ resolvedFrom }: { resolvedFrom?: unknown }): string[] | undefined =>
  resolvedFrom as string[] | undefined;
