import { Extensions } from 'type-graphql';

/**
 * Declares that a field of a record has a resolver of its own, which gets these properties of the record as its root. A
 * document that selects it takes the standard execution.
 */
export const ResolvedFrom = (...properties: string[]) => Extensions({ resolvedFrom: properties });

export const findResolvedFrom = ({ resolvedFrom }: { resolvedFrom?: unknown }): string[] | undefined =>
  resolvedFrom as string[] | undefined;
