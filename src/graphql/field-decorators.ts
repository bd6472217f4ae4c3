import { Arg, Authorized, type ClassType, Extensions, Field, ID, Int, Mutation, ObjectType, Query } from 'type-graphql';
import type { Access } from '../auth/access.js';

/** The decorators of our root fields, so that a resolver says only what is its own. */
const all =
  (...decorators: MethodDecorator[]): MethodDecorator =>
  (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor);
  };

/** A field that the reader answers: its text is the answer where nothing else is asked beside. */
export const Read = (type: () => unknown, access: Access, description: string): MethodDecorator =>
  all(
    Query(type as never, { description }),
    Authorized(access) as MethodDecorator,
    Extensions({ read: true, access }) as MethodDecorator,
  );

/** A field that is worked out, and writes nothing. */
export const Computes = (type: () => ClassType, access: Access, description: string): MethodDecorator =>
  all(Query(type, { description }), Authorized(access) as MethodDecorator);

/** A verb: changes the world, and answers with a payload. */
export const Write = (type: () => ClassType, description: string): MethodDecorator =>
  all(Mutation(type, { description }), Authorized('write') as MethodDecorator);

/** A field of a payload that the reader answers. */
export const Shows = (type: () => unknown, description: string, { nullable = false } = {}): MethodDecorator =>
  all(
    Field(type as never, { description, nullable }) as MethodDecorator,
    Extensions({ read: true }) as MethodDecorator,
  );

const ids: Record<string, string> = {
  id: 'The id of the record itself.',
  pageId: 'The id of its page.',
  noticeId: 'The id of its notice.',
};

export const Id = (name: string, description = ids[name]!) => Arg(name, () => ID, { description });
export const Input = (type: () => ClassType, description = 'The values to write.') =>
  Arg('input', type, { description });

/** The versions that the caller has seen; a record that is at another is not written. */
export const IfVersion = () =>
  Arg('ifVersion', () => [Int], {
    nullable: true,
    description: 'Write only while the record is at one of these versions; null and absent: at any.',
  });

@ObjectType({ description: 'What was deleted.' })
export class Deleted {
  @Field(() => ID, { description: 'The id it had.' })
  id!: string | number;
}
