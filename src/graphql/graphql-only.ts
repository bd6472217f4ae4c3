import type { GraphQLInputField } from 'graphql';
import { Directive } from 'type-graphql';

const directive = 'graphqlOnly';

/**
 * Marks a field of an input that is no part of /v1: there it is ignored like any unknown parameter.
 * A directive, because an input type inherits the directives of its superclass, but not the extensions.
 */
export const GraphqlOnly = () => Directive(`@${directive}`);

export const isGraphqlOnly = ({ astNode }: Pick<GraphQLInputField, 'astNode'>): boolean =>
  astNode?.directives?.some(({ name }) => name.value === directive) ?? false;
