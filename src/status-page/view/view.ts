import type { ManualComponentStatus } from '../../components/manual-status.rules.js';
import type { UpstreamStatus } from '../../components/upstream/upstream.rules.js';
import type { Impact } from '../../notices/impact.rules.js';
import { compareBy, endOrder, presentOrder, scheduledOrder } from '../../notices/notice.order.js';
import type { NoticeState, TimelineState } from '../../notices/notice.states.js';
import type { Locale } from '../../i18n/locales.js';
import type { HistoryDay } from './history-sweep.js';
import type { HistorySource } from './outages.js';
import type { Responses } from './response-statistics.js';
import {
  type BrandImages,
  type NoticeCounts,
  type PageSnapshot,
  type SnapshotComponent,
  type SnapshotMetric,
  type SnapshotNotice,
  type SnapshotPage,
  type SnapshotUpdate,
} from './snapshot.js';

/** What a page shows at one moment, selected and sorted, for every route: no clock, no translated text, no HTML. */
export interface PageView {
  page: SnapshotPage;
  brand: PageSnapshot['brand'];
  images: BrandImages;
  /** For histories of other days than those of `ComponentView.history`. */
  historySource: HistorySource;
  /** The moment that the view describes. */
  now: Date;
  /** When the snapshot was read from the database. */
  readAt: Date;
  /** How many changes the page has had; null if that is unknown. */
  changeCount: number | null;
  /** Since when the page may be out of date, since the database is unavailable; null otherwise. */
  staleSince: Date | null;
  /** The language to render in, which a visitor may choose. */
  locale: Locale;
  mount: Mount;
  state: 'operational' | 'degraded';
  banner: Banner;
  /** The root components, by position. */
  components: ComponentView[];
  metrics: readonly SnapshotMetric[];
  componentsByName: ReadonlyMap<string, readonly ComponentView[]>;
  /** Every component by id. */
  componentsById: ReadonlyMap<number, ComponentView>;
  /** Every notice of the snapshot, newest first; or a slice of a longer list, for a route that requires it. */
  notices: NoticeView[];
  /** How many notices the longer list has; null when `notices` are those of the snapshot. */
  sliceTotal: number | null;
  /** What response statistics are computed from: of a month whose list was loaded; null otherwise. */
  responses: Responses | null;
  /** How many notices the page has in each list beyond those that the view contains. */
  omitted: NoticeCounts;
  /** Whether the snapshot has all open notices, and all that ended within the days of the history. */
  isComplete: boolean;
  /** Present notices: incidents before maintenance, then newest first. */
  present: NoticeView[];
  /** Scheduled maintenance, the next one first. */
  future: NoticeView[];
  /** Announcements within the page's timeline threshold, at least 7 days, newest first. */
  general: NoticeView[];
  /** Incidents and maintenance that ended within the timeline threshold, at least 7 days, the latest end first. */
  past: NoticeView[];
}

/**
 * Where a page is served. Links on the page itself are relative to the host: `${path}notices/...`.
 * Links in feeds, messages and previews are absolute: `${origin}${path}notices/...`.
 */
export interface Mount {
  /** `https://status.example.com`, without a trailing slash. */
  origin: string;
  /** `/` on the page's own hosts, otherwise `/status/<page id>/`. */
  path: string;
  /** The canonical URL for search engines, with a trailing slash: the public URL of the page. */
  canonical: string;
}

export interface ComponentView
  extends Pick<SnapshotComponent, 'id' | 'name' | 'description' | 'state' | 'position' | 'createdAt' | 'updatedAt'> {
  parent: ComponentView | null;
  children: ComponentView[];
  /** 0 for root components. */
  depth: number;
  /** Present notices that name the component. */
  present: NoticeView[];
  /** The kind of its outage: of the worst notice that names it, also where the snapshot lacks it. */
  namedBy: 'incident' | 'maintenance' | null;
  /** The state that a person set it to, which counts in place of the notices that name it. */
  manual: { state: ManualComponentStatus; note: string | null; beganAt: Date } | null;
  /** What its upstream says. `isShown`: it is the state of the component. `host`: the host of the upstream. */
  upstream: { host: string; url: string; state: UpstreamStatus; beganAt: Date; isShown: boolean } | null;
  /** The worst of the present incidents that name it and of its upstream, or that of its manual status. */
  impact: Impact | null;
  /** The last 90 days, oldest first; the last one is today. */
  history: HistoryDay[];
  /** The share of them without an outage, from 0 to 1. Null: too little time is known. */
  uptime: number | null;
}

