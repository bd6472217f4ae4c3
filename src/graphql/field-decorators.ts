import {
  Arg,
  type ClassType,
  createParameterDecorator,
  Extensions,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
} from 'type-graphql';
import { NullableField } from './nullable-field.js';
import { type Access, RequiresAccess } from '../auth/access.js';
import { FieldReader } from '../records/field-reader.js';
import type { RecordClass } from '../records/record-path.js';
import type { Context } from './context.js';
import { checksInput } from './user-errors.js';

const combine =
  (...decorators: MethodDecorator[]): MethodDecorator =>
  (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor);
  };

/** A query that the reader resolves: PostgreSQL returns its JSON, and the fast path can pass it on unparsed. */
export const ReadQuery = (
  type: () => unknown,
  access: Access,
  description: string,
  { hasNullItems = false, name }: { hasNullItems?: boolean; name?: string } = {},
): MethodDecorator =>
  combine(
    Query(type as never, { name, description, nullable: hasNullItems ? 'itemsAndList' : true }),
    RequiresAccess(access) as MethodDecorator,
    Extensions({ read: true }) as MethodDecorator,
  );

/** A query that is computed rather than read; it writes nothing. `cost` is its own, in records. */
export const ComputedQuery = (
  type: () => ClassType,
  access: Access,
  description: string,
  cost: number,
  { slow = false }: { slow?: boolean } = {},
): MethodDecorator =>
  combine(
    Query(type, { description: `${description} Costs as much as ${cost.toLocaleString('en')} records.` }),
    RequiresAccess(access) as MethodDecorator,
    Extensions({ cost, slow, ...checksInput }) as MethodDecorator,
  );

interface WriteOptions {
  slow?: boolean;
  waits?: boolean;
  isSecret?: boolean;
  urgent?: boolean;
  isForConsole?: boolean;
  name?: string;
}

/**
 * A mutation, which returns a payload. `waits`: while it runs it waits for other servers, for a process or for locks,
 * so that no transaction may be open around it. `slow`: it waits, and for seconds. `isSecret`: its payload must not be
 * stored, which an Idempotency-Key does. `urgent`: it writes about a notice, so it is refused last under overload.
 * `isForConsole`: programs have no use for it, as for what concerns a person or a session. `name`: that in the schema.
 * Default: that of the method.
 */
export const WriteMutation = (
  type: () => ClassType,
  access: Access,
  description: string,
  {
    slow = false,
    waits = slow,
    isSecret = false,
    urgent = false,
    isForConsole = access === 'everyone',
    name,
  }: WriteOptions = {},
): MethodDecorator =>
  combine(
    Mutation(type, { name, description: isForConsole ? `Console. ${description}` : description }),
    RequiresAccess(access) as MethodDecorator,
    Extensions({ slow, waits, isSecret, urgent }) as MethodDecorator,
  );

/** A field of a payload that the reader resolves. */
export const ReadField = (
  type: () => unknown,
  description: string,
  { nullable = false, name }: { nullable?: boolean; name?: string } = {},
): MethodDecorator =>
  combine(
    Field(type as never, { name, description, nullable }) as MethodDecorator,
    Extensions({ read: true }) as MethodDecorator,
  );

/** The id of a parent of the record whose id is the argument `of`: optional, and looked up if it is left out. */
export const ParentIdArg = (name: string, parent: RecordClass, record: RecordClass, of = 'id') =>
  createParameterDecorator<Context>(
    ({ args, context }) => args[name] ?? context.read.findParentId(parent, record, args[of]),
    { arg: { name, typeFunc: () => ID, options: { nullable: true, description: parentIdDescription(name) } } },
  );

/** The same in a query, whose statement does not need the parent. */
export const OptionalIdArg = (name: string) =>
  Arg(name, () => ID, { nullable: true, description: parentIdDescription(name) });

const parentIdDescription = (name: string) =>
  `${idDescriptions[name]} If it is given, a record elsewhere is not found.`;

const idDescriptions: Record<string, string> = {
  id: 'The id of the record.',
  pageId: 'The id of the page it belongs to.',
  noticeId: 'The id of the notice it belongs to.',
};

export const IdArg = (name: string, description = idDescriptions[name]!) => Arg(name, () => ID, { description });
export const InputArg = (type: () => ClassType, description = 'The values to write.') =>
  Arg('input', type, { description });

/** Declares an input of which exactly one field is given: `@oneOf`, which type-graphql does not know. */
export const OneOf = () => Extensions({ isOneOf: true }) as ClassDecorator;

/**
 * Optimistic locking: the write is refused unless the record is at this version. The schema of /v1 takes a list, as
 * If-Match does; see `takeOneVersion`. The resolver gets a list of both.
 */
export const IfVersionArg = () =>
  createParameterDecorator<Context>(({ args: { ifVersion } }) => (ifVersion == null ? undefined : [ifVersion].flat()), {
    arg: {
      name: 'ifVersion',
      typeFunc: () => [Int],
      options: {
        nullable: true,
        description: 'Write only if the record is at this version; null or absent accepts any version.',
      },
    },
  });

/** The preview that the author has confirmed. */
export const PreviewHashArg = () =>
  Arg('previewHash', () => String, {
    nullable: true,
    description:
      'Publish only if text, states, audience and appearance are those of the preview with this `hash`; else nothing ' +
      'is written, and the error PRECONDITION_FAILED says what differs. It publishes once in a minute, so that a ' +
      'double click does not. Null or absent: publish in any case.',
  });

/** Injects the reader of the request, bound to the resolved field: `@InjectReader() read: FieldReader`. */
export const InjectReader = () =>
  createParameterDecorator<Context>(({ context, info }) => new FieldReader(context.read, info));

/** Injects the writer of the request: `@InjectWriter() write: Writer`. */
export const InjectWriter = () => createParameterDecorator<Context>(({ context }) => context.write);

/** The global id of a record that is gone, by which clients with one key for everything find it in their cache. */
export const DeletedNodeIdField = () =>
  Field(() => ID, { description: 'The `nodeId` of the deleted record, such as for `@deleteRecord` of Relay.' });

@ObjectType({ description: 'The deleted record.' })
export class DeletePayload {
  @Field(() => ID, { description: 'The id of the deleted record.' })
  deletedId!: string | number;

  @NullableField(() => ID, 'Its `nodeId`. Null for a membership and a passkey, which have none.')
  deletedNodeId?: string;
}
