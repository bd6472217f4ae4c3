import { defaultColours } from '../../pages/branding/colour.js';
import { getTranslator } from '../../i18n/translator.js';
import { buttonWithUrl, composeMail, entry, footnote, heading, paragraph } from './mail-blocks.js';

/** What the mail says of a month. */
interface ReportedMonth {
  month: string;
  components: { name: string; uptime: number | null; outageMinutes: number }[];
  incidentCount: number;
  maintenanceCount: number;
  medianFirstUpdateSeconds: number | null;
  longestFirstUpdateSeconds: number | null;
  nextUpdateDeadlines: { onTime: number; late: number };
}

const maximumComponents = 50;

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
  const summary = `${count(incidentCount, 'incident')}, ${count(maintenanceCount, 'maintenance')}`;
  const due = nextUpdateDeadlines.onTime + nextUpdateDeadlines.late;
  const more = components.length - maximumComponents;
  return composeMail({
    to,
    translator,
    sender: { ...page, brand: defaultColours },
    subject,
    heading: subject,
    preview: summary,
    body: [
      paragraph(`${summary}.`),
      ...(median === null || longest === null
        ? []
        : [entry('Time to the first update', `Median ${toDuration(median)}, longest ${toDuration(longest)}`)]),
      ...(due ? [entry('Promised updates that came on time', `${nextUpdateDeadlines.onTime} of ${due}`)] : []),
      ...(components.length ? [heading('Uptime')] : []),
      ...components.slice(0, maximumComponents).map(({ name, uptime, outageMinutes }) => {
        const share =
          uptime === null
            ? 'Less than seven days are known'
            : translator.formatPercentage(Math.floor(uptime * 10_000) / 10_000);
        return entry(name, outageMinutes ? `${share}, ${toDuration(outageMinutes * 60)} of outages` : share);
      }),
      ...(more > 0 ? [paragraph(`And ${count(more, 'component')} more.`)] : []),
      buttonWithUrl('Open the report', url),
    ],
    footer: [footnote('You get this as an owner of the page. “Mail a report of each month” in its settings ends it.')],
  });
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
