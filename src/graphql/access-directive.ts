import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLNonNull,
  GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import { type Access, findAccess, getRequirement } from '../auth/access.js';

/** `@access` and descriptions are printed from the declarations that are enforced; nothing reads them. */

const AnonymousReads = new GraphQLEnumType({
  name: 'AnonymousReads',
  description: 'Values of the setting ANONYMOUS_READS, each with what those before it open.',
  values: {
    PAGE: { description: 'A single page or component.' },
    PUBLIC: { description: 'What public pages show; the default of the setting.' },
  },
});

const createDirective = (schema: GraphQLSchema): GraphQLDirective =>
  new GraphQLDirective({
    name: 'access',
    description:
      'What a field requires of the caller. Fields without it are open where their parent is. Without a token or a ' +
      'session a field is refused as UNAUTHENTICATED, with too low a role as FORBIDDEN; the records of a page on ' +
      'which the caller has no role are NOT_FOUND.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      role: {
        type: schema.getType('Role') as GraphQLEnumType,
        description:
          'The lowest role that suffices, on the page of the record. Null: none; anonymous callers may select it, too.',
      },
      anonymous: {
        type: AnonymousReads,
        description: 'The first value of ANONYMOUS_READS with which it is open without a token. Null: it never is.',
      },
      allPages: {
        type: new GraphQLNonNull(GraphQLBoolean),
        defaultValue: false,
        description: 'Whether the role is required for all pages.',
      },
    },
  });

export const addAccessDirective = (schema: GraphQLSchema): GraphQLSchema =>
  new GraphQLSchema({ ...schema.toConfig(), directives: [...schema.getDirectives(), createDirective(schema)] });

function printAccess(access: Access): string {
  const { role, anonymous, isForAllPages } = getRequirement(access);
  const values = [`role: ${role?.toUpperCase() ?? 'null'}`];
  if (anonymous) values.push(`anonymous: ${anonymous[0]!.toUpperCase()}`);
  if (isForAllPages) values.push('allPages: true');
  return `@access(${values.join(', ')})`;
}

/** Says in descriptions what fields require, since introspection does not show where directives are used. */
export function describeAccess(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const access = findAccess(field);
      if (access) field.description = [field.description, describeRequirement(access)].filter(Boolean).join(' ');
    }
  }
}

function describeRequirement(access: Access): string | null {
  const { role, anonymous, isForAllPages } = getRequirement(access);
  if (!role) return null;
  if (anonymous) return `Requires VIEWER, or ANONYMOUS_READS=${anonymous[0]}.`;
  return `Requires ${role.toUpperCase()}${isForAllPages ? ' of all pages' : ''}.`;
}

/** Adds the directive to the fields of a printed schema, behind their types. */
export function addAccessToFields(schema: GraphQLSchema, printed: string): string {
  const additions = parse(printed).definitions.flatMap(definition => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      return [];
    const type = schema.getType(definition.name.value);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return (definition.fields ?? []).flatMap(node => {
      const access = findAccess(type.getFields()[node.name.value]!);
      return access ? [{ end: node.type.loc!.end, text: ` ${printAccess(access)}` }] : [];
    });
  });
  let position = 0;
  let result = '';
  for (const { end, text } of additions) {
    result += printed.slice(position, end) + text;
    position = end;
  }
  return result + printed.slice(position);
}
