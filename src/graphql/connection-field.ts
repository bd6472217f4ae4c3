import { type ClassType, Extensions, Field } from 'type-graphql';
import { defaultListSize } from '../records/list-arguments.js';

interface ConnectionExtensions {
  /** Whether the list is a connection in GraphQL. In /v1 every list of related records is plain. */
  isConnection?: boolean;
  /** How many records the list counts as in the cost of a query that does not say how many. */
  typicalSize?: number;
}

const declare = (extensions: ConnectionExtensions) => Extensions(extensions as Record<string, unknown>);

/** Declares related records that can become many: a connection of their class. */
export const ConnectionField =
  (record: () => ClassType | (abstract new () => object), description: string, typicalSize?: number) =>
  (target: object, name: string): void => {
    Field(() => [record() as ClassType], { description })(target, name);
    declare({ isConnection: true, typicalSize })(target, name);
  };

/** Declares how many records a plain list typically has. It must be short by its nature: it is never truncated. */
export const TypicalSize = (size: number) => declare({ typicalSize: size });

export const isConnectionField = ({ isConnection }: ConnectionExtensions): boolean => isConnection === true;

export const getTypicalSize = ({ typicalSize }: ConnectionExtensions): number => typicalSize ?? defaultListSize;
