import type { UpstreamPeriod, UpstreamStatus } from '../../components/upstream/upstream.rules.js';
import type { ComponentState } from '../../components/component.states.js';
import type { ManualComponentStatus, ManualPeriod } from '../../components/manual-status.rules.js';
import type { Impact } from '../../notices/impact.rules.js';
import type { NoticeState, NoticeType, UpdateKind } from '../../notices/notice.states.js';
import type { ColourName } from '../../pages/branding/colour.js';
import type { BrandImageInfo, BrandImageRole } from '../../pages/branding/brand-image.js';
import type { MetricPeriod, MetricStep } from '../../pages/metrics/metric-points.js';
import type { Locale } from '../../i18n/locales.js';
import type { PageVisibility } from '../../pages/page-visibility.js';
import type { Responses } from './response-statistics.js';

/**
 * How many notices a page shows, so that a page with thousands of them is rendered in bounded time and size. The others
 * are in the list of open notices and in the history. Upcoming maintenance keeps its part of the open ones.
 */
export const noticeLimits = { open: 50, upcoming: 10, general: 50, past: 150 };

/** The newest updates that a notice shows: so many, and of so many bytes of text, earlier texts included. */
export interface UpdateLimits {
  count: number;
  bytes: number;
  /** The bytes of all notices of a list, the open and the newest first; those beyond have no updates. */
  total?: number;
  /** The characters of its synopsis, which is as long as its first update. */
  synopsis: number;
}

/** Of a notice among others, and of one on its own page: 250 notices of a page are in the memory at once. */
export const updateLimits = {
  ofList: { count: 50, bytes: 100_000, total: 1_000_000, synopsis: 4_000 },
  ofSingle: { count: 1_000, bytes: 1_000_000, synopsis: 100_000 },
} as const satisfies Record<string, UpdateLimits>;

/** How many earlier texts of an update it shows. */
export const maxRevisions = 5;

/** How many notices a page of a longer list has: of the open notices, and of those of a month. */
export const listLimits = { open: 50, month: 200 };

/**
 * All public data of a page, as it was in the database at one moment.
 * Every response is rendered from a snapshot and the clock alone, so a page can be rendered while the database is
 * unavailable, and a snapshot can be stored on the disk as JSON. Times are ISO 8601 in UTC with milliseconds.
 * An optional member is absent in disk snapshots of versions that did not have it.
 */
export interface PageSnapshot {
  /** By the database's clock. */
  readAt: string;
  /** How many changes the page has had. */
  changeCount?: number;
  page: SnapshotPage;
  brand: Record<ColourName, string>;
  /** Without their bytes. */
  images?: BrandImages;
  /** A flat list of the tree, sorted by position. */
  components: SnapshotComponent[];
  /** The notices that the page shows, within `noticeLimits`. Newest first. */
  notices: SnapshotNotice[];
  /** How many notices the page has. */
  counts?: NoticeCounts;
  /** What the histories are computed from. Absent: then `notices`. */
  history?: NoticeHistory;
  /** Null or absent: it has none. */
  metrics?: SnapshotMetric[] | null;
  /** The version of the uploaded theme; null for the standard theme. */
  themeVersion: string | null;
}

/** With its steps by period; null: there are no values. */
export interface SnapshotMetric extends Record<MetricPeriod, MetricStep[] | null> {
  id: number;
  name: string;
  unit: string | null;
  color: string;
  decimalPlaces: number;
}

