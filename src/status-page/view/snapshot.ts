import type { ComponentState } from '../../components/component.states.js';
import type { NoticeState, NoticeType } from '../../notices/notice.states.js';
import type { ColourName } from '../../branding/brand.entity.js';
import type { Locale } from '../../i18n/locales.js';

/** A page that has more than this open or within the days of its history shows the newest. */
export const noticesAtMost = 1_000;

/**
 * All that the public may see of a page, as the database had it at one moment. Everything shown is drawn from one of these and the clock, and from nothing else:
 * so a page can be drawn while the database is away, and kept on the disk as the JSON that this is. Times are ISO 8601 in UTC, with milliseconds.
 */
export interface PageSnapshot {
  /** By the database's clock. */
  readAt: string;
  page: SnapshotPage;
  brand: Record<ColourName, string>;
  /** By position, parents and children alike; the tree is made by `parentId`. */
  components: SnapshotComponent[];
  /** Newest first: all that are future or present, and those of the past that were asked for. */
  notices: SnapshotNotice[];
  /** The version of the uploaded theme; null when the page wears the standard one. */
  themeVersion: string | null;
}

export interface SnapshotPage {
  id: string;
  name: string;
  /** The friendly name, and what the tz database calls it. */
  timezone: string;
  zone: string;
  locale: Locale;
  supportEmail: string | null;
  supportTelephone: string | null;
  supportUrl: string | null;
  visibleToSearch: boolean;
  metaTitle: string | null;
  metaDescription: string | null;
  vendorAnalyticsId: string | null;
  /** Seconds. */
  timelineThreshold: number;
  timelineSortOrder: 'asc' | 'desc';
  /** The verified custom domain. */
  domain: string | null;
  /** How visitors can subscribe: switched on, and configured. Absent in what a version before this one kept. */
  subscriptionOptions?: ('email' | 'sms')[];
  /** When the page was made, or, where notices tell of a time before it, that. Absent in what a version before this one kept. */
  historySince?: string;
  createdAt: string;
  updatedAt: string;
}

export interface SnapshotComponent {
  id: number;
  parentId: number | null;
  name: string;
  description: string | null;
  state: ComponentState;
  createdAt: string;
  updatedAt: string;
}

export interface SnapshotNotice {
  id: number;
  type: NoticeType;
  subject: string;
  synopsis: string;
  /** Null for general notices. */
  state: NoticeState | null;
  /** `<16 random a-z0-9>-<slug>`, the last part of the address. */
  path: string;
  /** The window; null unless planned. */
  beginsAt: string | null;
  endsAt: string | null;
  beganAt: string | null;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Moves with every write. Absent in what a version before this one kept. */
  version?: number;
  tags: string[];
  componentIds: number[];
  /** Oldest first. */
  updates: SnapshotUpdate[];
}

export interface SnapshotUpdate {
  id: number;
  /** Markdown. */
  content: string;
  createdAt: string;
  updatedAt: string;
}
