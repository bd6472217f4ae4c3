import { defaultColours } from '../../pages/branding/colour.js';
import { getTranslator, type Translator } from '../../i18n/translator.js';
import { buttonWithUrl, composeMail, entry, footnote, heading, paragraph } from './mail-blocks.js';

/** What the mail says of a month. */
interface ReportedMonth {
  month: string;
  /** In the tz database. */
  timezone: string;
  /** The worst first. */
  components: { name: string; groups: string[]; uptime: number | null; outageMinutes: number }[];
  /** Newest first; not all where there are very many. */
  notices: {
    type: 'unplanned' | 'planned';
    subject: string;
    link: string;
    beganAt: Date;
    endedAt: Date | null;
    firstUpdateSeconds: number | null;
  }[];
  incidentCount: number;
  maintenanceCount: number;
  medianFirstUpdateSeconds: number | null;
  longestFirstUpdateSeconds: number | null;
  nextUpdateDeadlines: { onTime: number; late: number };
}

const maxComponents = 50;
const maxIncidents = 25;

/** The report of a month to an owner of its page, in English like all that is for operators. */
export function composeReportMail(
  to: string,
  page: { name: string; address: string },
  report: ReportedMonth,
  url: string,
) {
  const translator = getTranslator('en');
  const { incidentCount, maintenanceCount, nextUpdateDeadlines, components } = report;
  const { medianFirstUpdateSeconds: median, longestFirstUpdateSeconds: longest } = report;
  const subject = `Report for ${translator.formatMonth(report.month)}: ${page.name}`;
  const toDuration = (seconds: number) => translator.formatDuration(seconds * 1000);
  const summary = [
    incidentCount ? count(incidentCount, 'incident') : 'No incidents',
    maintenanceCount ? count(maintenanceCount, 'maintenance window') : 'no maintenance',
  ].join(', ');
  const due = nextUpdateDeadlines.onTime + nextUpdateDeadlines.late;
  const affected = components.filter(({ outageMinutes }) => outageMinutes > 0);
  const others = components.length - affected.length;
  const incidents = report.notices.filter(({ type }) => type === 'unplanned');
  return composeMail({
    to,
    translator,
    sender: { ...page, brand: defaultColours },
    subject,
    heading: subject,
    preview: summary,
    body: [
      paragraph(`${summary}.`),
      buttonWithUrl('Open the report', url),
      ...(median === null || longest === null
        ? []
        : [entry('Time to the first update', `Median ${toDuration(median)}, longest ${toDuration(longest)}`)]),
      ...(due ? [entry('Promised updates that came on time', `${nextUpdateDeadlines.onTime} of ${due}`)] : []),
      ...(incidents.length ? [heading('Incidents')] : []),
      ...incidents
        .slice(0, maxIncidents)
        .map(incident =>
          entry(incident.subject, describeIncident(incident, report.timezone, translator), incident.link),
        ),
      ...listMore(incidentCount - Math.min(incidents.length, maxIncidents), 'incident'),
      ...(components.length ? [heading('Uptime')] : []),
      ...affected.slice(0, maxComponents).map(({ name, groups, uptime, outageMinutes }) => {
        const share =
          uptime === null
            ? 'Less than seven days are known'
            : `${translator.formatPercentage(Math.floor(uptime * 10_000) / 10_000)} uptime`;
        return entry([...groups, name].join(' › '), `${share}, ${toDuration(outageMinutes * 60)} of outages`);
      }),
      ...listMore(affected.length - maxComponents, 'component'),
      ...(others
        ? [paragraph(`${count(others, affected.length ? 'other component' : 'component')} without an outage.`)]
        : []),
    ],
    footer: [footnote('You get this as an owner of the page. “Mail a report of each month” in its settings ends it.')],
  });
}

/** "12 Oct, 14:02 CEST · 48 minutes · first update after 3 minutes" */
function describeIncident(
  { beganAt, endedAt, firstUpdateSeconds }: ReportedMonth['notices'][number],
  zone: string,
  translator: Translator,
): string {
  const duration = endedAt ? translator.formatDuration(endedAt.getTime() - beganAt.getTime()) : 'open';
  const firstUpdate =
    firstUpdateSeconds === null
      ? 'entered after its end'
      : `first update after ${translator.formatDuration(firstUpdateSeconds * 1000)}`;
  return [translator.formatShortDateTime(beganAt, zone, beganAt), duration, firstUpdate].join(' · ');
}

const listMore = (number: number, noun: string) =>
  number > 0 ? [paragraph(`And ${number} more ${noun}${number === 1 ? '' : 's'}.`)] : [];

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
