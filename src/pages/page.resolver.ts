import { Args, Ctx, ObjectType, Resolver } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import type { Context } from '../graphql/context.js';
import { createFilterType } from '../graphql/filters.js';
import { createConnectionType, createListArguments } from '../graphql/connection-types.js';
import type { ListArguments } from '../records/list-arguments.js';
import {
  DeletePayload,
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  ReadField,
  ReadQuery,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { channels, isInV1, switchName } from '../notifications/channels/registry.js';
import { NoticeFilter } from '../notices/notice.filter.js';
import { Page } from './page.entity.js';
import { CreatePageInput, UpdatePageInput } from './page.inputs.js';
import { SetPageVisibilityInput } from './page-visibility.inputs.js';
import { setPageVisibility } from './page-visibility.service.js';
import { deletePage } from './delete-page.js';
import { createPage, updatePage } from './page.service.js';
import type { FieldReader } from '../records/field-reader.js';
import { createNodeId } from '../records/node-id.js';
import type { Writer } from '../records/writer.js';

export const PageConnection = createConnectionType(Page);
export const PageArguments = createListArguments(
  Page,
  createFilterType(Page, {
    input: UpdatePageInput,
    except: [
      ...channels.filter(channel => !isInV1(channel)).map(switchName),
      // /v1 filters by the name.
      'timezone',
      'holdSeconds',
      'staleAfterMinutes',
      'shouldSendMonthlyReport',
      'reminder',
      'shouldShowUptime',
      'shouldShowResponseStatistics',
      'websiteUrl',
      'privacyUrl',
      'termsUrl',
      'url',
      'openNoticesCount',
      'hasDemoData',
      'visibility',
      'emailDomains',
    ],
    v1Only: ['timelineThresholdInDays'],
    through: { notices: NoticeFilter, components: ComponentFilter },
  }),
  ['id', 'name', 'createdAt', 'updatedAt'],
);

@ObjectType({ description: 'A created or updated page.' })
class PagePayload {
  constructor(readonly id: string) {}

  @ReadField(() => Page, 'The page, after the change.')
  page(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.id]]);
  }
}

const isFromV1 = ({ read }: Context) => read.options.outputMode === 'rest';

@Resolver()
export class PageResolver {
  @ReadQuery(() => Page, 'page', 'Returns a page.')
  page(@IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, id]]);
  }

  @ReadQuery(() => PageConnection, 'viewer', 'Lists all pages, in the order of creation.')
  pages(@Args(() => PageArguments) list: ListArguments, @InjectReader() read: FieldReader) {
    return read.list([], Page, list);
  }

  @WriteMutation(() => PagePayload, 'ownerOfAllPages', 'Creates a page with the default brand.')
  async createPage(
    @InputArg(() => CreatePageInput) input: CreatePageInput,
    @InjectWriter() write: Writer,
    @Ctx() context: Context,
  ) {
    return new PagePayload(await createPage(write, { ...input, isFromV1: isFromV1(context) }));
  }

  @WriteMutation(() => PagePayload, 'owner', 'Updates the settings of a page.')
  async updatePage(
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdatePageInput) input: UpdatePageInput,
    @InjectWriter() write: Writer,
    @Ctx() context: Context,
  ) {
    return new PagePayload(await updatePage(write, id, versions, { ...input, isFromV1: isFromV1(context) }));
  }

  @WriteMutation(
    () => PagePayload,
    'guardedOwner',
    'Sets who sees a page. Another visibility or password ends the access of all visitors within a second.',
  )
  async setPageVisibility(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetPageVisibilityInput) input: SetPageVisibilityInput,
    @Ctx() { write, services }: Context,
  ) {
    return new PagePayload(await setPageVisibility(write, services.passwords, pageId, versions, input));
  }

  @WriteMutation(
    () => DeletePayload,
    'guardedOwner',
    'Deletes a page and everything on it. It writes in batches, each a transaction, so that other requests need not ' +
      'wait. If it fails half-way, send it again.',
    { slow: true },
  )
  async deletePage(
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    return { deletedId: await deletePage(write, id, versions), deletedNodeId: createNodeId(Page.name, id) };
  }
}
