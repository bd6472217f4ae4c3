import { Field, InputType } from 'type-graphql';
import { OneOf } from '../../graphql/field-decorators.js';
import { UpdateNoticeInput } from '../../notices/notice.inputs.js';
import { CreateNoticeUpdateInput } from '../../notices/updates/update.inputs.js';
import {
  AdvanceNoticeInput,
  AnnounceInput,
  OpenIncidentInput,
  ScheduleMaintenanceInput,
} from '../../notices/notice-actions.inputs.js';

const asInput = (verb: string) => ({ nullable: true, description: `The input of \`${verb}\`. Null: another verb.` });

@OneOf()
@InputType({
  description:
    'Exactly one change of a notice, with the input of its mutation. It counts as one to be published, whatever its ' +
    '`shouldPublish`.',
})
export class NoticeChangeInput {
  @Field(() => OpenIncidentInput, asInput('openIncident'))
  openIncident?: OpenIncidentInput | null;

  @Field(() => ScheduleMaintenanceInput, asInput('scheduleMaintenance'))
  scheduleMaintenance?: ScheduleMaintenanceInput | null;

  @Field(() => AnnounceInput, asInput('announce'))
  announce?: AnnounceInput | null;

  @Field(() => AdvanceNoticeInput, asInput('advanceNotice'))
  advanceNotice?: AdvanceNoticeInput | null;

  @Field(() => UpdateNoticeInput, asInput('updateNotice'))
  updateNotice?: UpdateNoticeInput | null;

  @Field(() => CreateNoticeUpdateInput, asInput('createNoticeUpdate'))
  createNoticeUpdate?: CreateNoticeUpdateInput | null;
}
