import { flattenTree, placeComponents } from '../../components/component-tree.js';
import {
  defaultImpact,
  findWorstImpact,
  getImpact,
  hasRecovered,
  type Impact,
  worstShownImpactOf,
} from '../../notices/impact.rules.js';
import { computeTimelineState } from '../../notices/notice.states.js';
import { findSilence } from './silence.js';
import type { Locale } from '../../i18n/locales.js';
import { computeBanner } from './banner.js';
import { toCalendarDay } from './days.js';
import { computeHistory, listHistory } from './history.js';
import { toImpact } from '../../components/manual-status.rules.js';
import { winsOverManual } from '../../components/upstream/upstream.rules.js';
import { countOmitted, isComplete, isWhole } from './omitted-notices.js';
import { parseTime } from './snapshot-times.js';
import type {
  NoticeSlice,
  PageSnapshot,
  SnapshotComponent,
  SnapshotNotice,
  SnapshotPage,
  SnapshotUpdate,
} from './snapshot.js';
import {
  type ComponentView,
  getPastSpanMs,
  limitNamed,
  type Mount,
  type NoticeView,
  type PageView,
  selectFuture,
  selectPresent,
  sortByEnd,
  type UpdateView,
} from './view.js';

export interface ViewOptions {
  now: Date;
  locale: Locale;
  mount: Mount;
  staleSince: Date | null;
}

/** Selects and sorts what a page shows at a moment from a snapshot of its records. */
export function buildView(snapshot: PageSnapshot, { now, locale, mount, staleSince }: ViewOptions): PageView {
  const { page, brand } = snapshot;
  const componentsById = buildComponentTree(snapshot.components);
  const notices = limitNamed(snapshot.notices.map(notice => buildNoticeView(notice, page, now, componentsById)));
  const present = selectPresent(notices);
  const future = selectFuture(notices);
  const { components } = snapshot;
  const historySource = { page, components, now, ...(snapshot.history ?? listHistory(snapshot)) };
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
  for (const component of componentsById.values()) {
    if (!applyUpstream(component)) applyManualStatus(component);
  }
  const banner = computeBanner(present, [...componentsById.values()]);
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
    state: banner.kind === 'operational' ? 'operational' : 'degraded',
    banner,
    components: [...componentsById.values()].filter(({ parent }) => !parent),
    metrics: snapshot.metrics ?? [],
    componentsById,
    componentsByName: Map.groupBy(componentsById.values(), ({ name }) => name),
    notices,
    sliceTotal: null,
    responses: null,
    omitted,
    isComplete: isComplete(snapshot),
    present,
    future,
    general: sortByEnd(general),
    past: sortByEnd(past.filter(({ type }) => type !== 'general')),
  };
}

/** The same view with a slice of a longer list in place of the notices of the snapshot. */
export function withSlice(view: PageView, { notices, total, history, responses }: NoticeSlice): PageView {
  const { page, now, componentsById, historySource } = view;
  return {
    ...view,
    notices: limitNamed(notices.map(notice => buildNoticeView(notice, page, now, componentsById))),
    sliceTotal: total,
    responses: responses ?? null,
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
      else if (!hasRecovered(notice, component.id)) nameByIncident(component, getImpact(notice, component.id));
    }
  if (!isOneMissing) return;
  const missing = present.some(({ type }) => type === 'planned') ? 'maintenance' : 'incident';
  for (const component of components) {
    const isByUpstream = component.upstream && component.upstream.state !== 'operational';
    if (component.state !== 'degraded' || component.namedBy || isByUpstream) continue;
    if (missing === 'maintenance') component.namedBy = missing;
    else nameByIncident(component, defaultImpact);
  }
}

function nameByIncident(component: ComponentView, impact: Impact): void {
  component.namedBy = 'incident';
  component.impact = findWorstImpact([component.impact ?? impact, impact]);
}

/**
 * The worst of the states that the upstream, incidents and a manual status say counts; on a tie, not that of the
 * upstream. Returns whether the upstream replaces a manual status.
 */
function applyUpstream(component: ComponentView): boolean {
  const { upstream, manual, impact: own } = component;
  if (!upstream || !winsOverManual(upstream.state, manual?.state)) return false;
  const { state } = upstream;
  const impact = state === 'unknown' ? null : toImpact(state);
  if (impact) nameByIncident(component, impact);
  else if (state === 'maintenance') component.namedBy ??= state;
  upstream.isShown = manual !== null || !component.present.length || (impact !== null && component.impact !== own);
  component.manual = null;
  return true;
}

/** A manual status counts in place of the notices that name the component. */
function applyManualStatus(component: ComponentView): void {
  if (!component.manual) return;
  const { state } = component.manual;
  component.impact = toImpact(state);
  component.namedBy = component.impact ? 'incident' : state === 'maintenance' ? state : null;
}

function buildComponentTree(components: readonly SnapshotComponent[]): Map<number, ComponentView> {
  const views = new Map<number, ComponentView>(
    components.map(({ id, name, description, state, position, manual, upstream, createdAt, updatedAt }) => [
      id,
      {
        id,
        name,
        description,
        state,
        position,
        manual: manual ? { ...manual, beganAt: new Date(manual.beganAt) } : null,
        upstream: upstream
          ? { ...upstream, host: new URL(upstream.url).host, beganAt: new Date(upstream.beganAt), isShown: false }
          : null,
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
  for (const [id, parentId] of placeComponents(components)) {
    const view = views.get(id)!;
    view.parent = parentId === null ? null : views.get(parentId)!;
    view.parent?.children.push(view);
  }
  const roots = [...views.values()].filter(({ parent }) => !parent);
  for (const view of flattenTree(roots)) view.depth = view.parent ? view.parent.depth + 1 : 0;
  return views;
}

function buildNoticeView(
  notice: SnapshotNotice,
  page: SnapshotPage,
  now: Date,
  components: ReadonlyMap<number, ComponentView>,
): NoticeView {
  const { componentIds, updateCount = notice.updates.length, ...rest } = notice;
  const silence = findSilence(notice, page);
  const times = {
    beginsAt: parseTime(notice.beginsAt),
    endsAt: parseTime(notice.endsAt),
    beganAt: parseTime(notice.beganAt),
    endedAt: parseTime(notice.endedAt),
    nextUpdateBy: parseTime(notice.nextUpdateBy),
    silentSince: silence && silence.staleAt <= now ? silence.since : null,
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
    omittedUpdates: updateCount - notice.updates.length,
    isWhole: isWhole(notice),
    postmortem: notice.updates.filter(({ kind }) => kind === 'postmortem').map(toUpdateView)[0] ?? null,
    components: componentIds.flatMap(id => components.get(id) ?? []),
    named: [],
    worstImpact: worstShownImpactOf(notice),
    day: toCalendarDay(times.endedAt ?? times.beganAt ?? times.beginsAt ?? new Date(notice.createdAt), page.zone),
  };
}
