import { Arg, Args, Ctx, Field, ID, ObjectType, Resolver } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import type { Context } from '../graphql/context.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import {
  DeletePayload,
  IdArg,
  InjectReader,
  InputArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { createFilterType } from '../graphql/filters.js';
import { Page } from '../pages/page.entity.js';
import type { FieldReader } from '../records/field-reader.js';
import type { ListArguments } from '../records/list-arguments.js';
import {
  deleteMembership,
  disablePerson,
  enablePerson,
  invitePerson,
  updateMembership,
} from './person-administration.service.js';
import { Person } from './person.entity.js';
import { endSession } from './person.service.js';
import { InvitePersonInput, UpdateMembershipInput } from './person.inputs.js';

const PersonConnection = createConnectionType(Person);
const PersonArguments = createListArguments(Person, createFilterType(Person), ['id', 'email', 'createdAt']);

@ObjectType({ description: 'A person whose access was changed.' })
class PersonPayload {
  constructor(readonly id: number) {}

  @ReadField(() => Person, 'The person, after the change.')
  person(@InjectReader() read: FieldReader) {
    return read.one([[Person, this.id]]);
  }
}

@ObjectType({ description: 'A person who was invited.' })
class InvitePersonPayload extends PersonPayload {
  constructor(id: number, link: string | null) {
    super(id);
    this.link = link;
  }

  @NullableField(
    () => String,
    'The link that signs the person in, once, within 15 minutes. Null unless an OWNER of all pages invites ' +
      'somebody who has never signed in. It cannot be read again.',
  )
  link: string | null;
}

@ObjectType({ description: 'A session that was ended.' })
class RevokeSessionPayload {
  @Field(() => ID, { description: 'The id of the session.' })
  sessionId!: string;
}

@Resolver()
export class PersonResolver {
  @ReadQuery(() => Person, 'administrator', 'A person with a role on a page that the caller owns.')
  person(@IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one([[Person, id]]);
  }

  @ReadQuery(
    () => PersonConnection,
    'administrator',
    'Lists people in the order of their first invitation: all of them for an OWNER of all pages, else those with a ' +
      'role on a page that the caller owns.',
  )
  people(
    @Arg('pageId', () => ID, {
      nullable: true,
      description:
        'Those with a role on this page; who has one on all pages is not listed for it. Null or absent: all.',
    })
    pageId: string | undefined,
    @Args(() => PersonArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list(pageId == null ? [] : [[Page, pageId]], Person, list);
  }

  @WriteMutation(
    () => InvitePersonPayload,
    'administrator',
    'Gives somebody a role on pages that the caller owns, or on all pages. It may have a link, so the request takes ' +
      'no Idempotency-Key.',
    { isSecret: true },
  )
  async invitePerson(
    @InputArg(() => InvitePersonInput) input: InvitePersonInput,
    @Ctx() { caller, write, settings }: Context,
  ) {
    const { id, link } = await invitePerson(write, caller, settings, input);
    return new InvitePersonPayload(id, link);
  }

  @WriteMutation(
    () => PersonPayload,
    'administrator',
    'Changes a role, on a page that the caller owns. All processes know it within a second.',
  )
  async updateMembership(
    @IdArg('id') id: string,
    @InputArg(() => UpdateMembershipInput) { role }: UpdateMembershipInput,
    @Ctx() { caller, write }: Context,
  ) {
    return new PersonPayload(await updateMembership(write, caller, id, role));
  }

  @WriteMutation(
    () => DeletePayload,
    'administrator',
    'Takes a role away, on a page that the caller owns. All processes know it within a second.',
  )
  async deleteMembership(@IdArg('id') id: string, @Ctx() { caller, write }: Context) {
    return { deletedId: await deleteMembership(write, caller, id) };
  }

  @WriteMutation(
    () => PersonPayload,
    'administratorOfAllPages',
    'Disables a person: all roles are deleted, and sessions and personal tokens end in all processes within a second.',
  )
  async disablePerson(@IdArg('id') id: string, @Ctx() { write }: Context) {
    return new PersonPayload(await disablePerson(write, id));
  }

  @WriteMutation(
    () => PersonPayload,
    'administratorOfAllPages',
    'Lets a disabled person sign in again, without a role until the next invitation.',
  )
  async enablePerson(@IdArg('id') id: string, @Ctx() { write }: Context) {
    return new PersonPayload(await enablePerson(write, id));
  }

  @WriteMutation(
    () => RevokeSessionPayload,
    'everyone',
    'Ends a session in all processes within a second: one of the signed-in person, or any for an OWNER of all pages.',
  )
  async revokeSession(@IdArg('id') id: string, @Ctx() context: Context) {
    await endSession(context, context.caller, id);
    return { sessionId: id };
  }
}
