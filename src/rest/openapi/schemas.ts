import { type GraphQLNamedType, isEnumType } from 'graphql';
import type { Database } from '../../db/connection.js';
import { snakeCase } from '../../core/snake-case.js';

/** A JSON schema (draft 2020-12), or any other object of an OpenAPI document. */
export type Schema = Record<string, unknown>;

/** What the parts of the document share: the graph's types by name, each written once. */
export class Schemas {
  readonly all: Record<string, Schema> = {};

  constructor(readonly database: Database) {}

  named(name: string, make: () => Schema): Schema {
    this.all[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A value that has no parts. Words are those that are kept, not the names that the graph has for them. */
  leaf(type: GraphQLNamedType): Schema {
    if (isEnumType(type)) {
      const words = type.getValues().map(({ value }) => value as string);
      return this.named(type.name, () => ({ type: 'string', ...described(type.description, type), enum: words }));
    }
    const leaf = leaves[type.name];
    if (!leaf) throw new Error(`The description of /v1 does not know what a ${type.name} is`);
    return { ...leaf };
  }
}

const leaves: Record<string, Schema> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  ID: { type: ['integer', 'string'] },
  Timestamp: { type: 'string', format: 'date-time' },
  Bytes: { type: 'string', format: 'binary', contentMediaType: 'application/zip' },
};

export const nullable = ({ type, ...schema }: Schema): Schema =>
  type ? { type: [type, 'null'].flat(), ...schema } : { anyOf: [schema, { type: 'null' }] };

/** The graph's own description, with the names that /v1 has for fields and words. */
export function described(text: string | null | undefined, type?: GraphQLNamedType): Schema {
  if (!text) return {};
  const words = new Map(isEnumType(type) ? type.getValues().map(({ name, value }) => [name, value as string]) : []);
  const named = text.replace(/`([a-z]+[A-Z]\w*)`/g, (_, name: string) => `\`${snakeCase(name)}\``);
  return { description: named.replace(/\b[A-Z_]{2,}\b/g, name => words.get(name) ?? name) };
}
