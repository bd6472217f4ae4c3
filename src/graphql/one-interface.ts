import {
  GraphQLBoolean,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { Directive, getMetadataStorage } from 'type-graphql';
import type { Operator } from '../records/filter-operators.js';
import { numberedPages } from './connection-types.js';

/** Directives, because an input type inherits the directives of its superclass, but not the extensions. */
const directives = { graphql: 'graphqlOnly', v1: 'v1Only' } as const;

interface Declared {
  astNode?: { directives?: readonly { name: { value: string } }[] } | null;
}

const isDeclared = ({ astNode }: Declared, directive: string): boolean =>
  astNode?.directives?.some(({ name }) => name.value === directive) ?? false;

/** Marks a field of an input that is not part of /v1: there it is ignored like any unknown parameter. */
export const GraphqlOnly = () => Directive(`@${directives.graphql}`);

/** The fields of classes that are marked so. */
export const listGraphqlOnly = (classes: readonly unknown[]): string[] =>
  getMetadataStorage()
    .fieldDirectives.filter(
      ({ target, directive }) => classes.includes(target) && directive.nameOrDefinition === `@${directives.graphql}`,
    )
    .map(({ fieldName }) => fieldName);

export const isGraphqlOnly = (field: Declared): boolean => isDeclared(field, directives.graphql);

/** Marks a field, of a record or an input, that only the schema of /v1 has: a second spelling of another. */
export const V1Only = () => Directive(`@${directives.v1}`);

const isV1Only = (field: Declared): boolean => isDeclared(field, directives.v1);

/** Removes what only the schema of /v1 has. */
export function removeV1(built: GraphQLSchema): void {
  removeNumberedPages(built);
  removeV1Fields(built);
  takeOneVersion(built);
  removeMeaninglessOperators(built);
}

const isConnection = ({ name }: GraphQLNamedType) => name.endsWith('Connection');

export const isNumberedPage = (name: string) => (numberedPages.arguments as readonly string[]).includes(name);

function removeNumberedPages(built: GraphQLSchema): void {
  for (const type of Object.values(built.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()))
      if (isConnection(getNamedType(field.type))) field.args = field.args.filter(({ name }) => !isNumberedPage(name));
    if (isConnection(type)) for (const name of numberedPages.fields) delete type.getFields()[name];
  }
  for (const name of numberedPages.types) delete built.getTypeMap()[name];
}

/** A field that is a second spelling of another. */
function removeV1Fields(built: GraphQLSchema): void {
  for (const type of Object.values(built.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    const fields = type.getFields();
    for (const [name, field] of Object.entries(fields)) if (isV1Only(field)) delete fields[name];
  }
}

/** If-Match of /v1 can name several versions. */
function takeOneVersion(built: GraphQLSchema): void {
  for (const { args } of Object.values(built.getMutationType()!.getFields()))
    for (const argument of args) if (argument.name === 'ifVersion') argument.type = GraphQLInt;
}

/** /v1 has all operators for all types; an enum has no order, and a boolean two values. */
function removeMeaninglessOperators(built: GraphQLSchema): void {
  for (const type of Object.values(built.getTypeMap()).filter(isInputObjectType)) {
    const operators = type.getFields();
    const meaningful = operators.eq && meaningfulOperators(getNamedType(operators.eq.type));
    for (const name of Object.keys(operators))
      if (meaningful && !meaningful.includes(name as Operator)) delete operators[name];
  }
}

function meaningfulOperators(type: GraphQLNamedType): readonly Operator[] | null {
  if (type === GraphQLBoolean) return ['eq', 'notEq'];
  return isEnumType(type) ? ['eq', 'notEq', 'in', 'notIn', 'present'] : null;
}
