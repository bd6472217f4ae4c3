import { z } from 'zod';
import { isStorable } from '../../core/validation.js';
import type { ManualComponentStatus } from '../../components/manual-status.rules.js';
import { impacts } from '../../notices/impact.rules.js';
import { type NoticeState, noticeTypes, statesByType } from '../../notices/notice.states.js';
import { createSubject, maxContentLength } from '../../notices/notice-text.rules.js';
import type { ColourName } from '../../pages/branding/colour.js';
import type { ImportedRecurrence } from './imported-recurrence.js';
import type { PeriodRow } from './notice-components.js';

/** The kinds of records of another product, and what of a record can be left out alone. */
export const importedKinds = [
  'setting',
  'component',
  'notice',
  'update',
  'recurrence',
  'template',
  'subscriber',
  'reference',
  'field',
] as const;
export type ImportedKind = (typeof importedKinds)[number];

/** What an import leaves out, and why, as the rest of a sentence that begins with the record. */
export interface LeftOut {
  kind: ImportedKind;
  sourceId: string;
  reason: string;
}

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'is blank')
    .refine(isStorable, 'contains NUL or half a surrogate pair')
    .refine(value => [...value].length <= max, `has more than ${max.toLocaleString('en')} characters`);
const sourceId = text(255);

export const importedComponent = z.object({
  sourceId,
  parentId: sourceId.nullable().default(null),
  name: text(255),
  description: text(65_535).nullable().default(null),
  position: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1),
  createdAt: z.date().nullable().default(null),
});
export type ImportedComponent = z.infer<typeof importedComponent>;

export const importedUpdate = z.object({
  sourceId,
  content: text(maxContentLength),
  state: z.custom<NoticeState>().nullable(),
  kind: z.enum(['update', 'postmortem']).default('update'),
  postedAt: z.date(),
});
export type ImportedUpdate = z.infer<typeof importedUpdate>;

/** From `at` on, an incident affects the component so. */
export interface StateChange {
  componentId: string;
  state: ManualComponentStatus;
  at: Date;
}

const notice = z
  .object({
    sourceId,
    type: z.enum(noticeTypes),
    subject: text(255),
    state: z.custom<NoticeState>().nullable(),
    beginsAt: z.date().nullable().default(null),
    endsAt: z.date().nullable().default(null),
    beganAt: z.date().nullable(),
    endedAt: z.date().nullable(),
    createdAt: z.date(),
    componentIds: z.array(sourceId),
    /** Where no change says otherwise. */
    impact: z.enum(impacts).default('degraded'),
    changes: z.array(z.custom<StateChange>()).default([]),
    updates: z.array(importedUpdate),
  })
  .refine(({ type, beginsAt, endsAt }) => type !== 'planned' || (beginsAt && endsAt), 'has no window')
  .refine(
    ({ beginsAt, endsAt }) => !beginsAt || !endsAt || beginsAt < endsAt,
    'has a window that ends before it begins',
  )
  .refine(({ beganAt, endedAt }) => !beganAt || !endedAt || beganAt <= endedAt, 'ended before it began')
  .refine(
    ({ type, state }) => (type === 'general' ? state === null : statesByType[type].includes(state!)),
    'has a state that notices of its type do not have',
  );
/** One without a name is called by the first line of its first update. */
export const importedNotice = z.preprocess(given => {
  const { subject, updates = [] } = given as { subject?: string | null; updates?: ImportedUpdate[] };
  if (subject?.trim()) return given;
  const [first] = updates.toSorted((one, other) => one.postedAt.getTime() - other.postedAt.getTime());
  return { ...(given as object), subject: first ? createSubject(first.content) : '' };
}, notice);
export type ImportedNotice = z.infer<typeof notice>;

export interface ImportedSubscriber {
  sourceId: string;
  email?: string;
  phoneNumber?: string;
  firstName?: string;
  lastName?: string;
  nickname?: string;
  company?: string;
  tags?: string;
  kinds?: string;
  /** Null: all components. */
  componentIds: string[] | null;
  /** Null: the source does not say when. */
  consentedAt: Date | null;
  /** Ids of components here, in place of `componentIds`, separated by commas or spaces. */
  ownComponentIds?: string;
  /** Null: the name of the source. */
  consentSource?: string;
}

/** For a new page. */
export const importedTemplate = z.object({
  sourceId,
  name: text(255),
  subject: text(255).nullish(),
  content: text(maxContentLength).nullish(),
  componentId: sourceId.nullish(),
});
export type ImportedTemplate = z.infer<typeof importedTemplate>;

/** Settings for a new page. */
interface ImportedSettings {
  name?: string | null;
  timezone?: string | null;
  supportEmail?: string | null;
  supportTelephone?: string | null;
  supportUrl?: string | null;
  websiteUrl?: string | null;
  metaTitle?: string | null;
  metaDescription?: string | null;
  locale?: string | null;
  isVisibleToSearch?: boolean;
  googleAnalyticsId?: string | null;
  timelineThresholdSeconds?: number | null;
  timelineSortOrder?: 'asc' | 'desc' | null;
}

/** What all sources are read to. Records refer to each other by the ids of the source. */
export interface ImportedPage {
  settings: ImportedSettings;
  /** For a new page, by their names in `Brand`. */
  colours?: Partial<Record<ColourName, string>>;
  components: ImportedComponent[];
  notices: ImportedNotice[];
  /** Those of the notices, where they were computed beforehand, since they may take long. */
  periods?: PeriodRow[];
  /** Absent: the source has none. */
  recurrences?: ImportedRecurrence[];
  /** For a new page. Absent: the source has none. */
  templates?: ImportedTemplate[];
  subscribers: ImportedSubscriber[];
  leftOut: LeftOut[];
  /** Whether the page of the source is for some visitors only. */
  isPrivate?: boolean;
}
