import { Extensions } from 'type-graphql';

/** How many records a list of related records counts as in the cost of a query where `first` is not given. */
export const defaultTypicalSize = 100;

/** Declares that a list of related records typically has this many, in place of the default. */
export const TypicalSize = (size: number) => Extensions({ typicalSize: size });

export const getTypicalSize = ({ typicalSize }: { typicalSize?: unknown }): number =>
  typeof typicalSize === 'number' ? typicalSize : defaultTypicalSize;
