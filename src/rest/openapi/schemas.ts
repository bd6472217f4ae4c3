import { type GraphQLNamedType, isEnumType } from 'graphql';
import type { Database } from '../../db/database.js';
import { toWireName } from '../wire-names.js';

/** A JSON Schema (draft 2020-12), or any other object of an OpenAPI document. */
export type Schema = Record<string, unknown>;

/** The named schemas of the document, each written once. */
export class Schemas {
  readonly all: Record<string, Schema> = {};

  constructor(private readonly database: Pick<Database, 'orm'>) {}

  named(name: string, create: () => Schema): Schema {
    this.all[name] ??= create();
    return { $ref: `#/components/schemas/${name}` };
  }

  /** /v1 prints an id that is stored as an integer as a number, whereas GraphQL makes a string of every id. */
  idType(typeNames: string[], field: string): 'integer' | 'string' {
    return this.findColumn(typeNames, field)?.type === 'integer' ? 'integer' : 'string';
  }

  /** The value of a field in a record that was created without it. */
  columnDefault(typeNames: string[], field: string): unknown {
    return this.findColumn(typeNames, field)?.default;
  }

  isEntity(typeNames: string[]): boolean {
    return this.findEntity(typeNames) !== undefined;
  }

  private findColumn(typeNames: string[], field: string): { type: string; default?: unknown } | undefined {
    const properties = this.findEntity(typeNames)?.properties as Record<string, { type: string }> | undefined;
    return properties?.[field];
  }

  /** `typeNames` are the names of a record's types in the GraphQL schema: an object type and its interfaces. */
  private findEntity(typeNames: string[]) {
    const entities = [...this.database.orm.getMetadata().getAll().values()];
    return entities.find(({ className }) => typeNames.includes(className));
  }

  /** Describes a leaf type. Enum values are the stored ones, not the names that GraphQL gives them. */
  leaf(type: GraphQLNamedType): Schema {
    if (isEnumType(type)) {
      const values = type.getValues().map(({ value }) => value as string);
      return this.named(type.name, () => ({
        type: 'string',
        ...descriptionFields(type.description, type),
        enum: values,
      }));
    }
    const leaf = leaves[type.name];
    if (!leaf) throw new Error(`The OpenAPI document cannot describe values of type ${type.name}`);
    return { ...leaf };
  }
}

const leaves: Record<string, Schema> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number', format: 'double' },
  ID: { type: ['integer', 'string'] },
  Timestamp: { type: 'string', format: 'date-time' },
  Bytes: { type: 'string', format: 'binary', contentMediaType: 'application/zip' },
};

export const nullable = ({ type, ...schema }: Schema): Schema =>
  type ? { type: [type, 'null'].flat(), ...schema } : { anyOf: [schema, { type: 'null' }] };

/** The description from the GraphQL schema, with the names of /v1 for fields and enum values. */
export function descriptionFields(text: string | null | undefined, type?: GraphQLNamedType): Schema {
  if (!text) return {};
  const enumValues = new Map(
    isEnumType(type) ? type.getValues().map(({ name, value }) => [name, value as string]) : [],
  );
  const withFieldNames = text.replace(/`([a-z]+[A-Z]\w*)`/g, (_, name: string) => `\`${toWireName(name)}\``);
  return { description: withFieldNames.replace(/\b[A-Z_]{2,}\b/g, name => enumValues.get(name) ?? name) };
}
