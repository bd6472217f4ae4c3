import { flattenTree } from '../../components/component-tree.js';
import { defaultImpact, findWorstImpact, getImpact, type Impact, worstImpactOf } from '../../notices/impact.js';
import { type NoticeState, type TimelineState, computeTimelineState } from '../../notices/notice.states.js';
import type { Locale } from '../../i18n/locales.js';
import { type Banner, computeBanner } from './banner.js';
import { toCalendarDay } from './days.js';
import { type HistoryDay, type HistorySource, computeHistory } from './history.js';
import { countOmitted, isComplete } from './omitted-notices.js';
import {
  type BrandImages,
  maxUpdates,
  type NoticeCounts,
  type NoticeSlice,
  type PageSnapshot,
  type SnapshotComponent,
  type SnapshotNotice,
  type SnapshotPage,
  type SnapshotUpdate,
} from './snapshot.js';

/**
 * The data of a page at one moment, selected and sorted as the page shows it. Every route renders from it.
 * It is pure data: no clock, no translated text, no HTML.
 */
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
  /** Every component by id. */
  componentsById: ReadonlyMap<number, ComponentView>;
  /** The names that several components have. */
  ambiguousNames: ReadonlySet<string>;
  /** Every notice of the snapshot, newest first; or a slice of a longer list, for a route that requires it. */
  notices: NoticeView[];
  /** How many notices the longer list has; null when `notices` are those of the snapshot. */
  sliceTotal: number | null;
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
  /** The worst that names it, also where the snapshot lacks the notice. */
  namedBy: 'incident' | 'maintenance' | null;
  /** The worst of the present incidents that name it. */
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
    | 'createdAt'
    | 'updatedAt'
    | 'updates'
    | 'componentIds'
  > {
  timelineState: TimelineState;
  beginsAt: Date | null;
  endsAt: Date | null;
  beganAt: Date | null;
  endedAt: Date | null;
  /** By when the next update is promised. */
  nextUpdateBy: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Its timeline, oldest first, whatever the page's sort order is. */
  updates: UpdateView[];
  postmortem: UpdateView | null;
  components: ComponentView[];
  /** On one of its components. */
  worstImpact: Impact;
  /**
   * The calendar day of the notice in the page's time zone, `2026-11-20`:
   * of its end, else its begin, else its scheduled begin, else its creation.
   */
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
  /** The time that visitors see. */
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
export const getPastSpanMs = ({ timelineThreshold }: SnapshotPage): number =>
  Math.max(timelineThreshold * 1000, minThresholdMs);

export interface ViewOptions {
  now: Date;
  locale: Locale;
  mount: Mount;
  staleSince: Date | null;
}

export function buildView(snapshot: PageSnapshot, { now, locale, mount, staleSince }: ViewOptions): PageView {
  const { page, brand } = snapshot;
  const componentsById = buildComponentTree(snapshot.components);
  const notices = snapshot.notices.map(notice => buildNoticeView(notice, page.zone, now, componentsById));
  const [present, future] = [selectPresent(notices), selectFuture(notices)];
  const { notices: historyNotices, completeSince } = snapshot.history ?? { ...snapshot, completeSince: null };
  const historySource = { page, components: snapshot.components, notices: historyNotices, completeSince, now };
  const history = computeHistory(historySource);
  for (const component of componentsById.values()) {
    const { days, uptime } = history.get(component.id)!;
    Object.assign(component, { history: days, uptime });
  }
  const since = now.getTime() - getPastSpanMs(page);
  const past = notices.filter(
    ({ timelineState, endedAt }) => timelineState.startsWith('past') && endedAt && endedAt.getTime() >= since,
  );
  const general = past.filter(({ type }) => type === 'general');
  const shown = {
    present: present.length,
    future: future.length,
    general: general.length,
    past: past.length - general.length,
  };
  const omitted = countOmitted(snapshot, shown);
  markNamed(componentsById.values(), present, omitted.present > 0);
  return {
    page,
    brand,
    images: snapshot.images ?? {},
    historySource,
    now,
    readAt: new Date(snapshot.readAt),
    changeCount: snapshot.changeCount ?? null,
    staleSince,
    locale,
    mount,
    state: present.length ? 'degraded' : 'operational',
    banner: computeBanner(present, [...componentsById.values()]),
    components: [...componentsById.values()].filter(({ parent }) => !parent),
    componentsById,
    ambiguousNames: findRepeatedNames(snapshot.components),
    notices,
    sliceTotal: null,
    omitted,
    isComplete: isComplete(snapshot),
    present,
    future,
    general,
    past: past
      .filter(({ type }) => type !== 'general')
      .sort((one, other) => other.endedAt!.getTime() - one.endedAt!.getTime()),
  };
}

/** Whether the view has a notice with all of its updates. */
export const hasWholeNotice = ({ notices }: PageView, matches: (notice: NoticeView) => boolean): boolean =>
  notices.some(notice => matches(notice) && notice.updates.length < maxUpdates);

/** The same view with a slice of a longer list in place of the notices of the snapshot. */
export function withSlice(view: PageView, { notices, total, history }: NoticeSlice): PageView {
  const { page, now, componentsById, historySource } = view;
  return {
    ...view,
    notices: notices.map(notice => buildNoticeView(notice, page.zone, now, componentsById)),
    sliceTotal: total,
    historySource: { ...historySource, ...history },
  };
}

/**
 * Marks the components that present notices name. A degraded component that none of them names is named by one that the
 * snapshot lacks: an incident, unless the snapshot has a maintenance, since incidents come first.
 */
function markNamed(components: Iterable<ComponentView>, present: readonly NoticeView[], isOneMissing: boolean): void {
  for (const notice of present)
    for (const component of notice.components) {
      component.present.push(notice);
      if (notice.type === 'planned') component.namedBy ??= 'maintenance';
      else nameByIncident(component, getImpact(notice, component.id));
    }
  if (!isOneMissing) return;
  const missing = present.some(({ type }) => type === 'planned') ? 'maintenance' : 'incident';
  for (const component of components) {
    if (component.state !== 'degraded' || component.namedBy) continue;
    if (missing === 'maintenance') component.namedBy = missing;
    else nameByIncident(component, defaultImpact);
  }
}

function nameByIncident(component: ComponentView, impact: Impact): void {
  component.namedBy = 'incident';
  component.impact = findWorstImpact([component.impact ?? impact, impact]);
}

export const selectPresent = (notices: readonly NoticeView[]): NoticeView[] =>
  notices.filter(({ timelineState }) => timelineState === 'present').sort(byUrgency);

export const selectFuture = (notices: readonly NoticeView[]): NoticeView[] =>
  notices
    .filter(({ timelineState }) => timelineState === 'future')
    .sort((one, other) => one.beginsAt!.getTime() - other.beginsAt!.getTime());

function findRepeatedNames(components: readonly SnapshotComponent[]): Set<string> {
  const seen = new Set<string>();
  const isRepeated = ({ name }: SnapshotComponent) => seen.size === seen.add(name).size;
  return new Set(components.filter(isRepeated).map(({ name }) => name));
}

/** Incidents first, so that maintenance never pushes an incident down. */
function byUrgency(one: NoticeView, other: NoticeView): number {
  const planned = Number(one.type === 'planned') - Number(other.type === 'planned');
  return planned || Number(other.beganAt) - Number(one.beganAt) || other.id - one.id;
}

function buildComponentTree(components: readonly SnapshotComponent[]): Map<number, ComponentView> {
  const views = new Map<number, ComponentView>(
    components.map(({ id, name, description, state, position, createdAt, updatedAt }) => [
      id,
      {
        id,
        name,
        description,
        state,
        position,
        createdAt,
        updatedAt,
        parent: null,
        children: [],
        depth: 0,
        present: [],
        namedBy: null,
        impact: null,
        history: [],
        uptime: null,
      },
    ]),
  );
  for (const { id, parentId } of components) {
    const parent = parentId === null ? undefined : views.get(parentId);
    const view = views.get(id)!;
    view.parent = parent ?? null;
    parent?.children.push(view);
  }
  const roots = [...views.values()].filter(({ parent }) => !parent);
  for (const view of flattenTree(roots)) view.depth = view.parent ? view.parent.depth + 1 : 0;
  return views;
}

function buildNoticeView(
  notice: SnapshotNotice,
  zone: string,
  now: Date,
  components: ReadonlyMap<number, ComponentView>,
): NoticeView {
  const { componentIds, ...rest } = notice;
  const parseTime = (text: string | null | undefined) => (text ? new Date(text) : null);
  const times = {
    beginsAt: parseTime(notice.beginsAt),
    endsAt: parseTime(notice.endsAt),
    beganAt: parseTime(notice.beganAt),
    endedAt: parseTime(notice.endedAt),
    nextUpdateBy: parseTime(notice.nextUpdateBy),
  };
  const toUpdateView = ({ id, content, ...update }: SnapshotUpdate): UpdateView => ({
    id,
    content,
    state: update.state ?? notice.state,
    shouldPublish: update.shouldPublish ?? false,
    postedAt: new Date(update.postedAt ?? update.createdAt),
    editedAt: parseTime(update.editedAt),
    revisions: (update.revisions ?? []).map(revision => revision.content),
    createdAt: new Date(update.createdAt),
    updatedAt: new Date(update.updatedAt),
  });
  return {
    ...rest,
    ...times,
    createdAt: new Date(notice.createdAt),
    updatedAt: new Date(notice.updatedAt),
    timelineState: computeTimelineState(notice.state, times.endedAt, now),
    updates: notice.updates.filter(({ kind }) => kind !== 'postmortem').map(toUpdateView),
    postmortem: notice.updates.filter(({ kind }) => kind === 'postmortem').map(toUpdateView)[0] ?? null,
    components: componentIds.flatMap(id => components.get(id) ?? []),
    worstImpact: worstImpactOf(notice),
    day: toCalendarDay(times.endedAt ?? times.beganAt ?? times.beginsAt ?? new Date(notice.createdAt), zone),
  };
}
