import { Ctx, Field, ID, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { IdArg, WriteMutation } from '../graphql/field-decorators.js';
import { endSession } from './person.service.js';

@ObjectType({ description: 'A session that was ended.' })
class RevokeSessionPayload {
  @Field(() => ID, { description: 'The id of the session.' })
  id!: string;
}

@Resolver()
export class SessionResolver {
  @WriteMutation(
    () => RevokeSessionPayload,
    'everyone',
    'Ends a session of the person who asks, the current one or another, in all processes within a second.',
  )
  async revokeSession(@IdArg('id') id: string, @Ctx() { caller, write }: Context) {
    await endSession(write, caller, id);
    return { id };
  }
}
