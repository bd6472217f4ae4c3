import { type EntityProperty, MetadataStorage } from '@mikro-orm/core';
import { getMetadataStorage } from 'type-graphql';
import { snakeCase } from '../core/snake-case.js';

/** A class with `@Entity`. */
export type EntityClass = abstract new (...values: never[]) => object;

/** A stored column of an entity. */
export interface EntityColumn {
  name: string;
  /** That of the property; of a relation 'relation'. */
  type: string;
  isNullable: boolean;
  /** What a new record has. */
  initial: unknown;
  /** The values of an enum of the API. */
  values: readonly string[] | null;
  /** The table that a relation refers to. */
  target: string | null;
  /** Whether neither the API nor the audit log shows it. */
  isSecret: boolean;
}

/** Properties that have a column. Of a relation of one to one, its owner has it. */
const kinds: readonly string[] = ['scalar', 'm:1', '1:1'];

const metadataOf = (entity: EntityClass) => {
  const path = (entity as unknown as Record<symbol, string>)[MetadataStorage.PATH_SYMBOL];
  return MetadataStorage.getMetadata<object>(entity.name, path!, entity);
};

export const tableOf = (entity: EntityClass): string => metadataOf(entity).tableName;

const classHierarchy = (entity: EntityClass): EntityClass[] =>
  entity.name ? [...classHierarchy(Object.getPrototypeOf(entity)), entity] : [];

/** The stored columns of an entity: the primary key, those of its base classes, and its own. */
export function listColumns(entity: EntityClass): EntityColumn[] {
  const classes = classHierarchy(entity);
  const { secrets = [] } = (entity as { rules?: { secrets?: readonly string[] } }).rules ?? {};
  const properties = new Map(classes.flatMap(own => Object.entries(metadataOf(own).properties ?? {})));
  return ([...properties] as [string, EntityProperty & { fieldName?: string }][])
    .filter(
      ([, { kind, persist, formula, mappedBy }]) => kinds.includes(kind) && persist !== false && !formula && !mappedBy,
    )
    .toSorted(([, one], [, other]) => Number(other.primary ?? false) - Number(one.primary ?? false))
    .map(
      ([property, { kind, type, fieldName, nullable = false, hidden = false, default: initial, entity: target }]) => {
        const isRelation = kind !== 'scalar';
        return {
          name: fieldName ?? `${snakeCase(property)}${isRelation ? '_id' : ''}`,
          type: isRelation ? 'relation' : type,
          isNullable: nullable,
          initial: initial ?? (nullable ? null : undefined),
          values: findEnumValues(classes, property),
          target: isRelation ? tableOf((target as () => EntityClass)()) : null,
          isSecret: hidden || secrets.includes(property),
        };
      },
    );
}

function findEnumValues(classes: readonly EntityClass[], property: string): readonly string[] | null {
  const { fields, enums } = getMetadataStorage();
  const field = fields.find(({ name, target }) => name === property && classes.includes(target as EntityClass));
  const [type] = [field?.getType()].flat();
  return enums.some(({ enumObj }) => enumObj === type) ? Object.values(type as Record<string, string>) : null;
}
