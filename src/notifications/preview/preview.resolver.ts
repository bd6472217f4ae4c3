import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Resolver } from 'type-graphql';
import type { Context } from '../../graphql/context.js';
import { ComputedQuery, IdArg, InputArg, ParentIdArg } from '../../graphql/field-decorators.js';
import { Notice } from '../../notices/notice.entity.js';
import { NoticeUpdate } from '../../notices/updates/update.entity.js';
import { Page } from '../../pages/page.entity.js';
import { findSelectedParts, PublicationPreview } from './preview.fields.js';
import { NoticeChangeInput } from './preview.inputs.js';
import { previewChange, previewComponentCorrection, previewCorrection } from './preview.service.js';

@Resolver()
export class PreviewResolver {
  @ComputedQuery(
    () => PublicationPreview,
    'drafter',
    'The publication that a change would cause, with audience and messages. Saves nothing and notifies nobody. ' +
      'Previews of a page run one after the other.',
    10_000,
  )
  async previewPublication(
    @IdArg('pageId') pageId: string,
    @Arg('noticeId', () => ID, { nullable: true, description: 'The notice to change; null for a new one.' })
    noticeId: string | null | undefined,
    @InputArg(() => NoticeChangeInput, 'The change to preview.') input: NoticeChangeInput,
    @Ctx() { write, services }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const change = { noticeId, input };
    return new PublicationPreview(
      await previewChange(write, services.preview, pageId, change, findSelectedParts(info)),
    );
  }

  @ComputedQuery(
    () => PublicationPreview,
    'publisher',
    'The publication that `notifyCorrection` would cause. Refused where that would be. Saves nothing and ' +
      'notifies nobody.',
    10_000,
  )
  async previewCorrection(
    @ParentIdArg('pageId', Page, NoticeUpdate) pageId: string,
    @ParentIdArg('noticeId', Notice, NoticeUpdate) noticeId: string,
    @IdArg('id') id: string,
    @Ctx() { write, services }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const parts = findSelectedParts(info);
    return new PublicationPreview(await previewCorrection(write, services.preview, pageId, noticeId, id, parts));
  }

  @ComputedQuery(
    () => PublicationPreview,
    'publisher',
    'The publication that `notifyComponentCorrection` would cause. Refused where that would be. Saves nothing ' +
      'and notifies nobody.',
    10_000,
  )
  async previewComponentCorrection(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @Ctx() { write, services }: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const parts = findSelectedParts(info);
    return new PublicationPreview(await previewComponentCorrection(write, services.preview, pageId, id, parts));
  }
}
