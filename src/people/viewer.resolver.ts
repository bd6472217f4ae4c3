import { Arg, Args, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { type Caller, RequiresAccess } from '../auth/access.js';
import { type Role, roleOn } from '../auth/roles.js';
import { NullableField } from '../graphql/nullable-field.js';
import type { Context } from '../graphql/context.js';
import { registerEnum } from '../graphql/enum.js';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import { ReferenceField } from '../graphql/entity-field-decorators.js';
import { Page } from '../pages/page.entity.js';
import type { ListArguments } from '../records/list-arguments.js';
import { PageArguments, PageConnection } from '../pages/page.resolver.js';
import type { FieldReader } from '../records/field-reader.js';
import { Person } from './person.entity.js';
import { Roles } from './role.enum.js';
import { Token } from './token.entity.js';

const ViewerKinds = registerEnum(
  'ViewerKind',
  {
    anonymous: 'Nobody: neither a token was sent nor the cookie of a session.',
    token: 'A token.',
    person: 'A person who has signed in.',
  } satisfies Record<Caller['kind'], string>,
  'What a caller is identified by.',
);

@ObjectType({ description: 'A role of the caller.' })
class ViewerRole {
  @NullableField(() => ID, 'The page. Null: all present and future pages.')
  pageId!: string | null;

  @ReferenceField(() => Page, 'pageId', { description: 'That page. Null: all present and future pages.' })
  page?: Page | null;

  @Field(() => Roles, { description: 'The role. Where it is lower than that on all pages, that one counts.' })
  role!: Role;
}

@ObjectType({ description: 'The caller, and what it may do.' })
class Viewer {
  constructor(private readonly caller: Caller) {}

  @Field(() => ViewerKinds, { description: 'What it is identified by.' })
  get kind(): Caller['kind'] {
    return this.caller.kind;
  }

  @NullableField(
    () => Roles,
    'Its role on a page, or on all pages without `pageId`. Null if it has none; what is open without a token is ' +
      'open all the same.',
  )
  role(
    @Arg('pageId', () => ID, {
      nullable: true,
      description: 'The page. Null or absent: all present and future pages.',
    })
    pageId: string | undefined,
  ): Role | null {
    if (this.caller.kind === 'anonymous') return null;
    const { grants } = this.caller;
    return pageId == null ? grants.everywhere : roleOn(grants, pageId);
  }

  @Field(() => [ViewerRole], {
    description: 'All its roles: that on all pages, and those on single pages. Empty if it has none.',
  })
  get roles(): ViewerRole[] {
    if (this.caller.kind === 'anonymous') return [];
    const { everywhere, pages } = this.caller.grants;
    const onPages = Object.entries(pages).map(([pageId, role]) => ({ pageId, role }));
    return everywhere ? [{ pageId: null, role: everywhere }, ...onPages] : onPages;
  }

  @ReadField(() => Person, 'The person who has signed in. Null for others.', { nullable: true })
  person(@InjectReader() read: FieldReader) {
    return this.caller.kind === 'person' ? read.one([[Person, this.caller.personId]]) : null;
  }

  @ReadField(() => Token, 'The token that was sent. Null for others, and for BOOTSTRAP_TOKEN.', { nullable: true })
  token(@InjectReader() read: FieldReader) {
    const { caller } = this;
    return caller.kind === 'token' && caller.key !== 'bootstrap' ? read.one([[Token, caller.key]]) : null;
  }

  @ReadField(
    () => PageConnection,
    'The pages on which it has a role, in the order of creation. Null for anonymous callers.',
    { nullable: true },
  )
  pages(@Args(() => PageArguments) list: ListArguments, @InjectReader() read: FieldReader) {
    return this.caller.kind === 'anonymous' ? null : read.list([], Page, list);
  }
}

@Resolver()
export class ViewerResolver {
  @RequiresAccess('everyone')
  @Query(() => Viewer, { description: 'Returns who is asking, and what they may do. Open to everyone.' })
  viewer(@Ctx() { caller }: Context): Viewer {
    return new Viewer(caller);
  }
}
