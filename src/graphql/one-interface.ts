import { Directive } from 'type-graphql';

/** Directives, because an input type inherits the directives of its superclass, but not the extensions. */
const directives = { graphql: 'graphqlOnly', v1: 'v1Only' } as const;

interface Declared {
  astNode?: { directives?: readonly { name: { value: string } }[] } | null;
}

const isDeclared = ({ astNode }: Declared, directive: string): boolean =>
  astNode?.directives?.some(({ name }) => name.value === directive) ?? false;

/** Marks a field of an input that is no part of /v1: there it is ignored like any unknown parameter. */
export const GraphqlOnly = () => Directive(`@${directives.graphql}`);

export const isGraphqlOnly = (field: Declared): boolean => isDeclared(field, directives.graphql);

/** Marks a field, of a record or an input, that only the schema of /v1 has: a second spelling of another. */
export const V1Only = () => Directive(`@${directives.v1}`);

export const isV1Only = (field: Declared): boolean => isDeclared(field, directives.v1);
