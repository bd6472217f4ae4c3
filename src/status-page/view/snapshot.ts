import type { ComponentState } from '../../components/component.states.js';
import type { NoticeState, NoticeType } from '../../notices/notice.states.js';
import type { ColourName } from '../../branding/colour.js';
import type { Locale } from '../../i18n/locales.js';

/** A page with more open or recent notices shows the newest. */
export const maxNotices = 1_000;
/** A notice with more updates shows the newest; a snapshot that requires it has all. */
export const maxUpdates = 50;

/**
 * All public data of a page, as it was in the database at one moment.
 * Every response is rendered from a snapshot and the clock alone, so a page can be rendered while the database is
 * unavailable, and a snapshot can be stored on the disk as JSON. Times are ISO 8601 in UTC with milliseconds.
 */
export interface PageSnapshot {
  /** By the database's clock. */
  readAt: string;
  page: SnapshotPage;
  brand: Record<ColourName, string>;
  /** A flat list of the tree, sorted by position. */
  components: SnapshotComponent[];
  /** Newest first: all future and present notices, and the past notices that were selected. */
  notices: SnapshotNotice[];
  /** The version of the uploaded theme; null for the standard theme. */
  themeVersion: string | null;
}

export interface SnapshotPage {
  id: string;
  name: string;
  /** The friendly name of the time zone. */
  timezone: string;
  /** Its name in the tz database. */
  zone: string;
  locale: Locale;
  supportEmail: string | null;
  supportTelephone: string | null;
  supportUrl: string | null;
  visibleToSearch: boolean;
  metaTitle: string | null;
  metaDescription: string | null;
  vendorAnalyticsId: string | null;
  /** In seconds. */
  timelineThreshold: number;
  timelineSortOrder: 'asc' | 'desc';
  /** The verified custom domain. */
  domain: string | null;
  /** Channels that are enabled for the page and configured. Absent in disk snapshots of earlier versions. */
  subscriptionOptions?: ('email' | 'sms')[];
  /** When the page was created, or its earliest notice began. Absent in disk snapshots of earlier versions. */
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
  /** Among its siblings; lower numbers come first. */
  position: number;
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
  /** `<16 random a-z0-9>-<slug>`, the last segment of its URL. */
  path: string;
  /** The maintenance window; null unless the notice is planned. */
  beginsAt: string | null;
  endsAt: string | null;
  beganAt: string | null;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Increases with every write. Absent in disk snapshots of earlier versions. */
  version?: number;
  /** Whether anything about it was sent through the channels. Absent in disk snapshots of earlier versions. */
  isPublished?: boolean;
  tags: string[];
  componentIds: number[];
  /** Oldest first. */
  updates: SnapshotUpdate[];
}

export interface SnapshotUpdate {
  id: number;
  /** Markdown. */
  content: string;
  /** The state of the notice when it was posted. Absent in disk snapshots of earlier versions. */
  state?: NoticeState | null;
  /** Whether it was sent through the channels. Absent in disk snapshots of earlier versions. */
  shouldPublish?: boolean;
  createdAt: string;
  updatedAt: string;
}
