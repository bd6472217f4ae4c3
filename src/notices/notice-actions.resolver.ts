import { Ctx, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { Id, IfVersion, Input, Write } from '../graphql/field-decorators.js';
import { NoticePayload } from './notice.payload.js';
import { createNotice, updateNotice } from './notice.service.js';
import { AdvanceNotice, Announce, OpenIncident, ScheduleMaintenance } from './notice-actions.inputs.js';

/** What people do with notices, by its name. */
@Resolver()
export class VerbsResolver {
  @Write(() => NoticePayload, 'Opens an incident: what it names is degraded until it is resolved.')
  async openIncident(
    @Id('pageId') pageId: string,
    @Input(() => OpenIncident) input: OpenIncident,
    @Ctx() { write }: Context,
  ) {
    return new NoticePayload(await createNotice(write, pageId, { ...input, type: 'unplanned' }));
  }

  @Write(() => NoticePayload, 'Schedules a maintenance; `updateNotice` moves its window.')
  async scheduleMaintenance(
    @Id('pageId') pageId: string,
    @Input(() => ScheduleMaintenance) input: ScheduleMaintenance,
    @Ctx() { write }: Context,
  ) {
    return new NoticePayload(await createNotice(write, pageId, { ...input, type: 'planned' }));
  }

  @Write(() => NoticePayload, 'Announces something that is neither an incident nor a maintenance.')
  async announce(@Id('pageId') pageId: string, @Input(() => Announce) input: Announce, @Ctx() { write }: Context) {
    return new NoticePayload(await createNotice(write, pageId, { ...input, type: 'general' }));
  }

  @Write(
    () => NoticePayload,
    'Takes an incident or a maintenance to another state, with words to it: identified, resolved, underway, cancelled.',
  )
  async advanceNotice(
    @Id('pageId') pageId: string,
    @Id('id') id: string,
    @IfVersion() versions: number[] | undefined,
    @Input(() => AdvanceNotice) input: AdvanceNotice,
    @Ctx() { write }: Context,
  ) {
    return new NoticePayload(await updateNotice(write, pageId, id, versions, input));
  }
}
