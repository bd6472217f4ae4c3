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
import { type Access, RequiresAccess } from '../auth/access.js';
import { FieldReader } from '../records/field-reader.js';
import type { Context } from './context.js';

const combine =
  (...decorators: MethodDecorator[]): MethodDecorator =>
  (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor);
  };

/** A query that the reader resolves: PostgreSQL returns its JSON, and the fast path can pass it on unparsed. */
export const ReadQuery = (type: () => unknown, access: Access, description: string): MethodDecorator =>
  combine(
    Query(type as never, { description }),
    RequiresAccess(access) as MethodDecorator,
    Extensions({ read: true }) as MethodDecorator,
  );

/** A query that is computed rather than read; it writes nothing. `cost` is its own, in records. */
export const ComputedQuery = (
  type: () => ClassType,
  access: Access,
  description: string,
  cost: number,
): MethodDecorator =>
  combine(
    Query(type, { description: `${description} Costs as much as ${cost.toLocaleString('en')} records.` }),
    RequiresAccess(access) as MethodDecorator,
    Extensions({ cost }) as MethodDecorator,
  );

/**
 * A mutation, which returns a payload. `waits`: while it runs it waits for other servers, for a process or for locks, so
 * that no transaction may be open around it. `isSecret`: its payload must not be stored, which an Idempotency-Key does.
 */
export const WriteMutation = (
  type: () => ClassType,
  access: Access,
  description: string,
  { waits = false, isSecret = false }: { waits?: boolean; isSecret?: boolean } = {},
): MethodDecorator =>
  combine(
    Mutation(type, { description }),
    RequiresAccess(access) as MethodDecorator,
    Extensions({ waits, isSecret }) as MethodDecorator,
  );

/** A field of a payload that the reader resolves. */
export const ReadField = (type: () => unknown, description: string, { nullable = false } = {}): MethodDecorator =>
  combine(
    Field(type as never, { description, nullable }) as MethodDecorator,
    Extensions({ read: true }) as MethodDecorator,
  );

const idDescriptions: Record<string, string> = {
  id: 'The id of the record.',
  pageId: 'The id of the page it belongs to.',
  noticeId: 'The id of the notice it belongs to.',
};

export const IdArg = (name: string, description = idDescriptions[name]!) => Arg(name, () => ID, { description });
export const InputArg = (type: () => ClassType, description = 'The values to write.') =>
  Arg('input', type, { description });

/** Optimistic locking: the write is refused unless the record is at one of these versions. */
export const IfVersionArg = () =>
  Arg('ifVersion', () => [Int], {
    nullable: true,
    description: 'Write only if the record is at one of these versions; null or absent accepts any version.',
  });

/** Injects the reader of the request, bound to the resolved field: `@InjectReader() read: FieldReader`. */
export const InjectReader = () =>
  createParameterDecorator<Context>(({ context, info }) => new FieldReader(context.read, info));

/** Injects the writer of the request: `@InjectWriter() write: Writer`. */
export const InjectWriter = () => createParameterDecorator<Context>(({ context }) => context.write);

@ObjectType({ description: 'The deleted record.' })
export class Deleted {
  @Field(() => ID, { description: 'The id of the deleted record.' })
  id!: string | number;
}
