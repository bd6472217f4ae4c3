import { Ctx, Field, ID, InputType, ObjectType, Resolver } from 'type-graphql';
import { parseHosts, parsePublicUrl } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Context } from '../graphql/context.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Bytes } from '../core/scalars.js';
import { Brand } from '../branding/brand.entity.js';
import { SetBrandImagesInput } from '../branding/brand-image.inputs.js';
import { setBrandImages } from '../branding/brand-image.service.js';
import { UpdateBrandInput } from '../branding/brand.inputs.js';
import { resetBrand, updateBrand } from '../branding/brand.service.js';
import { CustomDomain } from '../custom-domain/custom-domain.entity.js';
import { checkCustomDomain, deleteCustomDomain, setCustomDomain } from '../custom-domain/custom-domain.service.js';
import { Page } from './page.entity.js';
import { Theme } from '../branding/theme.entity.js';
import { deleteTheme, setTheme } from '../branding/theme.service.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Writer } from '../records/writer.js';

@InputType({ description: 'The custom domain of a page.' })
class SetCustomDomainInput {
  @Field(() => String, {
    description: 'A host name that contains a dot and is not under the base host of this service.',
  })
  domain!: string;
}

@InputType({ description: 'The theme of a page.' })
class SetThemeInput {
  @Field(() => Bytes, { description: 'A ZIP file that contains `status-page.liquid`. Over /v1 up to 10 MB.' })
  zip!: Buffer;
}

/** The write has succeeded, so a record that the page does not have is null in the payload and not an error. */
const nullIfNotFound = (record: Promise<unknown>): Promise<unknown> =>
  record.catch(error => {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
    throw error;
  });

@ObjectType({ description: 'The brand, custom domain and theme of a page, after one of them was changed.' })
class PageSettingsPayload {
  constructor(readonly pageId: string) {}

  @ReadField(() => Brand, 'The colours and images of the page.')
  brand(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.pageId], [Brand]]);
  }

  @Field(() => ID, { description: 'The id of the page, which also identifies its brand, custom domain and theme.' })
  get id(): string {
    return this.pageId;
  }

  @ReadField(() => CustomDomain, 'The custom domain. Null if there is none.', { nullable: true })
  customDomain(@InjectReader() read: FieldReader) {
    return nullIfNotFound(read.one([[Page, this.pageId], [CustomDomain]]));
  }

  @ReadField(() => Theme, 'The theme. Null if there is none.', { nullable: true })
  theme(@InjectReader() read: FieldReader) {
    return nullIfNotFound(read.one([[Page, this.pageId], [Theme]]));
  }

  @ReadField(() => Page, 'The page, after the change.')
  page(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.pageId]]);
  }
}

/** The records of which a page has at most one: brand, custom domain and theme. */
@Resolver()
export class PageSettingsResolver {
  @ReadQuery(() => Brand, 'public', 'Returns the colours and images of a page.')
  brand(@IdArg('pageId') pageId: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, pageId], [Brand]]);
  }

  @WriteMutation(() => PageSettingsPayload, 'owner', 'Updates the colours of a page.')
  async updateBrand(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateBrandInput) input: UpdateBrandInput,
    @InjectWriter() write: Writer,
  ) {
    await updateBrand(write, pageId, versions, input);
    return new PageSettingsPayload(pageId);
  }

  @WriteMutation(() => PageSettingsPayload, 'owner', 'Resets the colours of a page to the defaults. Its images stay.')
  async resetBrand(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await resetBrand(write, pageId, versions);
    return new PageSettingsPayload(pageId);
  }

  @WriteMutation(
    () => PageSettingsPayload,
    'owner',
    'Uploads or removes the logo and the icon of a page. If one is refused, all stay as they were.',
    { waits: true },
  )
  async setBrandImages(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetBrandImagesInput) input: SetBrandImagesInput,
    @Ctx() { write, services }: Context,
  ) {
    await setBrandImages(write, services.rasterize, pageId, versions, input);
    return new PageSettingsPayload(pageId);
  }

  @ReadQuery(() => CustomDomain, 'viewer', 'Returns the custom domain of a page.')
  customDomain(@IdArg('pageId') pageId: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, pageId], [CustomDomain]]);
  }

  @WriteMutation(
    () => PageSettingsPayload,
    'guardedOwner',
    'Claims a custom domain for a page. It replaces the current one.',
  )
  async setCustomDomain(
    @IdArg('pageId') pageId: string,
    @InputArg(() => SetCustomDomainInput) input: SetCustomDomainInput,
    @Ctx() { write, settings }: Context,
  ) {
    await setCustomDomain(write, parseHosts(settings), pageId, input.domain);
    return new PageSettingsPayload(pageId);
  }

  @WriteMutation(
    () => PageSettingsPayload,
    'owner',
    'Checks the DNS records of the custom domain now, and returns the result.',
    {
      waits: true,
    },
  )
  async checkCustomDomain(@IdArg('pageId') pageId: string, @Ctx() { write, settings, services }: Context) {
    const { baseHost } = parsePublicUrl(settings);
    await checkCustomDomain(write, { queryDns: services.queryDns, baseHost }, pageId);
    return new PageSettingsPayload(pageId);
  }

  @WriteMutation(
    () => PageSettingsPayload,
    'guardedOwner',
    'Deletes the custom domain of a page. A verified domain stays reserved for the page for 30 days.',
  )
  async deleteCustomDomain(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await deleteCustomDomain(write, pageId, versions);
    return new PageSettingsPayload(pageId);
  }

  @ReadQuery(() => Theme, 'viewer', 'The theme of a page.')
  theme(@IdArg('pageId') pageId: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, pageId], [Theme]]);
  }

  @WriteMutation(
    () => PageSettingsPayload,
    'owner',
    'Uploads a theme for a page. If it is rejected, the current theme stays.',
    {
      waits: true,
    },
  )
  async setTheme(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetThemeInput) input: SetThemeInput,
    @Ctx() { write, services }: Context,
  ) {
    await setTheme(write, services.testTheme, pageId, versions, input.zip);
    return new PageSettingsPayload(pageId);
  }

  @WriteMutation(
    () => PageSettingsPayload,
    'owner',
    'Deletes the theme of a page. The page then uses the standard theme.',
  )
  async deleteTheme(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await deleteTheme(write, pageId, versions);
    return new PageSettingsPayload(pageId);
  }
}
