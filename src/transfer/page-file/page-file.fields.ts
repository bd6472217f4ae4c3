import {
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isNonNullType,
} from 'graphql';
import { pageChannels } from '../../notifications/channels/registry.js';
import { type ListName, mapLists } from './record-lists.js';

export interface FileField {
  type: 'text' | 'integer' | 'boolean';
  /** The values of an enum. */
  choices: readonly string[] | null;
  isNullable: boolean;
  description: string;
}

export type FileFields = Readonly<Record<string, FileField>>;

export interface PageFileFields {
  page: FileFields;
  brand: FileFields;
  component: FileFields;
  /** Of the records of each list. */
  lists: Readonly<Record<ListName, FileFields>>;
  /** By the name of the channel: whether it has a token beside its URL. */
  channels: Readonly<Record<string, { hasToken: boolean }>>;
}

/** The fields of a page file are those of the GraphQL inputs, so that a new field of a page is one of the file, too. */
export function derivePageFileFields(schema: GraphQLSchema): PageFileFields {
  const derive = (
    inputName: string,
    recordName: string,
    except: readonly string[] = [],
    blankable: readonly string[] = [],
  ): FileFields => {
    const inputs = (schema.getType(inputName) as GraphQLInputObjectType).getFields();
    const outputs = (schema.getType(recordName) as GraphQLObjectType | GraphQLInterfaceType).getFields();
    return Object.fromEntries(
      Object.values(inputs)
        // What programs store is not part of the definition of a page.
        .filter(({ name }) => name !== 'metadata' && !except.includes(name))
        .sort((one, other) => Number(other.name === 'name') - Number(one.name === 'name'))
        .map(({ name, type, description }) => {
          const named = getNamedType(type);
          const field: FileField = {
            type: named.name === 'Int' ? 'integer' : named.name === 'Boolean' ? 'boolean' : 'text',
            choices: isEnumType(named) ? named.getValues().map(value => value.name) : null,
            isNullable: blankable.includes(name) || !isNonNullType(outputs[name]!.type),
            description: description ?? '',
          };
          return [name, field];
        }),
    );
  };
  return {
    page: derive('UpdatePageInput', 'Page'),
    brand: derive('UpdateBrandInput', 'Brand'),
    // The tree and the order of the file say where a component is.
    component: derive('UpdateComponentInput', 'Component', ['parentId', 'position', 'childIds']),
    lists: mapLists((_, { type, blankable }) =>
      // Components are read as names, not as ids.
      derive(`Update${type}Input`, type, ['componentId', 'componentIds'], blankable),
    ),
    channels: Object.fromEntries(
      pageChannels.map(({ enumName, credentials }) => [enumName, { hasToken: credentials === 'server and token' }]),
    ),
  };
}
