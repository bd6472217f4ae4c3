import { Ctx, Field, InputType, Resolver } from 'type-graphql';
import { parseHosts, parsePublicUrl } from '../../core/config.js';
import type { Context } from '../../graphql/context.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  ReadQuery,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { Page } from '../page.entity.js';
import { CustomDomainPayload } from '../page-settings.payload.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { Writer } from '../../records/writer.js';
import { CustomDomain } from './custom-domain.entity.js';
import { checkCustomDomain, deleteCustomDomain, setCustomDomain } from './custom-domain.service.js';

@InputType({ description: 'The custom domain of a page.' })
class SetCustomDomainInput {
  @Field(() => String, {
    description: 'A host name that contains a dot and is not under the base host of this service.',
  })
  domain!: string;
}

@Resolver()
export class CustomDomainResolver {
  @ReadQuery(() => CustomDomain, 'viewer', 'Returns the custom domain of a page.')
  customDomain(@IdArg('pageId') pageId: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, pageId], [CustomDomain]]);
  }

  @WriteMutation(
    () => CustomDomainPayload,
    'guardedOwner',
    'Claims a custom domain for a page. It replaces the current one.',
  )
  async setCustomDomain(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetCustomDomainInput) input: SetCustomDomainInput,
    @Ctx() { write, settings }: Context,
  ) {
    await setCustomDomain(write, parseHosts(settings), pageId, input.domain, versions);
    return new CustomDomainPayload(pageId);
  }

  @WriteMutation(
    () => CustomDomainPayload,
    'owner',
    'Checks the DNS records of the custom domain now, and returns the result.',
    { slow: true },
  )
  async checkCustomDomain(@IdArg('pageId') pageId: string, @Ctx() { write, settings, services }: Context) {
    const { baseHost } = parsePublicUrl(settings);
    await checkCustomDomain(write, { queryDns: services.queryDns, baseHost }, pageId);
    return new CustomDomainPayload(pageId);
  }

  @WriteMutation(
    () => CustomDomainPayload,
    'guardedOwner',
    'Deletes the custom domain of a page. A verified domain stays reserved for the page for 30 days.',
  )
  async deleteCustomDomain(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await deleteCustomDomain(write, pageId, versions);
    return new CustomDomainPayload(pageId);
  }
}
