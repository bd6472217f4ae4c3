import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../core/escape-formula.js';
import type { PageMonthReport } from './month-report.resolver.js';

const header = ['month', 'figure', 'component_id', 'component', 'value'];

/** A row for each figure of each month, so that a spreadsheet can pivot them. An unknown value is blank. */
export const writeReportsCsv = (reports: readonly PageMonthReport[]): string =>
  stringify([header, ...reports.flatMap(listCounts)], { record_delimiter: '\r\n' });

function listCounts(report: PageMonthReport): unknown[][] {
  const { month, components, nextUpdateDeadlines } = report;
  const ofPage = {
    incidents: report.incidentCount,
    maintenances: report.maintenanceCount,
    median_first_update_seconds: report.medianFirstUpdateSeconds,
    longest_first_update_seconds: report.longestFirstUpdateSeconds,
    deadlines: nextUpdateDeadlines.made,
    deadlines_on_time: nextUpdateDeadlines.onTime,
    deadlines_late: nextUpdateDeadlines.late,
  };
  return [
    ...Object.entries(ofPage).map(([figure, value]) => [month, figure, '', '', value]),
    ...components.flatMap(({ componentId, name, uptime, outageMinutes }) => [
      [month, 'uptime', componentId, escapeFormula(name), uptime],
      [month, 'outage_minutes', componentId, escapeFormula(name), outageMinutes],
    ]),
  ];
}
