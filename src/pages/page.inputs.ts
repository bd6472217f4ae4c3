import { Field, InputType, Int } from 'type-graphql';
import { Reminders } from '../notices/reminder.enum.js';
import { SortOrder } from './page.entity.js';

/** Null clears to null, or to the default of the field. */
@InputType({ description: 'What may be set of a page. What is absent stays; null clears to null or to the default.' })
export class UpdatePage {
  @Field(() => String, { nullable: true, description: '255 characters at most; never blank.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'The `name` of one of the `timezones`. Default: UTC.' })
  timezone?: string | null;

  @Field(() => String, { nullable: true, description: 'An e-mail address; null clears it.' })
  supportEmail?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  supportTelephone?: string | null;

  @Field(() => String, { nullable: true, description: 'An http or https address.' })
  supportUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Default: true.' })
  visibleToSearch?: boolean | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  metaTitle?: string | null;

  @Field(() => String, { nullable: true, description: '65,535 characters at most; null clears it.' })
  metaDescription?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  vendorAnalyticsId?: string | null;

  @Field(() => Int, { nullable: true, description: 'Seconds, more than 0. Default: 259200.' })
  timelineThreshold?: number | null;

  @Field(() => Int, { nullable: true, description: 'Days, more than 0; `timelineThreshold` wins where both are new.' })
  timelineThresholdInDays?: number | null;

  @Field(() => SortOrder as never, { nullable: true, description: 'Default: ASC.' })
  timelineSortOrder?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'One of bg cs da de el en es et fi fr hu lt nb nl pl pt pt-BR ro ru sk sv ar ja zh. Default: en.',
  })
  locale?: string | null;

  @Field(() => Reminders as never, {
    nullable: true,
    description: 'When people are reminded of a maintenance. Default: NONE.',
  })
  reminder?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Off is kept only while e-mail is configured. Default: true.' })
  sendNotificationsByEmail?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Off is kept only while SMS is configured. Default: true.' })
  sendNotificationsBySms?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Off is kept only while Slack is configured. Default: true.' })
  sendNotificationsByChatA?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Off is kept only while Microsoft Teams is configured. Default: true.',
  })
  sendNotificationsByChatB?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Off is kept only while Mastodon is configured. Default: true.',
  })
  sendNotificationsBySocial?: boolean | null;
}

@InputType({ description: 'A new page. What is absent or null takes its default.' })
export class CreatePage extends UpdatePage {
  @Field(() => String, { description: '255 characters at most; never blank.' })
  declare name: string;
}
