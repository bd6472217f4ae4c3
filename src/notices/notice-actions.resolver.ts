import { Resolver } from 'type-graphql';
import {
  IdArg,
  IfVersionArg,
  InjectWriter,
  InputArg,
  ParentIdArg,
  PreviewHashArg,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { NoticePayload } from './notice.payload.js';
import { createNotice, updateNotice } from './notice.service.js';
import {
  AdvanceNoticeInput,
  AnnounceInput,
  OpenIncidentInput,
  ScheduleMaintenanceInput,
} from './notice-actions.inputs.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import type { Writer } from '../records/writer.js';

/** One mutation for each action that operators take on notices. */
@Resolver()
export class NoticeActionsResolver {
  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Opens an incident. The components that it names are degraded until it is resolved.',
    { urgent: true },
  )
  async openIncident(
    @IdArg('pageId') pageId: string,
    @InputArg(() => OpenIncidentInput) input: OpenIncidentInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticePayload(await createNotice(write, pageId, { ...input, previewHash, type: 'unplanned' }));
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Schedules a maintenance. To move its window later, use `updateNotice`.',
    { urgent: true },
  )
  async scheduleMaintenance(
    @IdArg('pageId') pageId: string,
    @InputArg(() => ScheduleMaintenanceInput) input: ScheduleMaintenanceInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticePayload(await createNotice(write, pageId, { ...input, previewHash, type: 'planned' }));
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Publishes an announcement, which is neither an incident nor a maintenance.',
    { urgent: true },
  )
  async announce(
    @IdArg('pageId') pageId: string,
    @InputArg(() => AnnounceInput) input: AnnounceInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticePayload(await createNotice(write, pageId, { ...input, previewHash, type: 'general' }));
  }

  @WriteMutation(
    () => NoticePayload,
    'publisher',
    'Moves an incident or a maintenance to another state, such as RESOLVED or UNDERWAY, with an optional update.',
    { urgent: true },
  )
  async advanceNotice(
    @ParentIdArg('pageId', Page, Notice) pageId: string,
    @IdArg('id') id: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => AdvanceNoticeInput) input: AdvanceNoticeInput,
    @PreviewHashArg() previewHash: string | null | undefined,
    @InjectWriter() write: Writer,
  ) {
    return new NoticePayload(await updateNotice(write, pageId, id, versions, { ...input, previewHash }));
  }
}
