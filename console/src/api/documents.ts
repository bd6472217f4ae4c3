/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What made a change. */
export type ActorKind =
  /** The service, at its time. */
  | 'AUTOMATION'
  /** The command line. */
  | 'COMMAND'
  /** A person who has signed in. */
  | 'PERSON'
  /** A token. */
  | 'TOKEN';

/** The next state of an incident or a maintenance. */
export type AdvanceNoticeInput = {
  /** The text of a new update, in Markdown. Up to 65,535 characters. */
  content?: string | null | undefined;
  /** By when you promise the next update: it is shown, and its author is reminded of it. In the future. Null or omitted: none is promised. */
  nextUpdateBy?: string | null | undefined;
  /** Whether to send notifications through the channels. */
  shouldPublish: boolean;
  /** Any state of its type. The current state changes nothing. */
  state: NoticeState;
};

/** A component that an incident names, with its impact. */
export type AffectedComponentInput = {
  /** The id of a component of the page. */
  componentId: string | number;
  /** How the incident affects it. */
  impact: Impact;
};

/** A new announcement. */
export type AnnounceInput = {
  /** The components that the notice names. Null or omitted: none. */
  componentIds?: Array<string | number> | null | undefined;
  /** The text of the first update, in Markdown. Up to 65,535 characters. */
  content?: string | null | undefined;
  /** Whether to send notifications through the channels. */
  shouldPublish: boolean;
  /** Up to 255 characters. Null or blank: the first line of `content` without markup, up to 100 characters; one of them is required. */
  subject?: string | null | undefined;
  /** The tags. A value that contains commas is split into several tags. */
  tagList?: Array<string> | null | undefined;
  /** A template. It fills in subject, content, components and state where they are null or omitted. */
  templateId?: string | number | null | undefined;
};

/** Selects records; all conditions must hold. */
export type AttemptFilter = {
  /** When the outcome was recorded. */
  at?: TimestampFilter | null | undefined;
  /** Unique among all attempts. */
  id?: IdFilter | null | undefined;
  /** The outcome. */
  outcome?: AttemptOutcomeFilter | null | undefined;
  /** The response of the recipient server or provider, or the connection error. */
  response?: StringFilter | null | undefined;
};

/** The outcome of an attempt. */
export type AttemptOutcome =
  /** Failed for now; another attempt may succeed. */
  | 'FAILED'
  /** Unknown: the worker stopped before it recorded the outcome. */
  | 'LOST'
  /** Refused for good. */
  | 'REFUSED'
  /** Accepted by the recipient server or provider. */
  | 'SENT';

