import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isObjectType,
} from 'graphql';

/** Records of one type, by the name of its list among the root queries, or of the query that reads the only one. */
export interface Subject {
  name: string;
  type: GraphQLNamedType;
}
type Field = GraphQLField<unknown, unknown>;

/** The record type that a connection lists; otherwise the type itself, without its wrappers. */
export function toRecordType(schema: GraphQLSchema, field: Field): GraphQLNamedType {
  const { name } = getNamedType(field.type);
  return schema.getType(name.replace(/Connection$/, '')) ?? getNamedType(field.type);
}

/** The subjects: what a root query lists as a connection, or reads under the name of its type. */
export function listSubjects(schema: GraphQLSchema): Subject[] {
  const byType = new Map<string, Subject>();
  const fields = Object.values(schema.getQueryType()!.getFields());
  const isList = (field: Field) => getNamedType(field.type).name.endsWith('Connection');
  for (const field of [...fields.filter(isList), ...fields]) {
    const type = toRecordType(schema, field);
    const isSingle = isObjectType(getNullableType(field.type)) && type.name.toLowerCase() === field.name.toLowerCase();
    if ((isList(field) || isSingle) && !byType.has(type.name))
      byType.set(type.name, { name: field.name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), type });
  }
  return [...byType.values()];
}

/**
 * The subject that a root field belongs to: the one that it returns, else the one with the longest name within that of
 * the field, of its type, of an argument's type, or in its description, else the page. None: no argument names a page.
 */
export function findSubject(schema: GraphQLSchema, subjects: Subject[], field: Field): Subject | undefined {
  const returned = toRecordType(schema, field);
  const byLength = subjects.toSorted((a, b) => b.type.name.length - a.type.name.length);
  const named = (text: string) => byLength.find(({ type }) => toPascalCase(text).includes(type.name));
  const byName = [field.name, returned.name, ...field.args.map(({ type }) => getNamedType(type).name)].map(named);
  const hasPage = field.args.some(({ name }) => name === 'pageId');
  return (
    subjects.find(({ type }) => type === returned) ??
    byName.find(Boolean) ??
    (hasPage ? (named(field.description!) ?? named('Page')) : undefined)
  );
}

const toPascalCase = (text: string) => text.replace(/(?:^| )(.)/g, (_, letter) => letter.toUpperCase());
