import { flattenTree, linkTree, listAncestors } from '../../components/component-tree.js';
import type { PageMonthReport } from './month-report.resolver.js';
import { maxNotices } from './report-period.js';
import { addDays, monthRange } from '../view/days.js';
import { createHistory } from '../view/history.js';
import type { HistorySource } from '../view/outages.js';
import { listDays } from '../view/months.js';
import { parseTime } from '../view/snapshot-times.js';
import { computeResponseStatistics, computeSecondsToFirstUpdate, type Responses } from '../view/response-statistics.js';

/** What reports are computed from: public data of a page. */
export interface ReportSource extends Omit<HistorySource, 'components'> {
  components: { id: number; parentId: number | null; name: string; createdAt: string }[];
  /** Those that began, without false alarms, newest first. */
  begun: {
    id: number;
    type: 'unplanned' | 'planned';
    subject: string;
    link: string;
    beganAt: string;
    endedAt: string | null;
    firstUpdateAt: string;
    /** False: it was over when it was entered. */
    wasLive: boolean;
  }[];
  deadlines: Responses['deadlines'];
}

/** Months before `month`, newest first: `2026-11`, `2026-10`. */
export function listMonths(month: string, count: number): string[] {
  const months = [month];
  while (months.length < count) months.push(addDays(`${months.at(-1)}-01`, -1).slice(0, 7));
  return months;
}

/** The report of a month, of which only what is over by then counts. */
export function buildMonthReport(source: ReportSource, month: string): PageMonthReport {
  const { page, begun, deadlines } = source;
  const { from, to } = monthRange(month, page.zone);
  const until = new Date(Math.min(source.now.getTime(), Date.parse(to)));
  const isWithin = (time: string) => time >= from && time < to;
  // What is open now need not be in a month to come.
  const hasBegun = source.now.toISOString() >= new Date(from).toISOString();
  const listed = begun.filter(
    ({ beganAt, endedAt }) => hasBegun && beganAt < to && (endedAt === null || endedAt >= from),
  );
  const incidents = listed.filter(({ type }) => type === 'unplanned');
  const statistics = computeResponseStatistics(
    {
      incidents: incidents.filter(({ beganAt, wasLive }) => wasLive && isWithin(beganAt)),
      deadlines: deadlines.filter(({ dueAt }) => isWithin(dueAt)),
    },
    source.now,
  );
  return {
    month,
    timezone: page.zone,
    beginsAt: new Date(from),
    endsAt: new Date(to),
    components: reportComponents({ ...source, now: until }, listDays(month)),
    incidentCount: incidents.length,
    maintenanceCount: listed.length - incidents.length,
    notices: listed.slice(0, maxNotices).map(({ id, wasLive, ...notice }) => ({
      ...notice,
      noticeId: id,
      beganAt: new Date(notice.beganAt),
      endedAt: parseTime(notice.endedAt),
      firstUpdateSeconds: notice.type === 'unplanned' && wasLive ? computeSecondsToFirstUpdate(notice) : null,
    })),
    medianFirstUpdateSeconds: statistics.medianSeconds,
    longestFirstUpdateSeconds: statistics.longestSeconds,
    nextUpdateDeadlines: statistics.deadlines,
  };
}

/** About how many characters the report of a month has, with those of its components. */
export const estimateReport = (components: ReportSource['components']): number =>
  flattenTree(linkTree(components)).reduce((sum, component) => {
    const groups = component.children.length ? [] : listAncestors(component);
    return sum + charactersOfComponent + [component, ...groups].reduce((length, { name }) => length + name.length, 0);
  }, 0);

const charactersOfComponent = 100;

function reportComponents(source: ReportSource, days: readonly string[]): PageMonthReport['components'] {
  const history = createHistory(source, days);
  return flattenTree(linkTree(source.components))
    .filter(({ children }) => !children.length)
    .map(component => ({
      componentId: component.id,
      name: component.name,
      groups: listAncestors(component)
        .map(({ name }) => name)
        .reverse(),
      uptime: history.getUptime(component.id),
      outageMinutes: history
        .getComponentDays(component.id)
        .reduce((sum, { minutes }) => sum + minutes['partial-outage'] + minutes['major-outage'], 0),
    }))
    .sort((one, other) => (one.uptime ?? 1) - (other.uptime ?? 1) || other.outageMinutes - one.outageMinutes);
}
