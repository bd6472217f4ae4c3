import { Field, ObjectType } from 'type-graphql';
import { registerEnum } from '../graphql/enum.js';

const WarningCodes = registerEnum(
  'WarningCode',
  {
    window_past: 'The window has already begun.',
    summer_time: 'The clocks in the time zone of the page change within the window.',
    all_subscribers: 'The notice names no component, so all subscribers are notified.',
    notified_earlier:
      'Recipients who chose none of the components are notified, since earlier messages were sent to them.',
    overlapping_notice: 'Another open notice names one of the components, or an ancestor or descendant.',
    manual_status: 'A component that the notice names has a manual status, which the notice does not change.',
    suspended_recipients: 'Recipients are not notified, since they are suspended.',
    unchanged: 'Nothing changes, so nothing is published.',
    not_published: 'Nobody was notified, since `shouldPublish` was not true.',
    no_recipients: 'The publication has no recipient.',
  },
  'Something that the author may have overlooked.',
);

export type WarningCode =
  | 'window_past'
  | 'summer_time'
  | 'all_subscribers'
  | 'notified_earlier'
  | 'overlapping_notice'
  | 'manual_status'
  | 'suspended_recipients'
  | 'unchanged'
  | 'not_published'
  | 'no_recipients';

@ObjectType({ description: 'Something that the author may have overlooked.' })
export class Warning {
  @Field(() => WarningCodes as never, { description: 'The kind of warning.' })
  code!: WarningCode;

  @Field(() => String, { description: 'The warning as a sentence.' })
  message!: string;
}
