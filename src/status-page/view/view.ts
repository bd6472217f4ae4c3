import { type TimelineState, timelineState } from '../../notices/notice.states.js';
import type { Locale } from '../../i18n/locales.js';
import { type Banner, bannerOf } from './banner.js';
import { dayOf } from './days.js';
import { type DayOfHistory, historyOf } from './history.js';
import type { PageSnapshot, SnapshotComponent, SnapshotNotice, SnapshotPage, SnapshotUpdate } from './snapshot.js';

/** What a page says at a moment: the snapshot, put in the order of the page. Every face is drawn from it, and it is pure: no clock, no words, no HTML. */
export interface PageView {
  page: SnapshotPage;
  brand: PageSnapshot['brand'];
  /** The moment it is true for. */
  now: Date;
  /** When the snapshot was read; older than the last look at the database means that it could not be read since. */
  readAt: Date;
  /** Not null while the database cannot be reached: since when. */
  staleSince: Date | null;
  /** The language to speak, which a visitor may choose. */
  locale: Locale;
  place: Place;
  state: 'operational' | 'degraded';
  banner: Banner;
  /** The roots, in order. */
  components: ComponentView[];
  /** Every component by id. */
  componentsById: ReadonlyMap<number, ComponentView>;
  /** Every notice of the snapshot, newest first. */
  notices: NoticeView[];
  /** Present, incidents before maintenance, the newest first. */
  present: NoticeView[];
  /** Scheduled, the next one first. */
  future: NoticeView[];
  /** Announcements not older than the threshold of the page, or 7 days, newest first. */
  general: NoticeView[];
  /** Incidents and maintenance that ended within the threshold of the page, or 7 days, the one that ended last first. */
  past: NoticeView[];
}

/** Where a drawing is served. Links on it are `${path}notices/...`; what leaves it (feeds, mail, previews) names `${origin}${path}notices/...`. */
export interface Place {
  /** `https://status.example.com`, without a slash. */
  origin: string;
  /** `/` on the page's own hosts, else `/status/<page id>/`. */
  path: string;
  /** The address that search engines are told, with its slash: the public address of the page. */
  canonical: string;
}

export interface ComponentView
  extends Pick<SnapshotComponent, 'id' | 'name' | 'description' | 'state' | 'createdAt' | 'updatedAt'> {
  parent: ComponentView | null;
  children: ComponentView[];
  /** 0 at the root. */
  depth: number;
  /** Present notices that name it. */
  present: NoticeView[];
  /** The last 90 days, oldest first; the last one is today. */
  history: DayOfHistory[];
}

export interface NoticeView
  extends Omit<
    SnapshotNotice,
    'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt' | 'createdAt' | 'updatedAt' | 'updates' | 'componentIds'
  > {
  timelineState: TimelineState;
  beginsAt: Date | null;
  endsAt: Date | null;
  beganAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Oldest first, whatever the page's order is. */
  updates: UpdateView[];
  components: ComponentView[];
  /** The day it belongs to in the page's zone, `2026-11-20`: when it ended, else began, else begins, else was made. */
  day: string;
}

export interface UpdateView extends Omit<SnapshotUpdate, 'createdAt' | 'updatedAt'> {
  createdAt: Date;
  updatedAt: Date;
}

/** "timeline_sort_order asc (default) or desc: the order of updates in a notice on the public page." */
export const inOrder = ({ page }: Pick<PageView, 'page'>, updates: readonly UpdateView[]): readonly UpdateView[] =>
  page.timelineSortOrder === 'asc' ? updates : updates.toReversed();

const millisecondsADay = 86_400_000;
const recent = 7 * millisecondsADay;

export interface Circumstances {
  now: Date;
  locale: Locale;
  place: Place;
  staleSince: Date | null;
}

export function viewOf(snapshot: PageSnapshot, { now, locale, place, staleSince }: Circumstances): PageView {
  const { page, brand } = snapshot;
  const componentsById = componentTree(snapshot.components);
  const notices = snapshot.notices.map(notice => noticeView(notice, page.zone, now, componentsById));
  const present = notices.filter(notice => notice.timelineState === 'present').sort(byUrgency);
  for (const notice of present) for (const component of notice.components) component.present.push(notice);
  const history = historyOf({ page, components: snapshot.components, notices: snapshot.notices, now });
  for (const component of componentsById.values()) component.history = history.get(component.id)!;
  const since = now.getTime() - Math.max(page.timelineThreshold * 1000, recent);
  const past = notices.filter(
    ({ timelineState, endedAt }) => timelineState.startsWith('past') && endedAt && endedAt.getTime() >= since,
  );
  return {
    page,
    brand,
    now,
    readAt: new Date(snapshot.readAt),
    staleSince,
    locale,
    place,
    state: present.length ? 'degraded' : 'operational',
    banner: bannerOf(present, [...componentsById.values()]),
    components: [...componentsById.values()].filter(({ parent }) => !parent),
    componentsById,
    notices,
    present,
    future: notices
      .filter(notice => notice.timelineState === 'future')
      .sort((one, other) => one.beginsAt!.getTime() - other.beginsAt!.getTime()),
    general: past.filter(({ type }) => type === 'general'),
    past: past
      .filter(({ type }) => type !== 'general')
      .sort((one, other) => other.endedAt!.getTime() - one.endedAt!.getTime()),
  };
}

/** An incident is never hidden below a maintenance. */
function byUrgency(one: NoticeView, other: NoticeView): number {
  const planned = Number(one.type === 'planned') - Number(other.type === 'planned');
  return planned || Number(other.beganAt) - Number(one.beganAt) || other.id - one.id;
}

function componentTree(components: readonly SnapshotComponent[]): Map<number, ComponentView> {
  const views = new Map<number, ComponentView>(
    components.map(({ id, name, description, state, createdAt, updatedAt }) => [
      id,
      {
        id,
        name,
        description,
        state,
        createdAt,
        updatedAt,
        parent: null,
        children: [],
        depth: 0,
        present: [],
        history: [],
      },
    ]),
  );
  for (const { id, parentId } of components) {
    const parent = parentId === null ? undefined : views.get(parentId);
    const view = views.get(id)!;
    view.parent = parent ?? null;
    parent?.children.push(view);
  }
  // The list grows while it is walked: parents before their children.
  const ordered = [...views.values()].filter(({ parent }) => !parent);
  for (const view of ordered) {
    view.depth = view.parent ? view.parent.depth + 1 : 0;
    ordered.push(...view.children);
  }
  return views;
}

function noticeView(
  notice: SnapshotNotice,
  zone: string,
  now: Date,
  components: ReadonlyMap<number, ComponentView>,
): NoticeView {
  const { componentIds, ...rest } = notice;
  const moment = (text: string | null) => (text === null ? null : new Date(text));
  const times = {
    beginsAt: moment(notice.beginsAt),
    endsAt: moment(notice.endsAt),
    beganAt: moment(notice.beganAt),
    endedAt: moment(notice.endedAt),
  };
  return {
    ...rest,
    ...times,
    createdAt: new Date(notice.createdAt),
    updatedAt: new Date(notice.updatedAt),
    timelineState: timelineState(notice.state, times.endedAt, now),
    updates: notice.updates.map(update => ({
      ...update,
      createdAt: new Date(update.createdAt),
      updatedAt: new Date(update.updatedAt),
    })),
    components: componentIds.flatMap(id => components.get(id) ?? []),
    day: dayOf(times.endedAt ?? times.beganAt ?? times.beginsAt ?? new Date(notice.createdAt), zone),
  };
}
