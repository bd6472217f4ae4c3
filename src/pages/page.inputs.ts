import { analyticsIdForms } from '../core/analytics-id.js';
import { Field, InputType, Int } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { Direction } from '../graphql/connection-types.js';
import { GraphqlOnly, V1Only } from '../graphql/one-interface.js';
import { locales } from '../i18n/locales.js';
import {
  type ChannelSwitches,
  channels,
  isInV1,
  describeSending,
  labelInSentence,
  switchName,
} from '../notifications/channels/registry.js';
import { Reminders } from './reminder.enum.js';

@InputType({
  description: 'Changes to a page. Omitted fields keep their values. Null clears a field or resets it to its default.',
})
export class UpdatePageInput {
  @NullableField(() => String, 'Up to 255 characters. Cannot be blank.')
  name?: string | null;

  @NullableField(
    () => String,
    'The identifier of a time zone in the tz database, such as Europe/London, or the `name` of one of the ' +
      '`timezones`. Default: UTC.',
  )
  timezone?: string | null;

  @NullableField(() => String, 'An e-mail address. Null clears it.')
  supportEmail?: string | null;

  @NullableField(() => String, 'Up to 255 characters. Null clears it.')
  supportTelephone?: string | null;

  @NullableField(() => String, 'An http or https URL. Null clears it.')
  supportUrl?: string | null;

  @GraphqlOnly()
  @NullableField(() => String, 'An http or https URL. Null clears it.')
  websiteUrl?: string | null;

  @GraphqlOnly()
  @NullableField(() => String, 'An http or https URL. Null clears it.')
  privacyUrl?: string | null;

  @GraphqlOnly()
  @NullableField(() => String, 'An http or https URL. Null clears it.')
  termsUrl?: string | null;

  @NullableField(() => Boolean, 'Default: true.')
  isVisibleToSearch?: boolean | null;

  @NullableField(() => String, 'Up to 255 characters. Null clears it.')
  metaTitle?: string | null;

  @NullableField(() => String, 'Up to 65,535 characters. Null clears it.')
  metaDescription?: string | null;

  @NullableField(() => String, `An id of Google Analytics, of the form ${analyticsIdForms}. Null clears it.`)
  googleAnalyticsId?: string | null;

  @NullableField(() => Int, 'Seconds, greater than 0. Default: 259200.')
  timelineThresholdSeconds?: number | null;

  @V1Only()
  @NullableField(() => Int, 'Days, greater than 0. `timelineThresholdSeconds` takes precedence if both change.')
  timelineThresholdInDays?: number | null;

  @NullableField(() => Direction, 'Default: ASC.')
  timelineSortOrder?: string | null;

  @NullableField(() => String, `One of ${locales.join(' ')}. Default: en.`)
  locale?: string | null;

  @GraphqlOnly()
  @NullableField(() => Boolean, 'Whether components show their uptime of the last 90 days. Default: true.')
  shouldShowUptime?: boolean | null;

  @GraphqlOnly()
  @NullableField(
    () => Boolean,
    'Whether the history shows the median time to the first update, and how many deadlines of next updates were ' +
      'kept. Default: false.',
  )
  shouldShowResponseStatistics?: boolean | null;

  @GraphqlOnly()
  @NullableField(() => Reminders, 'When subscribers are reminded of a maintenance. Default: NONE.')
  reminder?: string | null;

  @GraphqlOnly()
  @NullableField(
    () => Int,
    'How long notifications of what a person publishes wait before they are sent: 0 to 60 seconds. Default: 10.',
  )
  holdSeconds?: number | null;

  @GraphqlOnly()
  @NullableField(
    () => Int,
    'After how many minutes without an update an open notice is stale: 0, for never, to 10,080. Default: 120.',
  )
  staleAfterMinutes?: number | null;

  @GraphqlOnly()
  @NullableField(() => Boolean, 'Whether the owners of the page get a report of each month by mail. Default: false.')
  shouldSendMonthlyReport?: boolean | null;
}

for (const channel of channels) {
  const field = switchName(channel);
  const label = labelInSentence(channel);
  const description =
    channel.recipients === 'webhooks'
      ? `Default: true. Whether the page ${describeSending(channel)}, and visitors can subscribe to them.`
      : `Default: true. Until ${label} is configured, true is refused, false not stored.`;
  Field(() => Boolean, { nullable: true, description })(UpdatePageInput.prototype, field);
  if (!isInV1(channel)) GraphqlOnly()(UpdatePageInput.prototype, field);
}

/** The switches of the channels, `shouldSendNotificationsBy...`, are declared from their registry. */
export type PageSwitches = { [Name in keyof ChannelSwitches]?: boolean | null };

@InputType({ description: 'A new page. Omitted and null fields get their defaults.' })
export class CreatePageInput extends UpdatePageInput {
  @Field(() => String, { description: 'Up to 255 characters. Cannot be blank.' })
  declare name: string;
}