export type BrandImages = Partial<Record<BrandImageRole, BrandImageInfo>>;

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
  websiteUrl?: string | null;
  privacyUrl?: string | null;
  termsUrl?: string | null;
  isVisibleToSearch: boolean;
  visibility?: PageVisibility;
  /** How visitors of a private page prove that they may see it. Null or absent: nobody has to. */
  access?: PageAccess | null;
  metaTitle: string | null;
  metaDescription: string | null;
  vendorAnalyticsId: string | null;
  /** In seconds. */
  timelineThresholdSeconds: number;
  staleAfterMinutes?: number;
  timelineSortOrder: 'asc' | 'desc';
  /** The verified custom domain. */
  domain: string | null;
  /** Channels that are enabled for the page and configured. */
  subscriptionOptions?: ('email' | 'sms')[];
  /** Whether visitors can subscribe webhooks. Absent: they cannot. */
  offersWebhooks?: boolean;
  /** Whether browsers can subscribe. Absent: they cannot. */
  offersPush?: boolean;
  /** Whether components show their uptime. Absent: they do. */
  shouldShowUptime?: boolean;
  /** Whether the history shows response statistics. Absent: it does not. */
  shouldShowResponseStatistics?: boolean;
  /** When the page was created, or its earliest notice began. */
  historySince?: string;
  /** By which receivers verify requests to webhooks. Null or absent: the page has had no webhook. */
  webhookKey?: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Without the password, which only the database knows. */
export interface PageAccess {
  by: 'password' | 'email_domain' | 'members';
  /** Moves when the access of all visitors ends. */
  version: number;
  /** By domain whose addresses see the page: the version of the page in which it was added. */
  domainVersions: Record<string, number>;
}

export interface SnapshotComponent {
  id: number;
  parentId: number | null;
  name: string;
  description: string | null;
  state: ComponentState;
  /** Among its siblings; lower numbers come first. */
  position: number;
  /** The state that a person set it to. Null or absent: its state follows from notices. */
  manual?: { state: ManualComponentStatus; note: string | null; beganAt: string } | null;
  /** What its upstream says. Null or absent: it follows none. */
  upstream?: { url: string; state: UpstreamStatus; beganAt: string } | null;
  createdAt: string;
  updatedAt: string;
}

/** By the list in which the front page shows them. */
export interface NoticeCounts {
  present: number;
  future: number;
  /** Within the time that the front page shows. */
  general: number;
  past: number;
}

/** The notices and the manual statuses of a period, newest first, without texts. Of very many it has the latest. */
export interface NoticeHistory {
  notices: Pick<
    SnapshotNotice,
    'id' | 'type' | 'state' | 'beganAt' | 'endedAt' | 'componentIds' | 'impacts' | 'recovered'
  >[];
  periods?: ManualPeriod[];
  /** What upstreams said. */
  upstream?: UpstreamPeriod[];
  /** All that ended since then are included; null when all of the period are. */
  completeSince: string | null;
}

/** The notices of one slice of a longer list. */
export interface NoticeSlice {
  /** Newest first. */
  notices: SnapshotNotice[];
  /** Of the whole list. */
  total: number;
  history?: NoticeHistory;
  /** Of a month. */
  responses?: Responses;
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
  /** By when the next update is due. */
  nextUpdateBy?: string | null;
  lastUpdateAt?: string | null;
  createdAt: string;
  updatedAt: string;
  /** Increases with every write. */
  version?: number;
  /** Whether anything about it was sent through the channels. */
  isPublished?: boolean;
  tags: string[];
  componentIds: number[];
  /** On components, by id, where it is not the default. */
  impacts?: Record<number, Impact>;
  /** When components were operational again while it was open, by id. */
  recovered?: Record<number, string>;
  /** Oldest first: the newest that fit. */
  updates: SnapshotUpdate[];
  /** How many it has in all. */
  updateCount?: number;
}

export interface SnapshotUpdate {
  id: number;
  /** Markdown. */
  content: string;
  /** The state of the notice when it was posted. */
  state?: NoticeState | null;
  /** Whether it was sent through the channels. */
  shouldPublish?: boolean;
  kind?: UpdateKind;
  /** When it was posted, which is before its creation if it was back-dated. */
  postedAt?: string;
  /** When its text was last edited. */
  editedAt?: string | null;
  /** Its earlier texts, newest first; null or absent where there is none. */
  revisions?: SnapshotRevision[] | null;
  createdAt: string;
  updatedAt: string;
}

interface SnapshotRevision {
  /** Markdown. */
  content: string;
}
