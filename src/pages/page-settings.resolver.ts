import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, ID, Info, InputType, ObjectType, Resolver } from 'type-graphql';
import { Refusal } from '../core/errors.js';
import type { Context } from '../graphql/context.js';
import { Id, IfVersion, Input, Read, Shows, Write } from '../graphql/field-decorators.js';
import { Bytes } from '../graphql/scalars.js';
import { Brand } from '../branding/brand.entity.js';
import { UpdateBrand } from '../branding/brand.inputs.js';
import { resetBrand, updateBrand } from '../branding/brand.service.js';
import { CustomDomain } from '../custom-domain/custom-domain.entity.js';
import { checkCustomDomain, deleteCustomDomain, setCustomDomain } from '../custom-domain/custom-domain.service.js';
import { Page } from './page.entity.js';
import { Theme } from '../branding/theme.entity.js';
import { deleteTheme, setTheme } from '../branding/theme.service.js';

@InputType({ description: 'The domain to serve a page under.' })
class SetCustomDomain {
  @Field(() => String, { description: 'A host name with a dot, not under the base host of this service.' })
  domain!: string;
}

@InputType({ description: 'The theme to dress a page in.' })
class SetTheme {
  @Field(() => Bytes, { description: 'A ZIP file with a status-page.liquid; 10 MB at most over /v1.' })
  zip!: Buffer;
}

/** What was written is written, whatever else its page lacks. */
const ifThere = (record: Promise<unknown>): Promise<unknown> =>
  record.catch(error => {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
    throw error;
  });

@ObjectType({ description: 'What a page wears, after one of its things was written or taken off.' })
class PageDress {
  constructor(readonly pageId: string) {}

  @Shows(() => Brand, 'Its colours.')
  brand(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.pageId], [Brand]], info);
  }

  @Field(() => ID, { description: 'The id of the page: of what a page has one, it is the id.' })
  get id(): string {
    return this.pageId;
  }

  @Shows(() => CustomDomain, 'Its domain. Null when there is none.', { nullable: true })
  customDomain(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return ifThere(read.one([[Page, this.pageId], [CustomDomain]], info));
  }

  @Shows(() => Theme, 'Its theme. Null when there is none.', { nullable: true })
  theme(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return ifThere(read.one([[Page, this.pageId], [Theme]], info));
  }

  @Shows(() => Page, 'The page, as it is now.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.pageId]], info);
  }
}

/** The things of which a page has one. */
@Resolver()
export class PageDressResolver {
  @Read(() => Brand, 'public', 'The colours of a page.')
  brand(@Id('pageId') pageId: string, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, pageId], [Brand]], info);
  }

  @Write(() => PageDress, 'Sets colours of a page.')
  async updateBrand(
    @Id('pageId') pageId: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => UpdateBrand) input: UpdateBrand,
    @Ctx() { write }: Context,
  ) {
    await updateBrand(write, pageId, versions, input);
    return new PageDress(pageId);
  }

  @Write(() => PageDress, 'Sets the colours of a page back to the defaults.')
  async resetBrand(
    @Id('pageId') pageId: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    await resetBrand(write, pageId, versions);
    return new PageDress(pageId);
  }

  @Read(() => CustomDomain, 'read', 'The domain of a page.')
  customDomain(@Id('pageId') pageId: string, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, pageId], [CustomDomain]], info);
  }

  @Write(() => PageDress, 'Claims a domain for a page, in place of the one it had.')
  async setCustomDomain(
    @Id('pageId') pageId: string,
    @Input(() => SetCustomDomain) input: SetCustomDomain,
    @Ctx() { write }: Context,
  ) {
    await setCustomDomain(write, pageId, input.domain);
    return new PageDress(pageId);
  }

  @Write(() => PageDress, 'Asks DNS now whether the domain of a page is proven, and shows what was found.')
  async checkCustomDomain(@Id('pageId') pageId: string, @Ctx() { write }: Context) {
    await checkCustomDomain(write, pageId);
    return new PageDress(pageId);
  }

  @Write(
    () => PageDress,
    'Gives up the domain of a page; one that was verified stays reserved to the page for 30 days.',
  )
  async deleteCustomDomain(
    @Id('pageId') pageId: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    await deleteCustomDomain(write, pageId, versions);
    return new PageDress(pageId);
  }

  @Read(() => Theme, 'read', 'The theme of a page.')
  theme(@Id('pageId') pageId: string, @Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, pageId], [Theme]], info);
  }

  @Write(() => PageDress, 'Dresses a page in a theme; a refused one leaves the one before it in place.')
  async setTheme(
    @Id('pageId') pageId: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => SetTheme) input: SetTheme,
    @Ctx() { write }: Context,
  ) {
    await setTheme(write, pageId, versions, input.zip);
    return new PageDress(pageId);
  }

  @Write(() => PageDress, 'Takes the theme of a page off.')
  async deleteTheme(
    @Id('pageId') pageId: string,
    @IfVersion() versions: number[] | undefined,
    @Ctx() { write }: Context,
  ) {
    await deleteTheme(write, pageId, versions);
    return new PageDress(pageId);
  }
}
