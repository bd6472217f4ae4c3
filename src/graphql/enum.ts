import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';

const toEnumName = (value: string): string => value.replace(/[A-Z]/g, '_$&').replaceAll(/[- ]/g, '_').toUpperCase();

/**
 * Registers a GraphQL enum from the values of a rule and their descriptions. The name of partially-degraded is
 * PARTIALLY_DEGRADED, that of createdAt CREATED_AT; the database and /v1 use the value, GraphQL uses the name.
 */
export function registerEnum<Value extends string>(
  name: string,
  descriptions: Record<Value, string>,
  description: string,
  toName = toEnumName,
): Record<string, Value> {
  const values = Object.keys(descriptions) as Value[];
  const members = Object.fromEntries(values.map(value => [toName(value), value]));
  registerEnumType(members, {
    name,
    description,
    valuesConfig: Object.fromEntries(values.map(value => [toName(value), { description: descriptions[value] }])),
  });
  return members;
}
