import { getTranslator } from '../../i18n/translator.js';
import { findLatestChange } from '../view/latest-change.js';
import { byStart } from '../../notices/notice.order.js';
import { pageUrl } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import type { PublicRoute } from '../routing/public-route.js';
import { renderJson } from '../routing/responses.js';
import type { NoticeView, PageView } from '../view/view.js';
import { type AggregatorComponent, toAggregatorComponents } from './components.js';
import { toAggregatorIncident } from './incidents.js';
import { toIndicator } from './mapping.js';

/** The public, read-only API of Atlassian Statuspage, the format that most status aggregators read. */
export const aggregatorRoutes: readonly PublicRoute[] = [
  createRoute('summary', view => ({
    components: [...toAggregatorComponents(view).values()],
    incidents: listIncidents(view, isUnresolved),
    scheduled_maintenances: listIncidents(view, notice => isUpcoming(notice) || isActive(notice)),
    status: buildStatus(view),
  })),
  createRoute('status', view => ({ status: buildStatus(view) })),
  createRoute('components', view => ({ components: [...toAggregatorComponents(view).values()] })),
  createRoute('incidents', view => ({ incidents: listIncidents(view, ({ type }) => type === 'unplanned') })),
  createRoute('incidents/unresolved', view => ({ incidents: listIncidents(view, isUnresolved) })),
  createRoute('scheduled-maintenances', view => ({
    scheduled_maintenances: listIncidents(view, ({ type }) => type === 'planned'),
  })),
  createRoute('scheduled-maintenances/upcoming', view => ({
    scheduled_maintenances: listIncidents(view, isUpcoming),
  })),
  createRoute('scheduled-maintenances/active', view => ({ scheduled_maintenances: listIncidents(view, isActive) })),
];

function createRoute(name: string, buildContent: (view: PageView) => object): PublicRoute {
  return {
    path: `api/v2/${name}.json`,
    query: ['lang'],
    render: view => renderJson({ page: buildPage(view), ...buildContent(view) }),
  };
}

function buildPage(view: PageView) {
  const { id, name, zone } = view.page;
  return { id, name, url: pageUrl(view), time_zone: zone, updated_at: findLatestChange(view).toISOString() };
}

function buildStatus(view: PageView) {
  return { indicator: toIndicator(view), description: bannerText(view.banner, getTranslator(view.locale)) };
}

/** The limit of Statuspage. Those that began last are listed. */
const maxIncidents = 50;

function listIncidents(view: PageView, isIncluded: (notice: NoticeView) => boolean) {
  const lookUp = limitDescriptions(toAggregatorComponents(view));
  return view.notices
    .filter(isIncluded)
    .sort(byStart)
    .slice(0, maxIncidents)
    .map(notice => toAggregatorIncident(notice, view, lookUp));
}

/** In bytes, of the descriptions of components in all incidents: as many as those of a page have. */
const maxDescriptions = 500_000;

/** Looks up components for incidents, each of which may name the same ones: those beyond have no description. */
function limitDescriptions(components: ReadonlyMap<number, AggregatorComponent>) {
  let left = maxDescriptions;
  return (id: number): AggregatorComponent => {
    const component = components.get(id)!;
    const bytes = Buffer.byteLength(component.description ?? '');
    if (bytes > left) return { ...component, description: null };
    left -= bytes;
    return component;
  };
}

const isUnresolved = ({ type, timelineState }: NoticeView) => type === 'unplanned' && timelineState === 'present';
const isUpcoming = ({ type, timelineState }: NoticeView) => type === 'planned' && timelineState === 'future';
const isActive = ({ type, timelineState }: NoticeView) => type === 'planned' && timelineState === 'present';