export interface NoticeView
  extends Omit<
    SnapshotNotice,
    | 'beginsAt'
    | 'endsAt'
    | 'beganAt'
    | 'endedAt'
    | 'nextUpdateBy'
    | 'lastUpdateAt'
    | 'createdAt'
    | 'updatedAt'
    | 'updates'
    | 'updateCount'
    | 'componentIds'
  > {
  timelineState: TimelineState;
  beginsAt: Date | null;
  endsAt: Date | null;
  beganAt: Date | null;
  endedAt: Date | null;
  /** By when the next update is due. */
  nextUpdateBy: Date | null;
  /** Since when it has had no update, where that is too long. */
  silentSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Its timeline, oldest first, whatever the page's sort order is. */
  updates: UpdateView[];
  /** How many older ones it has. */
  omittedUpdates: number;
  /** Whether it has all of its updates, and their earlier texts. */
  isWhole: boolean;
  postmortem: UpdateView | null;
  components: ComponentView[];
  /** Those whose names are listed. */
  named: ComponentView[];
  /** On one of its components. */
  worstImpact: Impact;
  /** `2026-11-20` in the page's time zone: the day of its end, else its begin, scheduled begin or creation. */
  day: string;
}

export interface UpdateView
  extends Omit<
    SnapshotUpdate,
    'state' | 'shouldPublish' | 'kind' | 'editedAt' | 'revisions' | 'postedAt' | 'createdAt' | 'updatedAt'
  > {
  /** Null for general notices. */
  state: NoticeState | null;
  shouldPublish: boolean;
  postedAt: Date;
  /** When its text was last edited. */
  editedAt: Date | null;
  /** Its earlier texts as Markdown, newest first. */
  revisions: readonly string[];
  createdAt: Date;
  updatedAt: Date;
}

/** "timeline_sort_order asc (default) or desc: the order of updates in a notice on the public page." */
export const sortUpdates = ({ page }: Pick<PageView, 'page'>, updates: readonly UpdateView[]): readonly UpdateView[] =>
  page.timelineSortOrder === 'asc' ? updates : updates.toReversed();

const minThresholdMs = 7 * 86_400_000;

/** How long past notices stay on the page. */
export const getPastSpanMs = ({ timelineThresholdSeconds }: SnapshotPage): number =>
  Math.max(timelineThresholdSeconds * 1000, minThresholdMs);

/** The updates of a notice, oldest first, and its post-mortem at the end. */
export const listUpdates = ({ updates, postmortem }: Pick<NoticeView, 'updates' | 'postmortem'>): UpdateView[] =>
  postmortem ? [...updates, postmortem] : updates;

/** The texts of a notice, in Markdown. */
export const listTexts = (notice: NoticeView): string[] =>
  listUpdates(notice).flatMap(({ content, revisions }) => [content, ...revisions]);

/** Whether the view has a notice with all of its texts. */
export const hasWholeNotice = ({ notices }: PageView, matches: (notice: NoticeView) => boolean): boolean =>
  notices.some(notice => matches(notice) && notice.isWhole);

export const selectPresent = (notices: readonly NoticeView[]): NoticeView[] =>
  notices.filter(({ timelineState }) => timelineState === 'present').sort(compareBy(presentOrder));

export const selectFuture = (notices: readonly NoticeView[]): NoticeView[] =>
  notices.filter(({ timelineState }) => timelineState === 'future').sort(compareBy(scheduledOrder));

export const sortByEnd = (notices: readonly NoticeView[]): NoticeView[] => notices.toSorted(compareBy(endOrder));

/**
 * The overall state of a page. It depends on the present notices and the manual statuses of components, so it cannot
 * contradict the lists below it: `operational` only while there are neither, `maintenance` only while none is an
 * incident or an outage, and otherwise the worst impact on a component.
 */
export interface Banner {
  kind: 'operational' | 'maintenance' | Impact;
  /**
   * Which components are affected, in the case of an incident by the worst impact. `one`: `component` and no other.
   * `some`: several. `all`: every component. `unnamed`: the notices name no component, or the page has none.
   */
  extent: 'one' | 'some' | 'all' | 'unnamed';
  component: ComponentView | null;
  /** Those of `some`. */
  components: ComponentView[];
}

/** How many components the notices of a view name in total, and one of several: each may have two thousand. */
const maxNamed = { total: 5_000, ofOne: 100 };

/** Leaves the names of components to the first notices. One alone has all of its names. */
export function limitNamed(notices: readonly NoticeView[]): NoticeView[] {
  let left = maxNamed.total;
  return notices.map(notice => {
    const named = notice.components.slice(0, notices.length > 1 ? Math.min(left, maxNamed.ofOne) : left);
    left -= named.length;
    return { ...notice, named };
  });
}

/** The names of the components of a notice, and how many others there are. */
export const listNames = ({ components, named }: NoticeView): string[] => [
  ...named.map(({ name }) => name),
  ...(components.length > named.length ? [`+${components.length - named.length}`] : []),
];
