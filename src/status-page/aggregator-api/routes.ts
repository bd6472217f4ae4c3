import { textsOf } from '../../i18n/translator.js';
import { absolute } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import type { Face } from '../server/public-route.js';
import { jsonText } from '../server/json-body.js';
import type { NoticeView, PageView } from '../view/view.js';
import { aggregatedComponents } from './components.js';
import { aggregatedIncident } from './incidents.js';
import { indicatorOf } from './mapping.js';

/** The public interface of Atlassian Statuspage, read only: what programs that watch many pages at once know how to read. */
export const aggregatorFaces: readonly Face[] = [
  face('summary', view => ({
    components: [...aggregatedComponents(view).values()],
    incidents: incidents(view, isUnresolved),
    scheduled_maintenances: incidents(view, notice => isUpcoming(notice) || isActive(notice)),
    status: status(view),
  })),
  face('status', view => ({ status: status(view) })),
  face('components', view => ({ components: [...aggregatedComponents(view).values()] })),
  face('incidents', view => ({ incidents: incidents(view, ({ type }) => type === 'unplanned') })),
  face('incidents/unresolved', view => ({ incidents: incidents(view, isUnresolved) })),
  face('scheduled-maintenances', view => ({
    scheduled_maintenances: incidents(view, ({ type }) => type === 'planned'),
  })),
  face('scheduled-maintenances/upcoming', view => ({ scheduled_maintenances: incidents(view, isUpcoming) })),
  face('scheduled-maintenances/active', view => ({ scheduled_maintenances: incidents(view, isActive) })),
];

function face(name: string, content: (view: PageView) => object): Face {
  return {
    path: `api/v2/${name}.json`,
    query: ['lang'],
    draw: view => ({ type: 'application/json; charset=utf-8', body: jsonText({ page: page(view), ...content(view) }) }),
  };
}

function page(view: PageView) {
  const { id, name, zone, updatedAt } = view.page;
  const changes = [updatedAt, ...[...view.componentsById.values()].map(component => component.updatedAt)].map(
    Date.parse,
  );
  const last = Math.max(...changes, ...view.notices.map(notice => notice.updatedAt.getTime()));
  return {
    id,
    name,
    url: absolute(view, '').replace(/\/$/, ''),
    time_zone: zone,
    updated_at: new Date(last).toISOString(),
  };
}

function status(view: PageView) {
  return { indicator: indicatorOf(view), description: bannerText(view.banner, textsOf(view.locale)) };
}

/** As many as the original gives, newest first. */
const noticesAtMost = 50;

function incidents(view: PageView, isMeant: (notice: NoticeView) => boolean) {
  const components = aggregatedComponents(view);
  return view.notices
    .filter(isMeant)
    .slice(0, noticesAtMost)
    .map(notice => aggregatedIncident(notice, view, components));
}

const isUnresolved = ({ type, timelineState }: NoticeView) => type === 'unplanned' && timelineState === 'present';
const isUpcoming = ({ type, timelineState }: NoticeView) => type === 'planned' && timelineState === 'future';
const isActive = ({ type, timelineState }: NoticeView) => type === 'planned' && timelineState === 'present';