/** Conditions on a value of type AttemptOutcome, all of which must hold. A null condition is ignored. */
export type AttemptOutcomeFilter = {
  /** Equals the value. */
  eq?: AttemptOutcome | null | undefined;
  /** Is one of the values. */
  in?: Array<AttemptOutcome> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: AttemptOutcome | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<AttemptOutcome> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** Conditions on a value of type Boolean, all of which must hold. A null condition is ignored. */
export type BooleanFilter = {
  /** Equals the value. */
  eq?: boolean | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: boolean | null | undefined;
};

/** The channel of a message. */
export type Channel =
  /** E-mail. */
  | 'EMAIL'
  /** Mastodon. */
  | 'MASTODON'
  /** Slack. */
  | 'SLACK'
  /** SMS. */
  | 'SMS'
  /** Microsoft Teams. */
  | 'TEAMS';

/** Conditions on a value of type Channel, all of which must hold. A null condition is ignored. */
export type ChannelFilter = {
  /** Equals the value. */
  eq?: Channel | null | undefined;
  /** Is one of the values. */
  in?: Array<Channel> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: Channel | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<Channel> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** The outcome of a channel test. */
export type ChannelTestOutcome =
  /** Failed for now; another attempt may succeed. */
  | 'FAILED'
  /** Refused: the channel is not configured correctly. */
  | 'REFUSED'
  /** The provider accepted the message. */
  | 'SENT';

/** Selects records; all conditions must hold. */
export type ComponentFilter = {
  /** When the record was created, by the database's clock. */
  createdAt?: TimestampFilter | null | undefined;
  /** Shown next to the name. Null if unset. */
  description?: StringFilter | null | undefined;
  /** Unique among all components. */
  id?: IdFilter | null | undefined;
  /** The name shown on the page. */
  name?: StringFilter | null | undefined;
  /** The id of the parent component. Null at the root. */
  parentId?: IdFilter | null | undefined;
  /** Sort order among siblings. Lower numbers come first. */
  position?: IntFilter | null | undefined;
  /** Computed from the notices that name the component and from its place in the tree. Read-only. */
  state?: ComponentStateFilter | null | undefined;
  /** When the record itself was last changed. */
  updatedAt?: TimestampFilter | null | undefined;
};

/** The state of a component or of a whole page. A page is never PARTIALLY_DEGRADED. */
export type ComponentState =
  /** An ongoing notice names the component. */
  | 'DEGRADED'
  /** No ongoing notice names the component, an ancestor or a descendant. */
  | 'OPERATIONAL'
  /** An ancestor or a descendant is degraded. */
  | 'PARTIALLY_DEGRADED';

/** Conditions on a value of type ComponentState, all of which must hold. A null condition is ignored. */
export type ComponentStateFilter = {
  /** Equals the value. */
  eq?: ComponentState | null | undefined;
  /** Is one of the values. */
  in?: Array<ComponentState> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: ComponentState | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<ComponentState> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** The credentials of a channel. They cannot be read back. */
export type ConfigureChannelInput = {
  /** SLACK (Slack), TEAMS (Microsoft Teams) or MASTODON (Mastodon); the other channels are configured for the whole service. The channel is used at once, unless its switch on the page is off. */
  channel: Channel;
  /** For MASTODON only: an access token with the scope `write:statuses`. If absent, the current token is kept, as long as the server is the same. */
  token?: string | null | undefined;
  /** The https URL of the incoming webhook; for MASTODON, of the server. */
  url: string;
};

/** A new component. */
export type CreateComponentInput = {
  /** Up to 65,535 characters. Null clears it. */
  description?: string | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  name: string;
  /** A component of the same page, but not the component itself or a descendant. Null: the root. */
  parentId?: string | number | null | undefined;
  /** Lower numbers come first. Null, or omitted on creation: after the last sibling. Other components keep theirs. */
  position?: number | null | undefined;
};

/** A new template. */
export type CreateNoticeTemplateInput = {
  /** The same for one component. `componentIds` takes precedence. Null: none. */
  componentId?: string | number | null | undefined;
  /** All components that notices created from it name. Null or an empty list: none. */
  componentIds?: Array<string | number> | null | undefined;
  /** Up to 65,535 characters, as Markdown. Null clears it. */
  content?: string | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  name: string;
  /** The state of notices created from it, which must be one of `type`. Null: the first one of their type. */
  state?: NoticeState | null | undefined;
  /** Up to 255 characters. Null clears it. */
  subject?: string | null | undefined;
  /** The type of notices created from it. Null: any. */
  type?: NoticeType | null | undefined;
};

/** A new update of a notice. */
export type CreateNoticeUpdateInput = {
  /** The text, in Markdown. Up to 65,535 characters. Cannot be blank. */
  content: string;
  /** POSTMORTEM for a notice with states that is over and has none yet. Null: UPDATE. */
  kind?: UpdateKind | null | undefined;
  /** By when you promise the next update: it is shown, and its author is reminded of it. In the future. Null or omitted: none is promised. Refused with `postedAt`. */
  nextUpdateBy?: string | null | undefined;
  /** Back-dates the update, to move history in: nobody is notified. Cannot be in the future or before the notice began. Null: now. */
  postedAt?: string | null | undefined;
  /** Whether to send notifications through the channels. Must be false with `postedAt`. */
  shouldPublish: boolean;
  /** The state that the notice had at `postedAt`, with which it is given only; the state of the notice stays. Null: that of the update before it, or the first state of its type. */
  state?: NoticeState | null | undefined;
};

/** A new page. Omitted and null fields get their defaults. */
export type CreatePageInput = {
  /** An id of Google Analytics, of the form G-XXXXXXXXXX or UA-XXXXXXXX-X. Null clears it. */
  googleAnalyticsId?: string | null | undefined;
  /** How long notifications of what a person publishes wait before they are sent: 0 to 60 seconds. Default: 10. */
  holdSeconds?: number | null | undefined;
  /** One of bg cs da de el en en-US es et fi fr hu lt nb nl pl pt pt-BR ro ru sk sv ar ja zh. Default: en. */
  locale?: string | null | undefined;
  /** Up to 65,535 characters. Null clears it. */
  metaDescription?: string | null | undefined;
  /** Up to 255 characters. Null clears it. */
  metaTitle?: string | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  name: string;
  /** An http or https URL. Null clears it. */
  privacyUrl?: string | null | undefined;
  /** When subscribers are reminded of a maintenance. Default: NONE. */
  reminder?: Reminder | null | undefined;
  /** False is stored only while e-mail is configured. Default: true. */
  sendNotificationsByEmail?: boolean | null | undefined;
  /** False is stored only while Mastodon is configured. Default: true. */
  sendNotificationsByMastodon?: boolean | null | undefined;
  /** False is stored only while Slack is configured. Default: true. */
  sendNotificationsBySlack?: boolean | null | undefined;
  /** False is stored only while SMS is configured. Default: true. */
  sendNotificationsBySms?: boolean | null | undefined;
  /** False is stored only while Microsoft Teams is configured. Default: true. */
  sendNotificationsByTeams?: boolean | null | undefined;
  /** Whether components show their uptime of the last 90 days. Default: true. */
  showUptime?: boolean | null | undefined;
  /** An e-mail address. Null clears it. */
  supportEmail?: string | null | undefined;
  /** Up to 255 characters. Null clears it. */
  supportTelephone?: string | null | undefined;
  /** An http or https URL. Null clears it. */
  supportUrl?: string | null | undefined;
  /** An http or https URL. Null clears it. */
  termsUrl?: string | null | undefined;
  /** Default: ASC. */
  timelineSortOrder?: Direction | null | undefined;
  /** Seconds, greater than 0. Default: 259200. */
  timelineThreshold?: number | null | undefined;
  /** The `name` of one of the `timezones`, or its identifier in the tz database, such as Europe/London. Default: UTC. */
  timezone?: string | null | undefined;
  /** Default: true. */
  visibleToSearch?: boolean | null | undefined;
  /** An http or https URL. Null clears it. */
  websiteUrl?: string | null | undefined;
};

/** A new subscriber, who must have consented: no confirmation is requested. */
export type CreateSubscriberInput = {
  /** 255 characters at most; null clears it. */
  company?: string | null | undefined;
  /** All components to be notified about; null or an empty list for everything. */
  componentIds?: Array<string | number> | null | undefined;
  /** Unique on its page, ignoring case. */
  email?: string | null | undefined;
  /** 255 characters at most; null clears it. */
  firstName?: string | null | undefined;
  /** The types of notices to be notified about; null or an empty list for all. */
  kinds?: Array<NoticeType> | null | undefined;
  /** 255 characters at most; null clears it. */
  lastName?: string | null | undefined;
  /** Used in place of the real name; 255 characters at most; null clears it. */
  nickname?: string | null | undefined;
  /** With the country code; spaces, dashes and brackets are removed. Unique on its page. */
  phoneNumber?: string | null | undefined;
  /** All tags; an item with commas is several tags. Null clears them. */
  tagList?: Array<string> | null | undefined;
};

/** A new token. */
export type CreateTokenInput = {
  /** When it stops being valid, a time to come. Absent: in 90 days. Null: never. At most when the token expires that makes it. */
  expiresAt?: string | null | undefined;
  /** Whether a token that a person makes is a service token, which does not end with the person. For an OWNER of all pages. What a token makes belongs to whom that token belongs. */
  isService?: boolean;
  /** A name for those who administer it. Up to 255 characters. Cannot be blank. */
  label: string;
  /** The pages on which it has the role, 1 to 100. Null or absent: all pages, those to come included. */
  pageIds?: Array<string | number> | null | undefined;
  /** What it may do: at most what its maker may do on the same pages. */
  role: Role;
};

/** Selects records; all conditions must hold. */
export type DeliveryCountFilter = {
  /** Their channel. */
  channel?: ChannelFilter | null | undefined;
  /** The number of deliveries. */
  count?: IntFilter | null | undefined;
  /** Their state. */
  state?: DeliveryStateFilter | null | undefined;
};

/** Selects records; all conditions must hold. */
export type DeliveryFilter = {
  /** The address of the recipient; for a channel of the page, the name of the provider. */
  address?: StringFilter | null | undefined;
  /** Filters by associated attempts. Each condition counts by itself: different records may match different ones. */
  attempts?: AttemptFilter | null | undefined;
  /** The channel. */
  channel?: ChannelFilter | null | undefined;
  /** When it was created. */
  createdAt?: TimestampFilter | null | undefined;
  /** When it may be tried next. */
  dueAt?: TimestampFilter | null | undefined;
  /** Unique among all deliveries. */
  id?: IdFilter | null | undefined;
  /** The Message-ID of its e-mail, the same in every attempt. */
  messageId?: StringFilter | null | undefined;
  /** Filters by associated publication. Each condition counts by itself: different records may match different ones. */
  publication?: PublicationFilter | null | undefined;
  /** Why it was skipped or is dead; null in the other states. */
  reason?: DeliveryReasonFilter | null | undefined;
  /** When the server or provider accepted it; null before. */
  sentAt?: TimestampFilter | null | undefined;
  /** Its state. */
  state?: DeliveryStateFilter | null | undefined;
  /** The subscriber, who may have been deleted since; null for a channel of the page and for operators. */
  subscriberId?: IdFilter | null | undefined;
  /** How many attempts were made, including one in progress. */
  tries?: IntFilter | null | undefined;
  /** The worker that claimed it last; null before that. */
  worker?: StringFilter | null | undefined;
};

/** Why a delivery was skipped, or is dead. */
export type DeliveryReason =
  /** The channel is switched off on the page, or not configured. */
  | 'CHANNEL_OFF'
  /** Dead: it still failed when retries ended. */
  | 'GAVE_UP'
  /** The notice was deleted. */
  | 'NOTICE_DELETED'
  /** The event is not sent on this channel. */
  | 'NOT_SENT_ON_THIS_CHANNEL'
  /** The subscriber has no address for the channel any more. */
  | 'NO_ADDRESS'
  /** The subscriber did not choose the type of the notice, or none of its components. */
  | 'OUT_OF_SCOPE'
  /** Dead: the recipient server or the provider refused the message for good. */
  | 'REFUSED'
  /** The publication was stopped before the message was sent. */
  | 'STOPPED'
  /** The subscriber was deleted. */
  | 'SUBSCRIBER_DELETED'
  /** A later message about the notice replaced it. */
  | 'SUPERSEDED'
  /** The recipient refused several messages in a row. */
  | 'SUSPENDED'
  /** The recipient was not sent the text that is corrected. */
  | 'UNAFFECTED'
  /** The subscriber had not confirmed the subscription. */
  | 'UNCONFIRMED'
  /** The subscriber has unsubscribed. */
  | 'UNSUBSCRIBED'
  /** The update was deleted. */
  | 'UPDATE_DELETED';

/** Conditions on a value of type DeliveryReason, all of which must hold. A null condition is ignored. */
export type DeliveryReasonFilter = {
  /** Equals the value. */
  eq?: DeliveryReason | null | undefined;
  /** Is one of the values. */
  in?: Array<DeliveryReason> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: DeliveryReason | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<DeliveryReason> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** The state of a delivery. */
export type DeliveryState =
  /** Refused for good, or still failing when retries ended. It can be resent. */
  | 'DEAD'
  /** Waiting for its first attempt. */
  | 'PENDING'
  /** Failed, and due to be retried. */
  | 'RETRYING'
  /** Being sent by a worker. */
  | 'SENDING'
  /** Accepted by the recipient server or provider. */
  | 'SENT'
  /** Not sent; `reason` says why. */
  | 'SKIPPED';

/** Conditions on a value of type DeliveryState, all of which must hold. A null condition is ignored. */
export type DeliveryStateFilter = {
  /** Equals the value. */
  eq?: DeliveryState | null | undefined;
  /** Is one of the values. */
  in?: Array<DeliveryState> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: DeliveryState | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<DeliveryState> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** The direction of an order. Text is ordered by code point. */
export type Direction =
  /** Ascending. */
  | 'ASC'
  /** Descending. */
  | 'DESC';

/** The result of a DNS check of a claimed domain. */
export type DomainFinding =
  /** The CNAME record leads to the name of the page: the domain is proven. */
  | 'CNAME'
  /** The CNAME record leads somewhere else. */
  | 'ELSEWHERE'
  /** The CNAME records form a loop, or too long a chain. */
  | 'ENDLESS'
  /** Neither record exists. */
  | 'NOTHING'
  /** The CNAME record leads to another page of this service. */
  | 'OTHER_PAGE'
  /** The records prove the domain, but another page has it, or gave it up less than 30 days ago. */
  | 'TAKEN'
  /** The TXT record holds the value of the page: the domain is proven. */
  | 'TXT'
  /** DNS did not answer, or not in time; this decides nothing. */
  | 'UNANSWERED'
  /** There are TXT records, but none holds the value of the page. */
  | 'WRONG_TEXT';

/** The mutation that a draft is for. */
export type DraftVerb =
  /** The next state of a notice. */
  | 'ADVANCE_NOTICE'
  /** A new announcement. */
  | 'ANNOUNCE'
  /** An update of a notice. */
  | 'CREATE_NOTICE_UPDATE'
  /** A new incident. */
  | 'OPEN_INCIDENT'
  /** A new maintenance. */
  | 'SCHEDULE_MAINTENANCE'
  /** A change of a notice. */
  | 'UPDATE_NOTICE';

/** Conditions on a value of type ID, all of which must hold. A null condition is ignored. */
export type IdFilter = {
  /** true: null or empty. false: neither. */
  blank?: boolean | null | undefined;
  /** Contains the value, case-insensitively; it has no wildcards. */
  cont?: string | null | undefined;
  /** Equals the value. */
  eq?: string | number | null | undefined;
  /** Greater than the value, and not null. Text is compared by code point. */
  gt?: string | number | null | undefined;
  /** Greater than or equal to the value, and not null. */
  gteq?: string | number | null | undefined;
  /** Is one of the values. */
  in?: Array<string | number> | null | undefined;
  /** Less than the value, and not null. Text is compared by code point. */
  lt?: string | number | null | undefined;
  /** Less than or equal to the value, and not null. */
  lteq?: string | number | null | undefined;
  /** Matches the pattern as a whole, case-insensitively: % and _ are wildcards, \ escapes them. */
  matches?: string | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: string | number | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<string | number> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** How an incident affects a component. The page, its history, its uptime and its JSON show it; /v1 does not. */
export type Impact =
  /** It works with problems. The default. */
  | 'DEGRADED'
  /** It does not work. */
  | 'MAJOR_OUTAGE'
  /** It works for some of its users, or in part. */
  | 'PARTIAL_OUTAGE';

/** A CSV list of people who have consented. */
export type ImportSubscribersInput = {
  /** The consent source of rows without a consent_source; 255 characters at most. */
  consentSource: string;
  /** Separated by commas, semicolons or tabs. The first line names the columns, in any order: email, phone_number, first_name, last_name, nickname, company, tag_list, component_ids, kinds, consent_source. One of the first two is required. At most 10,000 rows, and 1,048,576 characters. */
  csv: string;
  /** Whether to report the result without writing anything. */
  dryRun?: boolean;
  /** Whether to subscribe people again who have unsubscribed: only if they have asked for it since. */
  resubscribe?: boolean;
};

/** The state of an incident. */
export type IncidentState =
  /** Unplanned, over: there was no incident. */
  | 'FALSE_ALARM'
  /** Unplanned, ongoing: the cause is known. */
  | 'IDENTIFIED'
  /** Unplanned, ongoing: looking for the cause. The initial state of an incident. */
  | 'INVESTIGATING'
  /** Unplanned, ongoing: the system is recovering. */
  | 'RECOVERING'
  /** Unplanned, over. */
  | 'RESOLVED';

/** Conditions on a value of type Int, all of which must hold. A null condition is ignored. */
export type IntFilter = {
  /** true: null or empty. false: neither. */
  blank?: boolean | null | undefined;
  /** Contains the value, case-insensitively; it has no wildcards. */
  cont?: string | null | undefined;
  /** Equals the value. */
  eq?: number | null | undefined;
  /** Greater than the value, and not null. Text is compared by code point. */
  gt?: number | null | undefined;
  /** Greater than or equal to the value, and not null. */
  gteq?: number | null | undefined;
  /** Is one of the values. */
  in?: Array<number> | null | undefined;
  /** Less than the value, and not null. Text is compared by code point. */
  lt?: number | null | undefined;
  /** Less than or equal to the value, and not null. */
  lteq?: number | null | undefined;
  /** Matches the pattern as a whole, case-insensitively: % and _ are wildcards, \ escapes them. */
  matches?: string | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: number | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<number> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** How a change was made. */
export type Interface =
  /** By the service itself, at its time. */
  | 'AUTOMATION'
  /** By the command line. */
  | 'CLI'
  /** In a browser, by the session of a person: the console, the page to sign in, or the editor of GraphQL. */
  | 'CONSOLE'
  /** By /graphql, with a token. */
  | 'GRAPHQL'
  /** By /v1. */
  | 'V1';

/** Whom to invite, and to what. */
export type InvitePersonInput = {
  /** The e-mail address. Somebody who is known by it gets the role, too. */
  email: string;
  /** The pages, 1 to 100, each of which the caller must own. Null or absent: all pages, those to come included. */
  pageIds?: Array<string | number> | null | undefined;
  /** The role, in place of the one that the person has on the same page. */
  role: Role;
};

/** The state of a maintenance. */
export type MaintenanceState =
  /** Planned, over: cancelled before or after the start. */
  | 'CANCELLED'
  /** Planned, over. */
  | 'COMPLETE'
  /** Planned, not started. The initial state of a maintenance. */
  | 'SCHEDULED'
  /** Planned, ongoing. */
  | 'UNDERWAY';

/** Selects records; all conditions must hold. */
export type NoticeFilter = {
  /** When the notice was opened or went underway. Null if it has not started, or was cancelled before. */
  beganAt?: TimestampFilter | null | undefined;
  /** The expected start. */
  beginsAt?: TimestampFilter | null | undefined;
  /** Filters by associated components. Each condition counts by itself: different records may match different ones. */
  components?: ComponentFilter | null | undefined;
  /** When the record was created, by the database's clock. */
  createdAt?: TimestampFilter | null | undefined;
  /** When the notice was closed or completed. Null while open. */
  endedAt?: TimestampFilter | null | undefined;
  /** The expected end. */
  endsAt?: TimestampFilter | null | undefined;
  /** Notices that name one of these components, an ancestor or a descendant. */
  forComponents?: Array<string | number> | null | undefined;
  /** Unique among all notices. Later notices have greater ids. */
  id?: IdFilter | null | undefined;
  /** By when the next update is promised. Each update replaces or clears it. Null: none is promised. */
  nextUpdateBy?: TimestampFilter | null | undefined;
  /** Whether the state changes automatically at the start and the end of the window. */
  shouldAutomateSchedule?: BooleanFilter | null | undefined;
  /** Filters by `state`. */
  state?: NoticeStateFilter | null | undefined;
  /** The title. */
  subject?: StringFilter | null | undefined;
  /** The tags, in the order given. */
  tagList?: StringFilter | null | undefined;
  /** Computed from the state, `endedAt` and the current time of the database. */
  timelineState?: TimelineStateFilter | null | undefined;
  /** Set on creation. Never changes. */
  type?: NoticeTypeFilter | null | undefined;
  /** When the record itself was last changed. */
  updatedAt?: TimestampFilter | null | undefined;
  /** Filters by associated updates. Each condition counts by itself: different records may match different ones. */
  updates?: NoticeUpdateFilter | null | undefined;
};

/** The state of a notice. Any state of its type can follow any other. General notices have none. */
export type NoticeState =
  /** Planned, over: cancelled before or after the start. */
  | 'CANCELLED'
  /** Planned, over. */
  | 'COMPLETE'
  /** Unplanned, over: there was no incident. */
  | 'FALSE_ALARM'
  /** Unplanned, ongoing: the cause is known. */
  | 'IDENTIFIED'
  /** Unplanned, ongoing: looking for the cause. The initial state of an incident. */
  | 'INVESTIGATING'
  /** Unplanned, ongoing: the system is recovering. */
  | 'RECOVERING'
  /** Unplanned, over. */
  | 'RESOLVED'
  /** Planned, not started. The initial state of a maintenance. */
  | 'SCHEDULED'
  /** Planned, ongoing. */
  | 'UNDERWAY';

/** Conditions on a value of type NoticeState, all of which must hold. A null condition is ignored. */
export type NoticeStateFilter = {
  /** Equals the value. */
  eq?: NoticeState | null | undefined;
  /** Is one of the values. */
  in?: Array<NoticeState> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: NoticeState | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<NoticeState> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** The type of a notice, which determines its states and fields. */
export type NoticeType =
  /** An announcement, which has no states. */
  | 'GENERAL'
  /** A maintenance with a window. */
  | 'PLANNED'
  /** An incident. */
  | 'UNPLANNED';

/** Conditions on a value of type NoticeType, all of which must hold. A null condition is ignored. */
export type NoticeTypeFilter = {
  /** Equals the value. */
  eq?: NoticeType | null | undefined;
  /** Is one of the values. */
  in?: Array<NoticeType> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: NoticeType | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<NoticeType> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** Selects records; all conditions must hold. */
export type NoticeUpdateFilter = {
  /** The text, in Markdown. */
  content?: StringFilter | null | undefined;
  /** When the record was created, by the database's clock. */
  createdAt?: TimestampFilter | null | undefined;
  /** When its text was last edited. Null: never. */
  editedAt?: TimestampFilter | null | undefined;
  /** Unique among all updates. Those that are created later have greater ids. */
  id?: IdFilter | null | undefined;
  /** What it is: an entry of the timeline, or the post-mortem. */
  kind?: UpdateKindFilter | null | undefined;
  /** When it was posted: when it was created, or earlier if it was back-dated. Updates are in this order. */
  postedAt?: TimestampFilter | null | undefined;
  /** Whether the update was sent through the channels. */
  published?: BooleanFilter | null | undefined;
  /** The state of the notice once the update was posted; it never changes. Null for general notices. */
  state?: NoticeStateFilter | null | undefined;
  /** When the record itself was last changed. */
  updatedAt?: TimestampFilter | null | undefined;
};

/** A new incident. */
export type OpenIncidentInput = {
  /** The components with the impact on each, in place of `componentIds`, whose impact is DEGRADED. */
  affectedComponents?: Array<AffectedComponentInput> | null | undefined;
  /** When the incident began, if earlier than now. Cannot be in the future. Null counts as omitted. */
  beganAt?: string | null | undefined;
  /** The components that the notice names. Null or omitted: none. */
  componentIds?: Array<string | number> | null | undefined;
  /** The text of the first update, in Markdown. Up to 65,535 characters. */
  content?: string | null | undefined;
  /** When an incident that is over ended. Cannot be in the future or before `beganAt`. Null: now. */
  endedAt?: string | null | undefined;
  /** By when you promise the next update: it is shown, and its author is reminded of it. In the future. Null or omitted: none is promised. */
  nextUpdateBy?: string | null | undefined;
  /** Whether to send notifications through the channels. */
  shouldPublish: boolean;
  /** Default: INVESTIGATING. */
  state?: IncidentState | null | undefined;
  /** Up to 255 characters. Null or blank: the first line of `content` without markup, up to 100 characters; one of them is required. */
  subject?: string | null | undefined;
  /** The tags. A value that contains commas is split into several tags. */
  tagList?: Array<string> | null | undefined;
  /** A template. It fills in subject, content, components and state where they are null or omitted. */
  templateId?: string | number | null | undefined;
};

/** A change on one of several pages. */
export type PageChangeInput = {
  /** The change: exactly one of its fields. */
  change: PreviewPublicationInput;
  /** The notice to change. Null: a new one. */
  noticeId?: string | number | null | undefined;
  /** The page. */
  pageId: string | number;
  /** The `hash` of its `previewPublication`, as `previewHash` of the other mutations. Null: not checked. */
  previewHash?: string | null | undefined;
};

/** What is the case on a page that is previewed. */
export type PageSituation =
  /** Everything is operational, and there is a past incident. */
  | 'ALL_WELL'
  /** The page has neither components nor notices. */
  | 'FIRST_DAY'
  /** An incident is open. */
  | 'INCIDENT'
  /** A maintenance is underway, and another is scheduled. */
  | 'MAINTENANCE';

/** Who sees the public page, and everything that it serves. */
export type PageVisibility =
  /** Visitors who enter a code that was sent to an address of one of the domains. */
  | 'EMAIL_DOMAIN'
  /** People with a role on the page. */
  | 'MEMBERS'
  /** Visitors who know the password. */
  | 'PASSWORD'
  /** Everybody, also by search engines. */
  | 'PUBLIC'
  /** Everybody who has the address. Search engines are asked to leave it out, and no list has it. */
  | 'UNLISTED';

/** Selects records; all conditions must hold. */
export type PersonFilter = {
  /** When the person was first invited. */
  createdAt?: TimestampFilter | null | undefined;
  /** Since when the person cannot sign in, and has neither sessions nor roles. Null: the person can. */
  disabledAt?: TimestampFilter | null | undefined;
  /** The e-mail address, by which a person is invited. */
  email?: StringFilter | null | undefined;
  /** The id of the person. */
  id?: IdFilter | null | undefined;
};

/** How a page would look. */
export type PreviewAppearanceInput = {
  /** Colours in place of the stored ones. */
  brand?: UpdateBrandInput | null | undefined;
  /** What is the case on it. */
  situation: PageSituation;
  /** The ZIP of a theme. Absent: the theme of the page. Null: the standard theme. */
  theme?: string | null | undefined;
};

/** Exactly one change, with the input of its mutation. It counts as one to be published, whatever its `shouldPublish`. */
export type PreviewPublicationInput = {
  /** The input of `advanceNotice`. Null: another verb. */
  advanceNotice?: AdvanceNoticeInput | null | undefined;
  /** The input of `announce`. Null: another verb. */
  announce?: AnnounceInput | null | undefined;
  /** The input of `createNoticeUpdate`. Null: another verb. */
  createNoticeUpdate?: CreateNoticeUpdateInput | null | undefined;
  /** The input of `openIncident`. Null: another verb. */
  openIncident?: OpenIncidentInput | null | undefined;
  /** The input of `scheduleMaintenance`. Null: another verb. */
  scheduleMaintenance?: ScheduleMaintenanceInput | null | undefined;
  /** The input of `updateNotice`. Null: another verb. */
  updateNotice?: UpdateNoticeInput | null | undefined;
};

/** Selects records; all conditions must hold. */
export type PublicationAudienceFilter = {
  /** The channel. */
  channel?: ChannelFilter | null | undefined;
  /** The number of recipients. */
  count?: IntFilter | null | undefined;
};

/** The event in the life of a notice that a publication is about. */
export type PublicationEvent =
  /** An announcement was published. */
  | 'ANNOUNCED'
  /** A maintenance began. */
  | 'BEGUN'
  /** A maintenance was cancelled. */
  | 'CANCELLED'
  /** An incident was closed. */
  | 'CLOSED'
  /** A maintenance was completed. */
  | 'COMPLETED'
  /** The text of an update was corrected. Only those who were sent the wrong text are notified. */
  | 'CORRECTION'
  /** An incident was opened, or opened again. */
  | 'OPENED'
  /** The post-mortem of a notice was posted. */
  | 'POSTMORTEM'
  /** A maintenance was about to begin. */
  | 'REMINDER'
  /** A maintenance was scheduled. */
  | 'SCHEDULED'
  /** A notice was updated or changed in between. */
  | 'UPDATED'
  /** The next update was due. Its author was reminded, and nobody else. */
  | 'UPDATE_DUE';

/** Conditions on a value of type PublicationEvent, all of which must hold. A null condition is ignored. */
export type PublicationEventFilter = {
  /** Equals the value. */
  eq?: PublicationEvent | null | undefined;
  /** Is one of the values. */
  in?: Array<PublicationEvent> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: PublicationEvent | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<PublicationEvent> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** Selects records; all conditions must hold. */
export type PublicationFilter = {
  /** Filters by associated audience. Each condition counts by itself: different records may match different ones. */
  audience?: PublicationAudienceFilter | null | undefined;
  /** Who made the change: label and id of the token, or the part of the service that made it. */
  by?: StringFilter | null | undefined;
  /** Filters by associated counts. Each condition counts by itself: different records may match different ones. */
  counts?: DeliveryCountFilter | null | undefined;
  /** When the change was made. */
  createdAt?: TimestampFilter | null | undefined;
  /** The event. */
  event?: PublicationEventFilter | null | undefined;
  /** When all its deliveries had been created; null before. */
  fannedOutAt?: TimestampFilter | null | undefined;
  /** Until when its messages wait, as `holdSeconds` of the page says. Null: they do not wait. */
  heldUntil?: TimestampFilter | null | undefined;
  /** Unique among all publications; a later one is greater. */
  id?: IdFilter | null | undefined;
  /** The notice, which may have been deleted since. */
  noticeId?: IdFilter | null | undefined;
  /** The type of the notice. */
  noticeType?: NoticeTypeFilter | null | undefined;
  /** When `stopPublication` stopped it. What had not been sent is skipped. Null: it was not. */
  stoppedAt?: TimestampFilter | null | undefined;
  /** The subject of the notice at that time. */
  subject?: StringFilter | null | undefined;
  /** The text of the message, as Markdown: that of the update, or what changed. */
  text?: StringFilter | null | undefined;
  /** The update, which may have been deleted since; null for a change without an update. */
  updateId?: IdFilter | null | undefined;
};

/** How long before a maintenance subscribers are reminded. */
export type Reminder =
  /** No reminder. */
  | 'NONE'
  /** 24 hours before. */
  | 'ONE_DAY'
  /** 1 hour before. */
  | 'ONE_HOUR'
  /** 72 hours before. */
  | 'THREE_DAYS';

/** What somebody may do on a page, or on all pages. Each role may do what those before it may. */
export type Role =
  /** And previews what a change would publish; neither writes nor notifies. */
  | 'DRAFTER'
  /** And changes settings, brand, theme, domain, channels, people and tokens, reads the audit log, creates and deletes components, and deletes the page. With the role on all pages: creates pages. */
  | 'OWNER'
  /** And writes notices, updates, templates and subscribers, changes components, and resends deliveries. */
  | 'PUBLISHER'
  /** Reads everything of the page but subscribers, deliveries and the settings of channels. */
  | 'VIEWER';

/** A new maintenance. */
export type ScheduleMaintenanceInput = {
  /** When a maintenance that has begun began. Cannot be in the future. Null: now. */
  beganAt?: string | null | undefined;
  /** The expected start. */
  beginsAt: string;
  /** The components that the notice names. Null or omitted: none. */
  componentIds?: Array<string | number> | null | undefined;
  /** The text of the first update, in Markdown. Up to 65,535 characters. */
  content?: string | null | undefined;
  /** When a maintenance that is over ended. Cannot be in the future or before `beganAt`. Null: now. */
  endedAt?: string | null | undefined;
  /** The expected end. Must be after the start. */
  endsAt: string;
  /** By when you promise the next update: it is shown, and its author is reminded of it. In the future. Null or omitted: none is promised. */
  nextUpdateBy?: string | null | undefined;
  /** When subscribers are reminded. Null or omitted: the setting of the page. */
  reminder?: Reminder | null | undefined;
  /** Whether the state changes to UNDERWAY and COMPLETE automatically at these times. Default: false. */
  shouldAutomateSchedule?: boolean | null | undefined;
  /** Whether to send notifications through the channels. */
  shouldPublish: boolean;
  /** Default: SCHEDULED. */
  state?: MaintenanceState | null | undefined;
  /** Up to 255 characters. Null or blank: the first line of `content` without markup, up to 100 characters; one of them is required. */
  subject?: string | null | undefined;
  /** The tags. A value that contains commas is split into several tags. */
  tagList?: Array<string> | null | undefined;
  /** A template. It fills in subject, content, components and state where they are null or omitted. */
  templateId?: string | number | null | undefined;
};

/** The images to set, each an SVG, PNG or WebP of up to 256 kB. An SVG is sanitized: scripts, links and references to other files are removed. An omitted image stays; null removes it. */
export type SetBrandImagesInput = {
  /** The icon of browser tabs. Without it, the icon shows the state of the page. */
  favicon?: string | null | undefined;
  /** The logo in the header of the page and of mail. */
  logo?: string | null | undefined;
  /** The logo in the dark scheme. Without it, the header has the logo and its light colours there, too. */
  logoDark?: string | null | undefined;
};

/** The custom domain of a page. */
export type SetCustomDomainInput = {
  /** A host name that contains a dot and is not under the base host of this service. */
  domain: string;
};

/** Who sees the public page. */
export type SetPageVisibilityInput = {
  /** For EMAIL_DOMAIN: 1 to 50 domains, such as `example.com`; subdomains do not count. Absent: they stay as they are. */
  emailDomains?: Array<string> | null | undefined;
  /** For PASSWORD: 8 to 255 characters. Another one ends the access of all visitors. Absent: it stays as it is. */
  password?: string | null | undefined;
  /** Who. */
  visibility: PageVisibility;
};

/** A way to sign in. */
export type SignInMethod =
  /** A code by e-mail: `requestSignInCode`. Offered where mail is configured. */
  | 'EMAIL_CODE'
  /** A link that the command line prints: `npm run people -- invite`. Always there. */
  | 'LINK'
  /** An account at an identity provider: a link to `/sign-in/openid-connect`. Offered where OIDC_ISSUER is set. */
  | 'OPENID_CONNECT'
  /** A passkey: `requestPasskeySignIn`. Offered where PUBLIC_URL has https and a host name, or is localhost. */
  | 'PASSKEY';

/** Why a recipient is not notified. */
export type SkipReason =
  /** The channel is switched off on the page, or not configured. */
  | 'CHANNEL_OFF'
  /** The notice was deleted. */
  | 'NOTICE_DELETED'
  /** The event is not sent on this channel. */
  | 'NOT_SENT_ON_THIS_CHANNEL'
  /** The subscriber has no address for the channel any more. */
  | 'NO_ADDRESS'
  /** The subscriber did not choose the type of the notice, or none of its components. */
  | 'OUT_OF_SCOPE'
  /** The publication was stopped before the message was sent. */
  | 'STOPPED'
  /** The subscriber was deleted. */
  | 'SUBSCRIBER_DELETED'
  /** A later message about the notice replaced it. */
  | 'SUPERSEDED'
  /** The recipient refused several messages in a row. */
  | 'SUSPENDED'
  /** The recipient was not sent the text that is corrected. */
  | 'UNAFFECTED'
  /** The subscriber had not confirmed the subscription. */
  | 'UNCONFIRMED'
  /** The subscriber has unsubscribed. */
  | 'UNSUBSCRIBED'
  /** The update was deleted. */
  | 'UPDATE_DELETED';

/** Conditions on a value of type String, all of which must hold. A null condition is ignored. */
export type StringFilter = {
  /** true: null or empty. false: neither. */
  blank?: boolean | null | undefined;
  /** Contains the value, case-insensitively; it has no wildcards. */
  cont?: string | null | undefined;
  /** Equals the value. */
  eq?: string | null | undefined;
  /** Greater than the value, and not null. Text is compared by code point. */
  gt?: string | null | undefined;
  /** Greater than or equal to the value, and not null. */
  gteq?: string | null | undefined;
  /** Is one of the values. */
  in?: Array<string> | null | undefined;
  /** Less than the value, and not null. Text is compared by code point. */
  lt?: string | null | undefined;
  /** Less than or equal to the value, and not null. */
  lteq?: string | null | undefined;
  /** Matches the pattern as a whole, case-insensitively: % and _ are wildcards, \ escapes them. */
  matches?: string | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: string | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<string> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** Selects records; all conditions must hold. */
export type SubscriberFilter = {
  /** The company of the subscriber; null when unset. */
  company?: StringFilter | null | undefined;
  /** Filters by associated components. Each condition counts by itself: different records may match different ones. */
  components?: ComponentFilter | null | undefined;
  /** When the record was created, by the database's clock. */
  createdAt?: TimestampFilter | null | undefined;
  /** Unique on its page, ignoring case; null for SMS only. */
  email?: StringFilter | null | undefined;
  /** Shown in the list of subscribers; null when unset. */
  firstName?: StringFilter | null | undefined;
  /** Subscribers of that component, and of everything. */
  forComponent?: string | number | null | undefined;
  /** Unique among all subscribers. */
  id?: IdFilter | null | undefined;
  /** Shown in the list of subscribers; null when unset. */
  lastName?: StringFilter | null | undefined;
  /** Used in place of the real name; null when unset. */
  nickname?: StringFilter | null | undefined;
  /** With the country code, such as +4479460000. Unique on its page; null for e-mail only. */
  phoneNumber?: StringFilter | null | undefined;
  /** When the e-mail address was suspended: its mail server refused three messages in a row because its address does not exist (SMTP 550). It gets no messages until the subscription is confirmed again, or `liftSuspension`. Null if it is not suspended. */
  suspendedAt?: TimestampFilter | null | undefined;
  /** The last response of the mail server to a suspended address; null if it is not suspended. */
  suspensionReason?: StringFilter | null | undefined;
  /** Tags, in the order given. */
  tagList?: StringFilter | null | undefined;
  /** When the record itself was last changed. */
  updatedAt?: TimestampFilter | null | undefined;
};

/** The channel to test. */
export type TestChannelInput = {
  /** A configured channel. */
  channel: Channel;
  /** The recipient: an e-mail address for EMAIL, a phone number for SMS; ignored for channels of the page. */
  to?: string | null | undefined;
};

/** Whether a notice is ahead, ongoing or over. */
export type TimelineState =
  /** Not started. */
  | 'FUTURE'
  /** Ended more than 7 days ago. */
  | 'PAST_DISTANT'
  /** Ended within the last 7 days. */
  | 'PAST_RECENT'
  /** Ongoing. */
  | 'PRESENT';

/** Conditions on a value of type TimelineState, all of which must hold. A null condition is ignored. */
export type TimelineStateFilter = {
  /** Equals the value. */
  eq?: TimelineState | null | undefined;
  /** Is one of the values. */
  in?: Array<TimelineState> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: TimelineState | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<TimelineState> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** Conditions on a value of type Timestamp, all of which must hold. A null condition is ignored. */
export type TimestampFilter = {
  /** true: null or empty. false: neither. */
  blank?: boolean | null | undefined;
  /** Equals the value. */
  eq?: string | null | undefined;
  /** Greater than the value, and not null. Text is compared by code point. */
  gt?: string | null | undefined;
  /** Greater than or equal to the value, and not null. */
  gteq?: string | null | undefined;
  /** Is one of the values. */
  in?: Array<string> | null | undefined;
  /** Less than the value, and not null. Text is compared by code point. */
  lt?: string | null | undefined;
  /** Less than or equal to the value, and not null. */
  lteq?: string | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: string | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<string> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** The colours to set: #rgb, #rgba, #rrggbb, #rrggbbaa, rgb() or rgba(), stored as written. Null sets the default. */
export type UpdateBrandInput = {
  /** Default: #FFFFFF. */
  colorBodyBackground?: string | null | undefined;
  /** Default: #2980b9. */
  colorBodyLinks?: string | null | undefined;
  /** Default: #2c3e50. */
  colorBodyText?: string | null | undefined;
  /** Default: #F7F8F9. */
  colorHeaderBackground?: string | null | undefined;
  /** Default: #2980b9. */
  colorHeaderLinks?: string | null | undefined;
  /** Default: #2c3e50. */
  colorHeaderText?: string | null | undefined;
  /** Default: rgba(0,0,0,0.01). */
  colorNavbarBackground?: string | null | undefined;
  /** Default: #2980b9. */
  colorNavbarButtonBackground?: string | null | undefined;
  /** Default: #2c3e50. */
  colorNavbarLinks?: string | null | undefined;
  /** Default: #27ae60. */
  colorStateOk?: string | null | undefined;
  /** Default: #e67e22. */
  colorStateWarning?: string | null | undefined;
};

/** Changes to a component. Omitted fields keep their values. The state cannot be set: it depends on notices. */
export type UpdateComponentInput = {
  /** Up to 65,535 characters. Null clears it. */
  description?: string | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  name?: string | null | undefined;
  /** A component of the same page, but not the component itself or a descendant. Null: the root. */
  parentId?: string | number | null | undefined;
  /** Lower numbers come first. Null, or omitted on creation: after the last sibling. Other components keep theirs. */
  position?: number | null | undefined;
};

/** What an update is. */
export type UpdateKind =
  /** The text about a notice that is over: what happened, and what follows from it. At most one. */
  | 'POSTMORTEM'
  /** An entry of the timeline. */
  | 'UPDATE';

/** Conditions on a value of type UpdateKind, all of which must hold. A null condition is ignored. */
export type UpdateKindFilter = {
  /** Equals the value. */
  eq?: UpdateKind | null | undefined;
  /** Is one of the values. */
  in?: Array<UpdateKind> | null | undefined;
  /** Differs from the value and is not null. Through a list of related records: none of them equals the value. */
  notEq?: UpdateKind | null | undefined;
  /** Is none of the values, and not null. Through a list of related records: none of them is one of the values. */
  notIn?: Array<UpdateKind> | null | undefined;
  /** true: neither null nor empty. false: null or empty. */
  present?: boolean | null | undefined;
};

/** Changes to a notice. Omitted fields keep their values. */
export type UpdateNoticeInput = {
  /** The same with the impact on each, in place of `componentIds`. Null or an empty list: none. A component that `componentIds` names keeps its impact; a new one is DEGRADED. */
  affectedComponents?: Array<AffectedComponentInput> | null | undefined;
  /** Back-dates the start. Cannot be in the future, or of an announcement. Null counts as omitted. */
  beganAt?: string | null | undefined;
  /** The expected start. Null counts as omitted. Refused unless the notice is a maintenance. */
  beginsAt?: string | null | undefined;
  /** All components that the notice names. Null or an empty list: none. */
  componentIds?: Array<string | number> | null | undefined;
  /** The text of a new update, in Markdown. Up to 65,535 characters. Null: no update. */
  content?: string | null | undefined;
  /** Back-dates the end. Cannot be in the future, before the start, or of an announcement. Null counts as omitted. */
  endedAt?: string | null | undefined;
  /** The expected end, after the start. Null counts as omitted. Refused unless the notice is a maintenance. */
  endsAt?: string | null | undefined;
  /** By when you promise the next update: it is shown, and its author is reminded of it. In the future. Null or omitted: none is promised. Refused without `content` or another `state`, and of an announcement. */
  nextUpdateBy?: string | null | undefined;
  /** When subscribers are reminded. Null: the setting of the page. Refused unless the notice is a maintenance. */
  reminder?: Reminder | null | undefined;
  /** Whether the state changes automatically at the start and the end of the window. Refused unless the notice is a maintenance. */
  shouldAutomateSchedule?: boolean | null | undefined;
  /** Whether to send notifications through the channels. */
  shouldPublish: boolean;
  /** A state of the type of the notice. Announcements have none. Null counts as omitted. */
  state?: NoticeState | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  subject?: string | null | undefined;
  /** All tags. A value that contains commas is split into several tags. Null clears them. */
  tagList?: Array<string> | null | undefined;
};

/** Changes to a template. Omitted fields keep their values. */
export type UpdateNoticeTemplateInput = {
  /** The same for one component. `componentIds` takes precedence. Null: none. */
  componentId?: string | number | null | undefined;
  /** All components that notices created from it name. Null or an empty list: none. */
  componentIds?: Array<string | number> | null | undefined;
  /** Up to 65,535 characters, as Markdown. Null clears it. */
  content?: string | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  name?: string | null | undefined;
  /** The state of notices created from it, which must be one of `type`. Null: the first one of their type. */
  state?: NoticeState | null | undefined;
  /** Up to 255 characters. Null clears it. */
  subject?: string | null | undefined;
  /** The type of notices created from it. Null: any. */
  type?: NoticeType | null | undefined;
};

/** Changes to a page. Omitted fields keep their values. Null clears a field or resets it to its default. */
export type UpdatePageInput = {
  /** An id of Google Analytics, of the form G-XXXXXXXXXX or UA-XXXXXXXX-X. Null clears it. */
  googleAnalyticsId?: string | null | undefined;
  /** How long notifications of what a person publishes wait before they are sent: 0 to 60 seconds. Default: 10. */
  holdSeconds?: number | null | undefined;
  /** One of bg cs da de el en en-US es et fi fr hu lt nb nl pl pt pt-BR ro ru sk sv ar ja zh. Default: en. */
  locale?: string | null | undefined;
  /** Up to 65,535 characters. Null clears it. */
  metaDescription?: string | null | undefined;
  /** Up to 255 characters. Null clears it. */
  metaTitle?: string | null | undefined;
  /** Up to 255 characters. Cannot be blank. */
  name?: string | null | undefined;
  /** An http or https URL. Null clears it. */
  privacyUrl?: string | null | undefined;
  /** When subscribers are reminded of a maintenance. Default: NONE. */
  reminder?: Reminder | null | undefined;
  /** False is stored only while e-mail is configured. Default: true. */
  sendNotificationsByEmail?: boolean | null | undefined;
  /** False is stored only while Mastodon is configured. Default: true. */
  sendNotificationsByMastodon?: boolean | null | undefined;
  /** False is stored only while Slack is configured. Default: true. */
  sendNotificationsBySlack?: boolean | null | undefined;
  /** False is stored only while SMS is configured. Default: true. */
  sendNotificationsBySms?: boolean | null | undefined;
  /** False is stored only while Microsoft Teams is configured. Default: true. */
  sendNotificationsByTeams?: boolean | null | undefined;
  /** Whether components show their uptime of the last 90 days. Default: true. */
  showUptime?: boolean | null | undefined;
  /** An e-mail address. Null clears it. */
  supportEmail?: string | null | undefined;
  /** Up to 255 characters. Null clears it. */
  supportTelephone?: string | null | undefined;
  /** An http or https URL. Null clears it. */
  supportUrl?: string | null | undefined;
  /** An http or https URL. Null clears it. */
  termsUrl?: string | null | undefined;
  /** Default: ASC. */
  timelineSortOrder?: Direction | null | undefined;
  /** Seconds, greater than 0. Default: 259200. */
  timelineThreshold?: number | null | undefined;
  /** The `name` of one of the `timezones`, or its identifier in the tz database, such as Europe/London. Default: UTC. */
  timezone?: string | null | undefined;
  /** Default: true. */
  visibleToSearch?: boolean | null | undefined;
  /** An http or https URL. Null clears it. */
  websiteUrl?: string | null | undefined;
};

/** What a caller is identified by. */
export type ViewerKind =
  /** Nobody: neither a token was sent nor the cookie of a session. */
  | 'ANONYMOUS'
  /** A person who has signed in. */
  | 'PERSON'
  /** A token. */
  | 'TOKEN';

/** Something that the author may have overlooked. */
export type WarningCode =
  /** The notice names no component, so all subscribers are notified. */
  | 'ALL_SUBSCRIBERS'
  /** Nobody was notified, since `shouldPublish` was not true. */
  | 'NOT_PUBLISHED'
  /** Nobody was notified, since the change has no recipient. */
  | 'NO_RECIPIENTS'
  /** Another open notice names one of the components, or an ancestor or descendant. */
  | 'OVERLAPPING_NOTICE'
  /** The clocks in the time zone of the page change within the window. */
  | 'SUMMER_TIME'
  /** Recipients are not notified, since they are suspended. */
  | 'SUSPENDED_RECIPIENTS'
  /** Nothing changes, so nothing is published. */
  | 'UNCHANGED'
  /** The window has already begun. */
  | 'WINDOW_PAST';

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { signInMethods: Array<SignInMethod> | null, viewer: { person: { id: string, passkeys: Array<{ id: string, name: string, createdAt: string, lastUsedAt: string | null, isBackedUp: boolean }>, sessions: Array<{ id: string, userAgent: string, createdAt: string, lastSeenAt: string }> } | null } | null };

export type RevokeSessionMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeSessionMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type RequestPasskeyMutationVariables = Exact<{ [key: string]: never; }>;


export type RequestPasskeyMutation = { result: { options: unknown } | null };

export type CreatePasskeyMutationVariables = Exact<{
  name: string;
  credential: unknown;
}>;


export type CreatePasskeyMutation = { result: { passkey: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type RenamePasskeyMutationVariables = Exact<{
  id: string | number;
  name: string;
}>;


export type RenamePasskeyMutation = { result: { passkey: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeletePasskeyMutationVariables = Exact<{
  id: string | number;
}>;


export type DeletePasskeyMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type SessionQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type SessionQuery = { viewer: { kind: ViewerKind, role: Role | null, person: { id: string, email: string } | null, roles: Array<{ pageId: string | null, role: Role }>, pages: { nodes: Array<{ id: string, name: string, timezone: string, url: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type SignInMethodsQueryVariables = Exact<{ [key: string]: never; }>;


export type SignInMethodsQuery = { signInMethods: Array<SignInMethod> | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { __typename: 'SignOutPayload' } | null };

export type AppearanceQueryVariables = Exact<{
  pageId: string | number;
}>;


export type AppearanceQuery = { page: { id: string, name: string, url: string, brand: { id: string, version: number, colorStateOk: string, colorStateWarning: string, colorNavbarBackground: string, colorNavbarLinks: string, colorNavbarButtonBackground: string, colorHeaderBackground: string, colorHeaderText: string, colorHeaderLinks: string, colorBodyBackground: string, colorBodyText: string, colorBodyLinks: string, logoUrl: string | null, logoDarkUrl: string | null, faviconUrl: string | null }, theme: { id: string, updatedAt: string, failingSince: string | null, failure: string | null } | null } | null };

export type SaveColoursMutationVariables = Exact<{
  pageId: string | number;
  ifVersion?: Array<number> | number | null | undefined;
  input: UpdateBrandInput;
}>;


export type SaveColoursMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type SetImagesMutationVariables = Exact<{
  pageId: string | number;
  input: SetBrandImagesInput;
}>;


export type SetImagesMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type SetThemeMutationVariables = Exact<{
  pageId: string | number;
  zip: string;
}>;


export type SetThemeMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeleteThemeMutationVariables = Exact<{
  pageId: string | number;
}>;


export type DeleteThemeMutation = { result: { id: string | null } | null };

export type PreviewAppearanceQueryVariables = Exact<{
  pageId: string | number;
  input: PreviewAppearanceInput;
}>;


export type PreviewAppearanceQuery = { previewAppearance: { html: string | null, failure: string | null } | null };

export type AuditLogQueryVariables = Exact<{
  pageId?: string | number | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { nodes: Array<{ id: string, at: string, actor: string, actorKind: ActorKind, interface: Interface, operation: string, subject: string | null, subjectId: string | null, subjectLabel: string | null, pageId: string | null, changes: Array<{ id: string, field: string, before: string | null, after: string | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ChannelsQueryVariables = Exact<{
  pageId: string | number;
}>;


export type ChannelsQuery = { page: { id: string, name: string, channels: Array<{ channel: Channel, configured: boolean, active: boolean, host: string | null, suspendedAt: string | null, suspensionReason: string | null, testOutcome: ChannelTestOutcome | null, testResponse: string | null, testedAt: string | null }> } | null };

export type ConfigureChannelMutationVariables = Exact<{
  pageId: string | number;
  input: ConfigureChannelInput;
}>;


export type ConfigureChannelMutation = { result: { page: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type RemoveChannelMutationVariables = Exact<{
  pageId: string | number;
  channel: Channel;
}>;


export type RemoveChannelMutation = { result: { page: { id: string } | null } | null };

export type SwitchChannelMutationVariables = Exact<{
  id: string | number;
  input: UpdatePageInput;
}>;


export type SwitchChannelMutation = { result: { page: { id: string } | null } | null };

export type TestChannelMutationVariables = Exact<{
  pageId: string | number;
  input: TestChannelInput;
}>;


export type TestChannelMutation = { result: { outcome: ChannelTestOutcome | null, response: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type CreateComponentMutationVariables = Exact<{
  pageId: string | number;
  input: CreateComponentInput;
}>;


export type CreateComponentMutation = { result: { component: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type UpdateComponentMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  input: UpdateComponentInput;
}>;


export type UpdateComponentMutation = { result: { component: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeleteComponentMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type DeleteComponentMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type PickComponentsQueryVariables = Exact<{
  pageId: string | number;
  after?: string | null | undefined;
}>;


export type PickComponentsQuery = { components: { nodes: Array<{ id: string, name: string, description: string | null, parentId: string | null, position: number, state: ComponentState }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type TemplatesQueryVariables = Exact<{
  pageId: string | number;
}>;


export type TemplatesQuery = { noticeTemplates: { nodes: Array<
      | { id: string, name: string, type: NoticeType | null, subject: string | null, content: string | null, componentIds: Array<string> }
      | { id: string, name: string, type: NoticeType | null, subject: string | null, content: string | null, componentIds: Array<string> }
    > } | null };

export type OpenIncidentMutationVariables = Exact<{
  pageId: string | number;
  input: OpenIncidentInput;
  previewHash?: string | null | undefined;
}>;


export type OpenIncidentMutation = { result: { notice:
      | { id: string }
      | { id: string }
      | { id: string }
     | null, publication: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type ScheduleMaintenanceMutationVariables = Exact<{
  pageId: string | number;
  input: ScheduleMaintenanceInput;
  previewHash?: string | null | undefined;
}>;


export type ScheduleMaintenanceMutation = { result: { notice:
      | { id: string }
      | { id: string }
      | { id: string }
     | null, publication: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type AnnounceMutationVariables = Exact<{
  pageId: string | number;
  input: AnnounceInput;
  previewHash?: string | null | undefined;
}>;


export type AnnounceMutation = { result: { notice:
      | { id: string }
      | { id: string }
      | { id: string }
     | null, publication: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type ZoneQueryVariables = Exact<{
  name: string;
}>;


export type ZoneQuery = { timezones: { nodes: Array<{ id: string }> } | null };

export type PublishOnPagesMutationVariables = Exact<{
  input: Array<PageChangeInput> | PageChangeInput;
}>;


export type PublishOnPagesMutation = { result: { results: Array<{ notice:
        | { id: string }
        | { id: string }
        | { id: string }
       | null, publication: { id: string } | null }> | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeliveriesQueryVariables = Exact<{
  pageId: string | number;
  filter?: DeliveryFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type DeliveriesQuery = { deliveries: { totalCount: number, nodes: Array<{ id: string, state: DeliveryState, channel: Channel, address: string, reason: DeliveryReason | null, createdAt: string, publication: { id: string, subject: string, noticeId: string }, attempts: Array<{ id: string, at: string, response: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DeliveryCountsQueryVariables = Exact<{
  pageId: string | number;
}>;


export type DeliveryCountsQuery = { failed: { totalCount: number } | null, retrying: { totalCount: number } | null, waiting: { totalCount: number } | null };

export type ResendDeliveryMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type ResendDeliveryMutation = { result: { delivery: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type ResendDeliveriesMutationVariables = Exact<{
  pageId: string | number;
}>;


export type ResendDeliveriesMutation = { result: { count: number | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DomainQueryVariables = Exact<{
  pageId: string | number;
}>;


export type DomainQuery = { page: { id: string, name: string, url: string, customDomain: { id: string, version: number, type: string, from: string, to: string, txtName: string, txtValue: string, verified: boolean, verifiedAt: string | null, missingSince: string | null, checkedAt: string | null, finding: DomainFinding | null, findingText: string | null } | null } | null };

export type SetDomainMutationVariables = Exact<{
  pageId: string | number;
  input: SetCustomDomainInput;
}>;


export type SetDomainMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type CheckDomainMutationVariables = Exact<{
  pageId: string | number;
}>;


export type CheckDomainMutation = { result: { id: string | null } | null };

export type DeleteDomainMutationVariables = Exact<{
  pageId: string | number;
}>;


export type DeleteDomainMutation = { result: { id: string | null } | null };

export type DraftRowFragment = { id: string, version: number, verb: DraftVerb, input: unknown, subject: string | null, content: string | null, author: string, updatedAt: string, notice:
    | { id: string, subject: string }
    | { id: string, subject: string }
    | { id: string, subject: string }
   | null };

export type DraftsQueryVariables = Exact<{
  pageId: string | number;
  after?: string | null | undefined;
}>;


export type DraftsQuery = { drafts: { totalCount: number, nodes: Array<{ id: string, version: number, verb: DraftVerb, input: unknown, subject: string | null, content: string | null, author: string, updatedAt: string, notice:
        | { id: string, subject: string }
        | { id: string, subject: string }
        | { id: string, subject: string }
       | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DraftQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type DraftQuery = { draft: { id: string, version: number, verb: DraftVerb, input: unknown, subject: string | null, content: string | null, author: string, updatedAt: string, notice:
      | { id: string, subject: string }
      | { id: string, subject: string }
      | { id: string, subject: string }
     | null } | null };

export type DraftPreviewQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
  page: boolean;
  mail: boolean;
  sms: boolean;
  slack: boolean;
  teams: boolean;
  mastodon: boolean;
}>;


export type DraftPreviewQuery = { previewDraft: { hash: string | null, event: PublicationEvent | null, text: string | null, noticeState: NoticeState | null, pageState: ComponentState | null, components: Array<{ after: ComponentState, component: { id: string, name: string } | null }> | null, audience: Array<{ channel: Channel, count: number }> | null, excluded: Array<{ channel: Channel, count: number, reason: SkipReason }> | null, warnings: Array<{ code: WarningCode, text: string }> | null, userErrors: Array<{ path: Array<string>, message: string }>, messages: { __typename: 'PreviewMessages', page?: string, sms?: string, slack?: string, teams?: string, mastodon?: string, mail?: { subject: string, html: string } } | null } | null };

export type DraftHashQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type DraftHashQuery = { previewDraft: { hash: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type SaveDraftMutationVariables = Exact<{
  pageId: string | number;
  id?: string | number | null | undefined;
  ifVersion?: Array<number> | number | null | undefined;
  noticeId?: string | number | null | undefined;
  input: PreviewPublicationInput;
}>;


export type SaveDraftMutation = { result: { draft: { id: string, version: number } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeleteDraftMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type DeleteDraftMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type PublishDraftMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  ifVersion?: Array<number> | number | null | undefined;
  shouldPublish: boolean;
  previewHash?: string | null | undefined;
}>;


export type PublishDraftMutation = { result: { notice:
      | { id: string }
      | { id: string }
      | { id: string }
     | null, publication: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type CreatePageMutationVariables = Exact<{
  input: CreatePageInput;
}>;


export type CreatePageMutation = { result: { page: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type SetColoursMutationVariables = Exact<{
  pageId: string | number;
  input: UpdateBrandInput;
}>;


export type SetColoursMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type AddComponentMutationVariables = Exact<{
  pageId: string | number;
  input: CreateComponentInput;
}>;


export type AddComponentMutation = { result: { component: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type StartQueryVariables = Exact<{
  pageId: string | number;
}>;


export type StartQuery = { page: { id: string, name: string, url: string, hasDemoData: boolean } | null };

export type CreateDemoDataMutationVariables = Exact<{
  pageId: string | number;
}>;


export type CreateDemoDataMutation = { result: { page: { id: string } | null } | null };

export type DeleteDemoDataMutationVariables = Exact<{
  pageId: string | number;
}>;


export type DeleteDemoDataMutation = { result: { page: { id: string } | null } | null };

export type SituationQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type SituationQuery = { viewer: { pages: { totalCount: number, nodes: Array<{ id: string, incidents: { totalCount: number, nodes: Array<
            | { __typename: 'GeneralNotice', id: string, subject: string, type: NoticeType, state: NoticeState | null, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
            | { __typename: 'PlannedNotice', beginsAt: string, endsAt: string, shouldAutomateSchedule: boolean, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
            | { __typename: 'UnplannedNotice', id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
          > }, maintenance: { totalCount: number, nodes: Array<
            | { __typename: 'GeneralNotice', id: string, subject: string, type: NoticeType, state: NoticeState | null, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
            | { __typename: 'PlannedNotice', beginsAt: string, endsAt: string, shouldAutomateSchedule: boolean, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
            | { __typename: 'UnplannedNotice', id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
          > } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type TroubleQueryVariables = Exact<{
  pageId: string | number;
  since: string;
}>;


export type TroubleQuery = { deliveries: { totalCount: number, nodes: Array<{ id: string, state: DeliveryState, channel: Channel, address: string, attempts: Array<{ id: string, at: string, response: string }> }> } | null };

export type CorrectionPreviewQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
  page: boolean;
  mail: boolean;
  sms: boolean;
  slack: boolean;
  teams: boolean;
  mastodon: boolean;
}>;


export type CorrectionPreviewQuery = { previewCorrection: { hash: string | null, event: PublicationEvent | null, text: string | null, noticeState: NoticeState | null, pageState: ComponentState | null, components: Array<{ after: ComponentState, component: { id: string, name: string } | null }> | null, audience: Array<{ channel: Channel, count: number }> | null, excluded: Array<{ channel: Channel, count: number, reason: SkipReason }> | null, warnings: Array<{ code: WarningCode, text: string }> | null, userErrors: Array<{ path: Array<string>, message: string }>, messages: { __typename: 'PreviewMessages', page?: string, sms?: string, slack?: string, teams?: string, mastodon?: string, mail?: { subject: string, html: string } } | null } | null };

export type NotifyCorrectionMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  previewHash?: string | null | undefined;
}>;


export type NotifyCorrectionMutation = { result: { publication: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

type NoticeRow_GeneralNotice_Fragment = { __typename: 'GeneralNotice', id: string, subject: string, type: NoticeType, state: NoticeState | null, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> };

type NoticeRow_PlannedNotice_Fragment = { __typename: 'PlannedNotice', beginsAt: string, endsAt: string, shouldAutomateSchedule: boolean, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> };

type NoticeRow_UnplannedNotice_Fragment = { __typename: 'UnplannedNotice', id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> };

export type NoticeRowFragment =
  | NoticeRow_GeneralNotice_Fragment
  | NoticeRow_PlannedNotice_Fragment
  | NoticeRow_UnplannedNotice_Fragment
;

type NoticeDetail_GeneralNotice_Fragment = { __typename: 'GeneralNotice', version: number, link: string, nextStates: Array<NoticeState>, id: string, subject: string, type: NoticeType, state: NoticeState | null, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, updates: { nodes: Array<{ id: string, version: number, kind: UpdateKind, state: NoticeState | null, postedAt: string, content: string, contentHtml: string, editedAt: string | null, revisions: Array<{ id: string, contentHtml: string, replacedAt: string, replacedBy: string }> }> }, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> };

type NoticeDetail_PlannedNotice_Fragment = { __typename: 'PlannedNotice', version: number, link: string, nextStates: Array<NoticeState>, beginsAt: string, endsAt: string, shouldAutomateSchedule: boolean, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, updates: { nodes: Array<{ id: string, version: number, kind: UpdateKind, state: NoticeState | null, postedAt: string, content: string, contentHtml: string, editedAt: string | null, revisions: Array<{ id: string, contentHtml: string, replacedAt: string, replacedBy: string }> }> }, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> };

type NoticeDetail_UnplannedNotice_Fragment = { __typename: 'UnplannedNotice', version: number, link: string, nextStates: Array<NoticeState>, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, updates: { nodes: Array<{ id: string, version: number, kind: UpdateKind, state: NoticeState | null, postedAt: string, content: string, contentHtml: string, editedAt: string | null, revisions: Array<{ id: string, contentHtml: string, replacedAt: string, replacedBy: string }> }> }, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> };

export type NoticeDetailFragment =
  | NoticeDetail_GeneralNotice_Fragment
  | NoticeDetail_PlannedNotice_Fragment
  | NoticeDetail_UnplannedNotice_Fragment
;

export type NoticeQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type NoticeQuery = { notice:
    | { __typename: 'GeneralNotice', version: number, link: string, nextStates: Array<NoticeState>, id: string, subject: string, type: NoticeType, state: NoticeState | null, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, updates: { nodes: Array<{ id: string, version: number, kind: UpdateKind, state: NoticeState | null, postedAt: string, content: string, contentHtml: string, editedAt: string | null, revisions: Array<{ id: string, contentHtml: string, replacedAt: string, replacedBy: string }> }> }, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
    | { __typename: 'PlannedNotice', version: number, link: string, nextStates: Array<NoticeState>, beginsAt: string, endsAt: string, shouldAutomateSchedule: boolean, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, updates: { nodes: Array<{ id: string, version: number, kind: UpdateKind, state: NoticeState | null, postedAt: string, content: string, contentHtml: string, editedAt: string | null, revisions: Array<{ id: string, contentHtml: string, replacedAt: string, replacedBy: string }> }> }, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
    | { __typename: 'UnplannedNotice', version: number, link: string, nextStates: Array<NoticeState>, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, updates: { nodes: Array<{ id: string, version: number, kind: UpdateKind, state: NoticeState | null, postedAt: string, content: string, contentHtml: string, editedAt: string | null, revisions: Array<{ id: string, contentHtml: string, replacedAt: string, replacedBy: string }> }> }, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
   | null };

export type NoticesQueryVariables = Exact<{
  pageId: string | number;
  filter?: NoticeFilter | null | undefined;
  before?: string | null | undefined;
}>;


export type NoticesQuery = { notices: { totalCount: number, nodes: Array<
      | { __typename: 'GeneralNotice', id: string, subject: string, type: NoticeType, state: NoticeState | null, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
      | { __typename: 'PlannedNotice', beginsAt: string, endsAt: string, shouldAutomateSchedule: boolean, id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
      | { __typename: 'UnplannedNotice', id: string, subject: string, type: NoticeType, state: NoticeState, beganAt: string | null, endedAt: string | null, createdAt: string, nextUpdateBy: string | null, latestUpdate: { id: string, postedAt: string } | null, affectedComponents: Array<{ impact: Impact, component: { id: string, name: string } }> }
    >, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type NoticePublicationsQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type NoticePublicationsQuery = { publications: { nodes: Array<{ id: string, createdAt: string, event: PublicationEvent, by: string, counts: Array<{ channel: Channel, state: DeliveryState, count: number }> }> } | null };

export type NoticeChangedSubscriptionVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type NoticeChangedSubscription = { noticeChanged: { notice:
      | { id: string, version: number }
      | { id: string, version: number }
      | { id: string, version: number }
     } | null };

export type PostUpdateMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  ifVersion?: Array<number> | number | null | undefined;
  input: UpdateNoticeInput;
  previewHash?: string | null | undefined;
}>;


export type PostUpdateMutation = { result: { notice:
      | { id: string }
      | { id: string }
      | { id: string }
     | null, publication: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type EditNoticeMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  ifVersion?: Array<number> | number | null | undefined;
  input: UpdateNoticeInput;
}>;


export type EditNoticeMutation = { result: { notice:
      | { id: string }
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type EditUpdateMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  ifVersion?: Array<number> | number | null | undefined;
  content: string;
}>;


export type EditUpdateMutation = { result: { update: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type PeopleQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: PersonFilter | null | undefined;
}>;


export type PeopleQuery = { people: { nodes: Array<{ id: string, email: string, disabledAt: string | null, memberships: Array<{ id: string, pageId: string | null, role: Role }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type InvitePersonMutationVariables = Exact<{
  input: InvitePersonInput;
}>;


export type InvitePersonMutation = { result: { link: string | null, person: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type UpdateMembershipMutationVariables = Exact<{
  id: string | number;
  role: Role;
}>;


export type UpdateMembershipMutation = { result: { person: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeleteMembershipMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteMembershipMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DisablePersonMutationVariables = Exact<{
  id: string | number;
}>;


export type DisablePersonMutation = { result: { person: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type EnablePersonMutationVariables = Exact<{
  id: string | number;
}>;


export type EnablePersonMutation = { result: { person: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type PreviewQueryVariables = Exact<{
  pageId: string | number;
  noticeId?: string | number | null | undefined;
  input: PreviewPublicationInput;
  page: boolean;
  mail: boolean;
  sms: boolean;
  slack: boolean;
  teams: boolean;
  mastodon: boolean;
}>;


export type PreviewQuery = { previewPublication: { hash: string | null, event: PublicationEvent | null, text: string | null, noticeState: NoticeState | null, pageState: ComponentState | null, components: Array<{ after: ComponentState, component: { id: string, name: string } | null }> | null, audience: Array<{ channel: Channel, count: number }> | null, excluded: Array<{ channel: Channel, count: number, reason: SkipReason }> | null, warnings: Array<{ code: WarningCode, text: string }> | null, userErrors: Array<{ path: Array<string>, message: string }>, messages: { __typename: 'PreviewMessages', page?: string, sms?: string, slack?: string, teams?: string, mastodon?: string, mail?: { subject: string, html: string } } | null } | null };

export type PreviewFragment = { hash: string | null, event: PublicationEvent | null, text: string | null, noticeState: NoticeState | null, pageState: ComponentState | null, components: Array<{ after: ComponentState, component: { id: string, name: string } | null }> | null, audience: Array<{ channel: Channel, count: number }> | null, excluded: Array<{ channel: Channel, count: number, reason: SkipReason }> | null, warnings: Array<{ code: WarningCode, text: string }> | null, userErrors: Array<{ path: Array<string>, message: string }>, messages: { __typename: 'PreviewMessages', page?: string, sms?: string, slack?: string, teams?: string, mastodon?: string, mail?: { subject: string, html: string } } | null };

export type PublicationNumbersQueryVariables = Exact<{
  id: string | number;
  pageId: string | number;
}>;


export type PublicationNumbersQuery = { publication: { id: string, fannedOutAt: string | null, heldUntil: string | null, stoppedAt: string | null, audience: Array<{ count: number }>, counts: Array<{ channel: Channel, state: DeliveryState, count: number }> } | null };

export type PublicationProgressSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type PublicationProgressSubscription = { publicationProgress: { publication: { id: string, fannedOutAt: string | null, heldUntil: string | null, stoppedAt: string | null, counts: Array<{ channel: Channel, state: DeliveryState, count: number }> } } | null };

export type NumbersFragment = { id: string, fannedOutAt: string | null, heldUntil: string | null, stoppedAt: string | null, counts: Array<{ channel: Channel, state: DeliveryState, count: number }> };

export type StopPublicationMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type StopPublicationMutation = { result: { publication: { id: string, fannedOutAt: string | null, heldUntil: string | null, stoppedAt: string | null, counts: Array<{ channel: Channel, state: DeliveryState, count: number }> } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type PageSettingsQueryVariables = Exact<{
  id: string | number;
}>;


export type PageSettingsQuery = { page: { id: string, version: number, name: string, hasDemoData: boolean, locale: string, timezone: string, supportEmail: string | null, supportTelephone: string | null, supportUrl: string | null, websiteUrl: string | null, privacyUrl: string | null, termsUrl: string | null, metaTitle: string | null, metaDescription: string | null, visibleToSearch: boolean, showUptime: boolean, holdSeconds: number, reminder: Reminder, timelineSortOrder: Direction, visibility: PageVisibility, emailDomains: Array<string> } | null };

export type SaveSettingsMutationVariables = Exact<{
  id: string | number;
  ifVersion?: Array<number> | number | null | undefined;
  input: UpdatePageInput;
}>;


export type SaveSettingsMutation = { result: { page: { id: string, version: number } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type SetVisibilityMutationVariables = Exact<{
  pageId: string | number;
  input: SetPageVisibilityInput;
}>;


export type SetVisibilityMutation = { result: { page: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeletePageMutationVariables = Exact<{
  id: string | number;
}>;


export type DeletePageMutation = { result: { id: string | null } | null };

export type SubscribersQueryVariables = Exact<{
  pageId: string | number;
  filter?: SubscriberFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type SubscribersQuery = { subscribers: { totalCount: number, nodes: Array<{ id: string, email: string | null, phoneNumber: string | null, firstName: string | null, lastName: string | null, company: string | null, createdAt: string, suspendedAt: string | null, componentIds: Array<string>, kinds: Array<NoticeType> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SubscriberHistoryQueryVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type SubscriberHistoryQuery = { subscriber: { id: string, email: string | null, phoneNumber: string | null, createdAt: string, suspendedAt: string | null, suspensionReason: string | null, deliveries: { nodes: Array<{ id: string, state: DeliveryState, channel: Channel, createdAt: string, publication: { id: string, subject: string }, attempts: Array<{ id: string, response: string }> }> } } | null };

export type SubscribersCsvQueryVariables = Exact<{
  pageId: string | number;
}>;


export type SubscribersCsvQuery = { subscribersCsv: string | null };

export type AddSubscriberMutationVariables = Exact<{
  pageId: string | number;
  input: CreateSubscriberInput;
}>;


export type AddSubscriberMutation = { result: { subscriber: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeleteSubscriberMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type DeleteSubscriberMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type LiftSuspensionMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type LiftSuspensionMutation = { result: { page: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type ImportSubscribersMutationVariables = Exact<{
  pageId: string | number;
  input: ImportSubscribersInput;
}>;


export type ImportSubscribersMutation = { result: { dryRun: boolean | null, rows: number | null, added: number | null, existing: number | null, renewed: number | null, repeated: number | null, left: number | null, ignoredColumns: Array<string> | null, problems: Array<{ line: number, column: string, message: string }> | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type TemplateListQueryVariables = Exact<{
  pageId: string | number;
}>;


export type TemplateListQuery = { noticeTemplates: { nodes: Array<
      | { id: string, name: string, type: NoticeType | null, subject: string | null, content: string | null, componentIds: Array<string> }
      | { id: string, name: string, type: NoticeType | null, subject: string | null, content: string | null, componentIds: Array<string> }
    > } | null };

export type CreateTemplateMutationVariables = Exact<{
  pageId: string | number;
  input: CreateNoticeTemplateInput;
}>;


export type CreateTemplateMutation = { result: { template:
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type UpdateTemplateMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
  input: UpdateNoticeTemplateInput;
}>;


export type UpdateTemplateMutation = { result: { template:
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type DeleteTemplateMutationVariables = Exact<{
  pageId: string | number;
  id: string | number;
}>;


export type DeleteTemplateMutation = { result: { id: string | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type TokensQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type TokensQuery = { tokens: { nodes: Array<{ id: string, label: string, role: Role, pageIds: Array<string> | null, prefix: string | null, lastFour: string | null, lastUsedAt: string | null, expiresAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateTokenMutationVariables = Exact<{
  input: CreateTokenInput;
}>;


export type CreateTokenMutation = { result: { secret: string | null, token: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export type RevokeTokenMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeTokenMutation = { result: { token: { id: string } | null, userErrors: Array<{ path: Array<string>, message: string }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const DraftRowFragmentDoc = new TypedDocumentString(`
    fragment DraftRow on Draft {
  id
  version
  verb
  input
  subject
  content
  author
  updatedAt
  notice {
    id
    subject
  }
}
    `, {"fragmentName":"DraftRow"}) as unknown as TypedDocumentString<DraftRowFragment, unknown>;
export const NoticeRowFragmentDoc = new TypedDocumentString(`
    fragment NoticeRow on Notice {
  __typename
  id
  subject
  type
  state
  beganAt
  endedAt
  createdAt
  nextUpdateBy
  latestUpdate {
    id
    postedAt
  }
  affectedComponents {
    impact
    component {
      id
      name
    }
  }
  ... on PlannedNotice {
    beginsAt
    endsAt
    shouldAutomateSchedule
  }
}
    `, {"fragmentName":"NoticeRow"}) as unknown as TypedDocumentString<NoticeRowFragment, unknown>;
export const NoticeDetailFragmentDoc = new TypedDocumentString(`
    fragment NoticeDetail on Notice {
  ...NoticeRow
  version
  link
  nextStates
  updates(last: 100, orderBy: [{field: CREATED_AT}]) {
    nodes {
      id
      version
      kind
      state
      postedAt
      content
      contentHtml
      editedAt
      revisions {
        id
        contentHtml
        replacedAt
        replacedBy
      }
    }
  }
}
    fragment NoticeRow on Notice {
  __typename
  id
  subject
  type
  state
  beganAt
  endedAt
  createdAt
  nextUpdateBy
  latestUpdate {
    id
    postedAt
  }
  affectedComponents {
    impact
    component {
      id
      name
    }
  }
  ... on PlannedNotice {
    beginsAt
    endsAt
    shouldAutomateSchedule
  }
}`, {"fragmentName":"NoticeDetail"}) as unknown as TypedDocumentString<NoticeDetailFragment, unknown>;
export const PreviewFragmentDoc = new TypedDocumentString(`
    fragment Preview on PublicationPreview {
  hash
  event
  text
  noticeState
  pageState
  components {
    after
    component {
      id
      name
    }
  }
  audience {
    channel
    count
  }
  excluded {
    channel
    count
    reason
  }
  warnings {
    code
    text
  }
  userErrors {
    path
    message
  }
  messages {
    __typename
    page @include(if: $page)
    mail @include(if: $mail) {
      subject
      html
    }
    sms @include(if: $sms)
    slack @include(if: $slack)
    teams @include(if: $teams)
    mastodon @include(if: $mastodon)
  }
}
    `, {"fragmentName":"Preview"}) as unknown as TypedDocumentString<PreviewFragment, unknown>;
export const NumbersFragmentDoc = new TypedDocumentString(`
    fragment Numbers on Publication {
  id
  fannedOutAt
  heldUntil
  stoppedAt
  counts {
    channel
    state
    count
  }
}
    `, {"fragmentName":"Numbers"}) as unknown as TypedDocumentString<NumbersFragment, unknown>;
export const AccountDocument = new TypedDocumentString(`
    query Account {
  signInMethods
  viewer {
    person {
      id
      passkeys {
        id
        name
        createdAt
        lastUsedAt
        isBackedUp
      }
      sessions {
        id
        userAgent
        createdAt
        lastSeenAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AccountQuery, AccountQueryVariables>;
export const RevokeSessionDocument = new TypedDocumentString(`
    mutation RevokeSession($id: ID!) {
  result: revokeSession(id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeSessionMutation, RevokeSessionMutationVariables>;
export const RequestPasskeyDocument = new TypedDocumentString(`
    mutation RequestPasskey {
  result: requestPasskeyRegistration {
    options
  }
}
    `) as unknown as TypedDocumentString<RequestPasskeyMutation, RequestPasskeyMutationVariables>;
export const CreatePasskeyDocument = new TypedDocumentString(`
    mutation CreatePasskey($name: String!, $credential: JSON!) {
  result: createPasskey(name: $name, credential: $credential) {
    passkey {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreatePasskeyMutation, CreatePasskeyMutationVariables>;
export const RenamePasskeyDocument = new TypedDocumentString(`
    mutation RenamePasskey($id: ID!, $name: String!) {
  result: renamePasskey(id: $id, name: $name) {
    passkey {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RenamePasskeyMutation, RenamePasskeyMutationVariables>;
export const DeletePasskeyDocument = new TypedDocumentString(`
    mutation DeletePasskey($id: ID!) {
  result: deletePasskey(id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeletePasskeyMutation, DeletePasskeyMutationVariables>;
export const SessionDocument = new TypedDocumentString(`
    query Session($after: String) {
  viewer {
    kind
    person {
      id
      email
    }
    role
    roles {
      pageId
      role
    }
    pages(first: 100, after: $after) {
      nodes {
        id
        name
        timezone
        url
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SessionQuery, SessionQueryVariables>;
export const SignInMethodsDocument = new TypedDocumentString(`
    query SignInMethods {
  signInMethods
}
    `) as unknown as TypedDocumentString<SignInMethodsQuery, SignInMethodsQueryVariables>;
export const SignOutDocument = new TypedDocumentString(`
    mutation SignOut {
  signOut {
    __typename
  }
}
    `) as unknown as TypedDocumentString<SignOutMutation, SignOutMutationVariables>;
export const AppearanceDocument = new TypedDocumentString(`
    query Appearance($pageId: ID!) {
  page(id: $pageId) {
    id
    name
    url
    brand {
      id
      version
      colorStateOk
      colorStateWarning
      colorNavbarBackground
      colorNavbarLinks
      colorNavbarButtonBackground
      colorHeaderBackground
      colorHeaderText
      colorHeaderLinks
      colorBodyBackground
      colorBodyText
      colorBodyLinks
      logoUrl
      logoDarkUrl
      faviconUrl
    }
    theme {
      id
      updatedAt
      failingSince
      failure
    }
  }
}
    `) as unknown as TypedDocumentString<AppearanceQuery, AppearanceQueryVariables>;
export const SaveColoursDocument = new TypedDocumentString(`
    mutation SaveColours($pageId: ID!, $ifVersion: [Int!], $input: UpdateBrandInput!) {
  result: updateBrand(pageId: $pageId, ifVersion: $ifVersion, input: $input) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SaveColoursMutation, SaveColoursMutationVariables>;
export const SetImagesDocument = new TypedDocumentString(`
    mutation SetImages($pageId: ID!, $input: SetBrandImagesInput!) {
  result: setBrandImages(pageId: $pageId, input: $input) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetImagesMutation, SetImagesMutationVariables>;
export const SetThemeDocument = new TypedDocumentString(`
    mutation SetTheme($pageId: ID!, $zip: Bytes!) {
  result: setTheme(pageId: $pageId, input: {zip: $zip}) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetThemeMutation, SetThemeMutationVariables>;
export const DeleteThemeDocument = new TypedDocumentString(`
    mutation DeleteTheme($pageId: ID!) {
  result: deleteTheme(pageId: $pageId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteThemeMutation, DeleteThemeMutationVariables>;
export const PreviewAppearanceDocument = new TypedDocumentString(`
    query PreviewAppearance($pageId: ID!, $input: PreviewAppearanceInput!) {
  previewAppearance(pageId: $pageId, input: $input) {
    html
    failure
  }
}
    `) as unknown as TypedDocumentString<PreviewAppearanceQuery, PreviewAppearanceQueryVariables>;
export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($pageId: ID, $after: String) {
  auditLog(
    pageId: $pageId
    first: 25
    after: $after
    orderBy: [{field: AT, direction: DESC}]
  ) {
    nodes {
      id
      at
      actor
      actorKind
      interface
      operation
      subject
      subjectId
      subjectLabel
      pageId
      changes {
        id
        field
        before
        after
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const ChannelsDocument = new TypedDocumentString(`
    query Channels($pageId: ID!) {
  page(id: $pageId) {
    id
    name
    channels {
      channel
      configured
      active
      host
      suspendedAt
      suspensionReason
      testOutcome
      testResponse
      testedAt
    }
  }
}
    `) as unknown as TypedDocumentString<ChannelsQuery, ChannelsQueryVariables>;
export const ConfigureChannelDocument = new TypedDocumentString(`
    mutation ConfigureChannel($pageId: ID!, $input: ConfigureChannelInput!) {
  result: configureChannel(pageId: $pageId, input: $input) {
    page {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ConfigureChannelMutation, ConfigureChannelMutationVariables>;
export const RemoveChannelDocument = new TypedDocumentString(`
    mutation RemoveChannel($pageId: ID!, $channel: Channel!) {
  result: removeChannel(pageId: $pageId, input: {channel: $channel}) {
    page {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveChannelMutation, RemoveChannelMutationVariables>;
export const SwitchChannelDocument = new TypedDocumentString(`
    mutation SwitchChannel($id: ID!, $input: UpdatePageInput!) {
  result: updatePage(id: $id, input: $input) {
    page {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<SwitchChannelMutation, SwitchChannelMutationVariables>;
export const TestChannelDocument = new TypedDocumentString(`
    mutation TestChannel($pageId: ID!, $input: TestChannelInput!) {
  result: sendTest(pageId: $pageId, input: $input) {
    outcome
    response
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<TestChannelMutation, TestChannelMutationVariables>;
export const CreateComponentDocument = new TypedDocumentString(`
    mutation CreateComponent($pageId: ID!, $input: CreateComponentInput!) {
  result: createComponent(pageId: $pageId, input: $input) {
    component {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateComponentMutation, CreateComponentMutationVariables>;
export const UpdateComponentDocument = new TypedDocumentString(`
    mutation UpdateComponent($pageId: ID!, $id: ID!, $input: UpdateComponentInput!) {
  result: updateComponent(pageId: $pageId, id: $id, input: $input) {
    component {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateComponentMutation, UpdateComponentMutationVariables>;
export const DeleteComponentDocument = new TypedDocumentString(`
    mutation DeleteComponent($pageId: ID!, $id: ID!) {
  result: deleteComponent(pageId: $pageId, id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteComponentMutation, DeleteComponentMutationVariables>;
export const PickComponentsDocument = new TypedDocumentString(`
    query PickComponents($pageId: ID!, $after: String) {
  components(
    pageId: $pageId
    first: 100
    after: $after
    orderBy: [{field: POSITION}]
  ) {
    nodes {
      id
      name
      description
      parentId
      position
      state
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<PickComponentsQuery, PickComponentsQueryVariables>;
export const TemplatesDocument = new TypedDocumentString(`
    query Templates($pageId: ID!) {
  noticeTemplates(pageId: $pageId, first: 100, orderBy: [{field: NAME}]) {
    nodes {
      id
      name
      type
      subject
      content
      componentIds
    }
  }
}
    `) as unknown as TypedDocumentString<TemplatesQuery, TemplatesQueryVariables>;
export const OpenIncidentDocument = new TypedDocumentString(`
    mutation OpenIncident($pageId: ID!, $input: OpenIncidentInput!, $previewHash: String) {
  result: openIncident(pageId: $pageId, input: $input, previewHash: $previewHash) {
    notice {
      id
    }
    publication {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<OpenIncidentMutation, OpenIncidentMutationVariables>;
export const ScheduleMaintenanceDocument = new TypedDocumentString(`
    mutation ScheduleMaintenance($pageId: ID!, $input: ScheduleMaintenanceInput!, $previewHash: String) {
  result: scheduleMaintenance(
    pageId: $pageId
    input: $input
    previewHash: $previewHash
  ) {
    notice {
      id
    }
    publication {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ScheduleMaintenanceMutation, ScheduleMaintenanceMutationVariables>;
export const AnnounceDocument = new TypedDocumentString(`
    mutation Announce($pageId: ID!, $input: AnnounceInput!, $previewHash: String) {
  result: announce(pageId: $pageId, input: $input, previewHash: $previewHash) {
    notice {
      id
    }
    publication {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AnnounceMutation, AnnounceMutationVariables>;
export const ZoneDocument = new TypedDocumentString(`
    query Zone($name: String!) {
  timezones(first: 1, filter: {name: {eq: $name}}) {
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<ZoneQuery, ZoneQueryVariables>;
export const PublishOnPagesDocument = new TypedDocumentString(`
    mutation PublishOnPages($input: [PageChangeInput!]!) {
  result: publishOnPages(input: $input) {
    results {
      notice {
        id
      }
      publication {
        id
      }
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PublishOnPagesMutation, PublishOnPagesMutationVariables>;
export const DeliveriesDocument = new TypedDocumentString(`
    query Deliveries($pageId: ID!, $filter: DeliveryFilter, $after: String) {
  deliveries(
    pageId: $pageId
    first: 25
    after: $after
    filter: $filter
    orderBy: [{field: CREATED_AT, direction: DESC}]
  ) {
    totalCount
    nodes {
      id
      state
      channel
      address
      reason
      createdAt
      publication {
        id
        subject
        noticeId
      }
      attempts {
        id
        at
        response
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<DeliveriesQuery, DeliveriesQueryVariables>;
export const DeliveryCountsDocument = new TypedDocumentString(`
    query DeliveryCounts($pageId: ID!) {
  failed: deliveries(pageId: $pageId, filter: {state: {eq: DEAD}}) {
    totalCount
  }
  retrying: deliveries(pageId: $pageId, filter: {state: {eq: RETRYING}}) {
    totalCount
  }
  waiting: deliveries(pageId: $pageId, filter: {state: {in: [PENDING, SENDING]}}) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<DeliveryCountsQuery, DeliveryCountsQueryVariables>;
export const ResendDeliveryDocument = new TypedDocumentString(`
    mutation ResendDelivery($pageId: ID!, $id: ID!) {
  result: resendDelivery(pageId: $pageId, id: $id) {
    delivery {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ResendDeliveryMutation, ResendDeliveryMutationVariables>;
export const ResendDeliveriesDocument = new TypedDocumentString(`
    mutation ResendDeliveries($pageId: ID!) {
  result: resendDeliveries(pageId: $pageId) {
    count
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ResendDeliveriesMutation, ResendDeliveriesMutationVariables>;
export const DomainDocument = new TypedDocumentString(`
    query Domain($pageId: ID!) {
  page(id: $pageId) {
    id
    name
    url
    customDomain {
      id
      version
      type
      from
      to
      txtName
      txtValue
      verified
      verifiedAt
      missingSince
      checkedAt
      finding
      findingText
    }
  }
}
    `) as unknown as TypedDocumentString<DomainQuery, DomainQueryVariables>;
export const SetDomainDocument = new TypedDocumentString(`
    mutation SetDomain($pageId: ID!, $input: SetCustomDomainInput!) {
  result: setCustomDomain(pageId: $pageId, input: $input) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetDomainMutation, SetDomainMutationVariables>;
export const CheckDomainDocument = new TypedDocumentString(`
    mutation CheckDomain($pageId: ID!) {
  result: checkCustomDomain(pageId: $pageId) {
    id
  }
}
    `) as unknown as TypedDocumentString<CheckDomainMutation, CheckDomainMutationVariables>;
export const DeleteDomainDocument = new TypedDocumentString(`
    mutation DeleteDomain($pageId: ID!) {
  result: deleteCustomDomain(pageId: $pageId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteDomainMutation, DeleteDomainMutationVariables>;
export const DraftsDocument = new TypedDocumentString(`
    query Drafts($pageId: ID!, $after: String) {
  drafts(pageId: $pageId, first: 25, after: $after) {
    totalCount
    nodes {
      ...DraftRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment DraftRow on Draft {
  id
  version
  verb
  input
  subject
  content
  author
  updatedAt
  notice {
    id
    subject
  }
}`) as unknown as TypedDocumentString<DraftsQuery, DraftsQueryVariables>;
export const DraftDocument = new TypedDocumentString(`
    query Draft($pageId: ID!, $id: ID!) {
  draft(pageId: $pageId, id: $id) {
    ...DraftRow
  }
}
    fragment DraftRow on Draft {
  id
  version
  verb
  input
  subject
  content
  author
  updatedAt
  notice {
    id
    subject
  }
}`) as unknown as TypedDocumentString<DraftQuery, DraftQueryVariables>;
export const DraftPreviewDocument = new TypedDocumentString(`
    query DraftPreview($pageId: ID!, $id: ID!, $page: Boolean!, $mail: Boolean!, $sms: Boolean!, $slack: Boolean!, $teams: Boolean!, $mastodon: Boolean!) {
  previewDraft(pageId: $pageId, id: $id) {
    ...Preview
  }
}
    fragment Preview on PublicationPreview {
  hash
  event
  text
  noticeState
  pageState
  components {
    after
    component {
      id
      name
    }
  }
  audience {
    channel
    count
  }
  excluded {
    channel
    count
    reason
  }
  warnings {
    code
    text
  }
  userErrors {
    path
    message
  }
  messages {
    __typename
    page @include(if: $page)
    mail @include(if: $mail) {
      subject
      html
    }
    sms @include(if: $sms)
    slack @include(if: $slack)
    teams @include(if: $teams)
    mastodon @include(if: $mastodon)
  }
}`) as unknown as TypedDocumentString<DraftPreviewQuery, DraftPreviewQueryVariables>;
export const DraftHashDocument = new TypedDocumentString(`
    query DraftHash($pageId: ID!, $id: ID!) {
  previewDraft(pageId: $pageId, id: $id) {
    hash
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DraftHashQuery, DraftHashQueryVariables>;
export const SaveDraftDocument = new TypedDocumentString(`
    mutation SaveDraft($pageId: ID!, $id: ID, $ifVersion: [Int!], $noticeId: ID, $input: PreviewPublicationInput!) {
  result: saveDraft(
    pageId: $pageId
    id: $id
    ifVersion: $ifVersion
    noticeId: $noticeId
    input: $input
  ) {
    draft {
      id
      version
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SaveDraftMutation, SaveDraftMutationVariables>;
export const DeleteDraftDocument = new TypedDocumentString(`
    mutation DeleteDraft($pageId: ID!, $id: ID!) {
  result: deleteDraft(pageId: $pageId, id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteDraftMutation, DeleteDraftMutationVariables>;
export const PublishDraftDocument = new TypedDocumentString(`
    mutation PublishDraft($pageId: ID!, $id: ID!, $ifVersion: [Int!], $shouldPublish: Boolean!, $previewHash: String) {
  result: publishDraft(
    pageId: $pageId
    id: $id
    ifVersion: $ifVersion
    shouldPublish: $shouldPublish
    previewHash: $previewHash
  ) {
    notice {
      id
    }
    publication {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PublishDraftMutation, PublishDraftMutationVariables>;
export const CreatePageDocument = new TypedDocumentString(`
    mutation CreatePage($input: CreatePageInput!) {
  result: createPage(input: $input) {
    page {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreatePageMutation, CreatePageMutationVariables>;
export const SetColoursDocument = new TypedDocumentString(`
    mutation SetColours($pageId: ID!, $input: UpdateBrandInput!) {
  result: updateBrand(pageId: $pageId, input: $input) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetColoursMutation, SetColoursMutationVariables>;
export const AddComponentDocument = new TypedDocumentString(`
    mutation AddComponent($pageId: ID!, $input: CreateComponentInput!) {
  result: createComponent(pageId: $pageId, input: $input) {
    component {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AddComponentMutation, AddComponentMutationVariables>;
export const StartDocument = new TypedDocumentString(`
    query Start($pageId: ID!) {
  page(id: $pageId) {
    id
    name
    url
    hasDemoData
  }
}
    `) as unknown as TypedDocumentString<StartQuery, StartQueryVariables>;
export const CreateDemoDataDocument = new TypedDocumentString(`
    mutation CreateDemoData($pageId: ID!) {
  result: createDemoData(pageId: $pageId) {
    page {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CreateDemoDataMutation, CreateDemoDataMutationVariables>;
export const DeleteDemoDataDocument = new TypedDocumentString(`
    mutation DeleteDemoData($pageId: ID!) {
  result: deleteDemoData(pageId: $pageId) {
    page {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteDemoDataMutation, DeleteDemoDataMutationVariables>;
export const SituationDocument = new TypedDocumentString(`
    query Situation($after: String) {
  viewer {
    pages(
      first: 50
      after: $after
      filter: {notices: {timelineState: {in: [PRESENT, FUTURE]}}}
    ) {
      totalCount
      nodes {
        id
        incidents: notices(
          first: 25
          filter: {type: {eq: UNPLANNED}, timelineState: {in: [PRESENT, FUTURE]}}
          orderBy: [{field: CREATED_AT, direction: DESC}]
        ) {
          totalCount
          nodes {
            ...NoticeRow
          }
        }
        maintenance: notices(
          first: 25
          filter: {type: {eq: PLANNED}, timelineState: {in: [PRESENT, FUTURE]}}
          orderBy: [{field: BEGINS_AT}]
        ) {
          totalCount
          nodes {
            ...NoticeRow
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment NoticeRow on Notice {
  __typename
  id
  subject
  type
  state
  beganAt
  endedAt
  createdAt
  nextUpdateBy
  latestUpdate {
    id
    postedAt
  }
  affectedComponents {
    impact
    component {
      id
      name
    }
  }
  ... on PlannedNotice {
    beginsAt
    endsAt
    shouldAutomateSchedule
  }
}`) as unknown as TypedDocumentString<SituationQuery, SituationQueryVariables>;
export const TroubleDocument = new TypedDocumentString(`
    query Trouble($pageId: ID!, $since: Timestamp!) {
  deliveries(
    pageId: $pageId
    first: 3
    filter: {state: {in: [DEAD, RETRYING]}, createdAt: {gt: $since}}
    orderBy: [{field: CREATED_AT, direction: DESC}]
  ) {
    totalCount
    nodes {
      id
      state
      channel
      address
      attempts {
        id
        at
        response
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TroubleQuery, TroubleQueryVariables>;
export const CorrectionPreviewDocument = new TypedDocumentString(`
    query CorrectionPreview($pageId: ID!, $id: ID!, $page: Boolean!, $mail: Boolean!, $sms: Boolean!, $slack: Boolean!, $teams: Boolean!, $mastodon: Boolean!) {
  previewCorrection(pageId: $pageId, id: $id) {
    ...Preview
  }
}
    fragment Preview on PublicationPreview {
  hash
  event
  text
  noticeState
  pageState
  components {
    after
    component {
      id
      name
    }
  }
  audience {
    channel
    count
  }
  excluded {
    channel
    count
    reason
  }
  warnings {
    code
    text
  }
  userErrors {
    path
    message
  }
  messages {
    __typename
    page @include(if: $page)
    mail @include(if: $mail) {
      subject
      html
    }
    sms @include(if: $sms)
    slack @include(if: $slack)
    teams @include(if: $teams)
    mastodon @include(if: $mastodon)
  }
}`) as unknown as TypedDocumentString<CorrectionPreviewQuery, CorrectionPreviewQueryVariables>;
export const NotifyCorrectionDocument = new TypedDocumentString(`
    mutation NotifyCorrection($pageId: ID!, $id: ID!, $previewHash: String) {
  result: notifyCorrection(pageId: $pageId, id: $id, previewHash: $previewHash) {
    publication {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<NotifyCorrectionMutation, NotifyCorrectionMutationVariables>;
export const NoticeDocument = new TypedDocumentString(`
    query Notice($pageId: ID!, $id: ID!) {
  notice(pageId: $pageId, id: $id) {
    ...NoticeDetail
  }
}
    fragment NoticeRow on Notice {
  __typename
  id
  subject
  type
  state
  beganAt
  endedAt
  createdAt
  nextUpdateBy
  latestUpdate {
    id
    postedAt
  }
  affectedComponents {
    impact
    component {
      id
      name
    }
  }
  ... on PlannedNotice {
    beginsAt
    endsAt
    shouldAutomateSchedule
  }
}
fragment NoticeDetail on Notice {
  ...NoticeRow
  version
  link
  nextStates
  updates(last: 100, orderBy: [{field: CREATED_AT}]) {
    nodes {
      id
      version
      kind
      state
      postedAt
      content
      contentHtml
      editedAt
      revisions {
        id
        contentHtml
        replacedAt
        replacedBy
      }
    }
  }
}`) as unknown as TypedDocumentString<NoticeQuery, NoticeQueryVariables>;
export const NoticesDocument = new TypedDocumentString(`
    query Notices($pageId: ID!, $filter: NoticeFilter, $before: String) {
  notices(
    pageId: $pageId
    first: 25
    after: $before
    filter: $filter
    orderBy: [{field: CREATED_AT, direction: DESC}]
  ) {
    totalCount
    nodes {
      ...NoticeRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment NoticeRow on Notice {
  __typename
  id
  subject
  type
  state
  beganAt
  endedAt
  createdAt
  nextUpdateBy
  latestUpdate {
    id
    postedAt
  }
  affectedComponents {
    impact
    component {
      id
      name
    }
  }
  ... on PlannedNotice {
    beginsAt
    endsAt
    shouldAutomateSchedule
  }
}`) as unknown as TypedDocumentString<NoticesQuery, NoticesQueryVariables>;
export const NoticePublicationsDocument = new TypedDocumentString(`
    query NoticePublications($pageId: ID!, $id: ID!) {
  publications(
    pageId: $pageId
    first: 25
    filter: {noticeId: {eq: $id}}
    orderBy: [{field: CREATED_AT, direction: DESC}]
  ) {
    nodes {
      id
      createdAt
      event
      by
      counts {
        channel
        state
        count
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NoticePublicationsQuery, NoticePublicationsQueryVariables>;
export const NoticeChangedDocument = new TypedDocumentString(`
    subscription NoticeChanged($pageId: ID!, $id: ID!) {
  noticeChanged(pageId: $pageId, id: $id) {
    notice {
      id
      version
    }
  }
}
    `) as unknown as TypedDocumentString<NoticeChangedSubscription, NoticeChangedSubscriptionVariables>;
export const PostUpdateDocument = new TypedDocumentString(`
    mutation PostUpdate($pageId: ID!, $id: ID!, $ifVersion: [Int!], $input: UpdateNoticeInput!, $previewHash: String) {
  result: updateNotice(
    pageId: $pageId
    id: $id
    ifVersion: $ifVersion
    input: $input
    previewHash: $previewHash
  ) {
    notice {
      id
    }
    publication {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PostUpdateMutation, PostUpdateMutationVariables>;
export const EditNoticeDocument = new TypedDocumentString(`
    mutation EditNotice($pageId: ID!, $id: ID!, $ifVersion: [Int!], $input: UpdateNoticeInput!) {
  result: updateNotice(
    pageId: $pageId
    id: $id
    ifVersion: $ifVersion
    input: $input
  ) {
    notice {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EditNoticeMutation, EditNoticeMutationVariables>;
export const EditUpdateDocument = new TypedDocumentString(`
    mutation EditUpdate($pageId: ID!, $id: ID!, $ifVersion: [Int!], $content: String!) {
  result: updateNoticeUpdate(
    pageId: $pageId
    id: $id
    ifVersion: $ifVersion
    input: {content: $content}
  ) {
    update {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EditUpdateMutation, EditUpdateMutationVariables>;
export const PeopleDocument = new TypedDocumentString(`
    query People($after: String, $filter: PersonFilter) {
  people(first: 25, after: $after, filter: $filter) {
    nodes {
      id
      email
      disabledAt
      memberships {
        id
        pageId
        role
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<PeopleQuery, PeopleQueryVariables>;
export const InvitePersonDocument = new TypedDocumentString(`
    mutation InvitePerson($input: InvitePersonInput!) {
  result: invitePerson(input: $input) {
    link
    person {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<InvitePersonMutation, InvitePersonMutationVariables>;
export const UpdateMembershipDocument = new TypedDocumentString(`
    mutation UpdateMembership($id: ID!, $role: Role!) {
  result: updateMembership(id: $id, input: {role: $role}) {
    person {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateMembershipMutation, UpdateMembershipMutationVariables>;
export const DeleteMembershipDocument = new TypedDocumentString(`
    mutation DeleteMembership($id: ID!) {
  result: deleteMembership(id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteMembershipMutation, DeleteMembershipMutationVariables>;
export const DisablePersonDocument = new TypedDocumentString(`
    mutation DisablePerson($id: ID!) {
  result: disablePerson(id: $id) {
    person {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DisablePersonMutation, DisablePersonMutationVariables>;
export const EnablePersonDocument = new TypedDocumentString(`
    mutation EnablePerson($id: ID!) {
  result: enablePerson(id: $id) {
    person {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EnablePersonMutation, EnablePersonMutationVariables>;
export const PreviewDocument = new TypedDocumentString(`
    query Preview($pageId: ID!, $noticeId: ID, $input: PreviewPublicationInput!, $page: Boolean!, $mail: Boolean!, $sms: Boolean!, $slack: Boolean!, $teams: Boolean!, $mastodon: Boolean!) {
  previewPublication(pageId: $pageId, noticeId: $noticeId, input: $input) {
    ...Preview
  }
}
    fragment Preview on PublicationPreview {
  hash
  event
  text
  noticeState
  pageState
  components {
    after
    component {
      id
      name
    }
  }
  audience {
    channel
    count
  }
  excluded {
    channel
    count
    reason
  }
  warnings {
    code
    text
  }
  userErrors {
    path
    message
  }
  messages {
    __typename
    page @include(if: $page)
    mail @include(if: $mail) {
      subject
      html
    }
    sms @include(if: $sms)
    slack @include(if: $slack)
    teams @include(if: $teams)
    mastodon @include(if: $mastodon)
  }
}`) as unknown as TypedDocumentString<PreviewQuery, PreviewQueryVariables>;
export const PublicationNumbersDocument = new TypedDocumentString(`
    query PublicationNumbers($id: ID!, $pageId: ID!) {
  publication(id: $id, pageId: $pageId) {
    ...Numbers
    audience {
      count
    }
  }
}
    fragment Numbers on Publication {
  id
  fannedOutAt
  heldUntil
  stoppedAt
  counts {
    channel
    state
    count
  }
}`) as unknown as TypedDocumentString<PublicationNumbersQuery, PublicationNumbersQueryVariables>;
export const PublicationProgressDocument = new TypedDocumentString(`
    subscription PublicationProgress($id: ID!) {
  publicationProgress(id: $id) {
    publication {
      ...Numbers
    }
  }
}
    fragment Numbers on Publication {
  id
  fannedOutAt
  heldUntil
  stoppedAt
  counts {
    channel
    state
    count
  }
}`) as unknown as TypedDocumentString<PublicationProgressSubscription, PublicationProgressSubscriptionVariables>;
export const StopPublicationDocument = new TypedDocumentString(`
    mutation StopPublication($pageId: ID!, $id: ID!) {
  result: stopPublication(pageId: $pageId, id: $id) {
    publication {
      ...Numbers
    }
    userErrors {
      path
      message
    }
  }
}
    fragment Numbers on Publication {
  id
  fannedOutAt
  heldUntil
  stoppedAt
  counts {
    channel
    state
    count
  }
}`) as unknown as TypedDocumentString<StopPublicationMutation, StopPublicationMutationVariables>;
export const PageSettingsDocument = new TypedDocumentString(`
    query PageSettings($id: ID!) {
  page(id: $id) {
    id
    version
    name
    hasDemoData
    locale
    timezone
    supportEmail
    supportTelephone
    supportUrl
    websiteUrl
    privacyUrl
    termsUrl
    metaTitle
    metaDescription
    visibleToSearch
    showUptime
    holdSeconds
    reminder
    timelineSortOrder
    visibility
    emailDomains
  }
}
    `) as unknown as TypedDocumentString<PageSettingsQuery, PageSettingsQueryVariables>;
export const SaveSettingsDocument = new TypedDocumentString(`
    mutation SaveSettings($id: ID!, $ifVersion: [Int!], $input: UpdatePageInput!) {
  result: updatePage(id: $id, ifVersion: $ifVersion, input: $input) {
    page {
      id
      version
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SaveSettingsMutation, SaveSettingsMutationVariables>;
export const SetVisibilityDocument = new TypedDocumentString(`
    mutation SetVisibility($pageId: ID!, $input: SetPageVisibilityInput!) {
  result: setPageVisibility(pageId: $pageId, input: $input) {
    page {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetVisibilityMutation, SetVisibilityMutationVariables>;
export const DeletePageDocument = new TypedDocumentString(`
    mutation DeletePage($id: ID!) {
  result: deletePage(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeletePageMutation, DeletePageMutationVariables>;
export const SubscribersDocument = new TypedDocumentString(`
    query Subscribers($pageId: ID!, $filter: SubscriberFilter, $after: String) {
  subscribers(
    pageId: $pageId
    first: 25
    after: $after
    filter: $filter
    orderBy: [{field: CREATED_AT, direction: DESC}]
  ) {
    totalCount
    nodes {
      id
      email
      phoneNumber
      firstName
      lastName
      company
      createdAt
      suspendedAt
      componentIds
      kinds
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SubscribersQuery, SubscribersQueryVariables>;
export const SubscriberHistoryDocument = new TypedDocumentString(`
    query SubscriberHistory($pageId: ID!, $id: ID!) {
  subscriber(pageId: $pageId, id: $id) {
    id
    email
    phoneNumber
    createdAt
    suspendedAt
    suspensionReason
    deliveries(first: 25, orderBy: [{field: CREATED_AT, direction: DESC}]) {
      nodes {
        id
        state
        channel
        createdAt
        publication {
          id
          subject
        }
        attempts {
          id
          response
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubscriberHistoryQuery, SubscriberHistoryQueryVariables>;
export const SubscribersCsvDocument = new TypedDocumentString(`
    query SubscribersCsv($pageId: ID!) {
  subscribersCsv(pageId: $pageId)
}
    `) as unknown as TypedDocumentString<SubscribersCsvQuery, SubscribersCsvQueryVariables>;
export const AddSubscriberDocument = new TypedDocumentString(`
    mutation AddSubscriber($pageId: ID!, $input: CreateSubscriberInput!) {
  result: createSubscriber(pageId: $pageId, input: $input) {
    subscriber {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AddSubscriberMutation, AddSubscriberMutationVariables>;
export const DeleteSubscriberDocument = new TypedDocumentString(`
    mutation DeleteSubscriber($pageId: ID!, $id: ID!) {
  result: deleteSubscriber(pageId: $pageId, id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSubscriberMutation, DeleteSubscriberMutationVariables>;
export const LiftSuspensionDocument = new TypedDocumentString(`
    mutation LiftSuspension($pageId: ID!, $id: ID!) {
  result: liftSuspension(
    pageId: $pageId
    input: {channel: EMAIL, subscriberId: $id}
  ) {
    page {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<LiftSuspensionMutation, LiftSuspensionMutationVariables>;
export const ImportSubscribersDocument = new TypedDocumentString(`
    mutation ImportSubscribers($pageId: ID!, $input: ImportSubscribersInput!) {
  result: importSubscribers(pageId: $pageId, input: $input) {
    dryRun
    rows
    added
    existing
    renewed
    repeated
    left
    ignoredColumns
    problems {
      line
      column
      message
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ImportSubscribersMutation, ImportSubscribersMutationVariables>;
export const TemplateListDocument = new TypedDocumentString(`
    query TemplateList($pageId: ID!) {
  noticeTemplates(pageId: $pageId, first: 100, orderBy: [{field: NAME}]) {
    nodes {
      id
      name
      type
      subject
      content
      componentIds
    }
  }
}
    `) as unknown as TypedDocumentString<TemplateListQuery, TemplateListQueryVariables>;
export const CreateTemplateDocument = new TypedDocumentString(`
    mutation CreateTemplate($pageId: ID!, $input: CreateNoticeTemplateInput!) {
  result: createNoticeTemplate(pageId: $pageId, input: $input) {
    template {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTemplateMutation, CreateTemplateMutationVariables>;
export const UpdateTemplateDocument = new TypedDocumentString(`
    mutation UpdateTemplate($pageId: ID!, $id: ID!, $input: UpdateNoticeTemplateInput!) {
  result: updateNoticeTemplate(pageId: $pageId, id: $id, input: $input) {
    template {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateTemplateMutation, UpdateTemplateMutationVariables>;
export const DeleteTemplateDocument = new TypedDocumentString(`
    mutation DeleteTemplate($pageId: ID!, $id: ID!) {
  result: deleteNoticeTemplate(pageId: $pageId, id: $id) {
    id
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteTemplateMutation, DeleteTemplateMutationVariables>;
export const TokensDocument = new TypedDocumentString(`
    query Tokens($after: String) {
  tokens(
    first: 25
    after: $after
    filter: {revokedAt: {present: false}}
    orderBy: [{field: CREATED_AT, direction: DESC}]
  ) {
    nodes {
      id
      label
      role
      pageIds
      prefix
      lastFour
      lastUsedAt
      expiresAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<TokensQuery, TokensQueryVariables>;
export const CreateTokenDocument = new TypedDocumentString(`
    mutation CreateToken($input: CreateTokenInput!) {
  result: createToken(input: $input) {
    secret
    token {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTokenMutation, CreateTokenMutationVariables>;
export const RevokeTokenDocument = new TypedDocumentString(`
    mutation RevokeToken($id: ID!) {
  result: revokeToken(id: $id) {
    token {
      id
    }
    userErrors {
      path
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;