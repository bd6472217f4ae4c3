import { useState } from 'react';
import { SubscriberStatisticsDocument, type SubscriberStatisticsQuery } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { Chips } from '../ui/chips.tsx';
import { formatCount } from '../ui/format-count.ts';
import styles from './statistics.module.css';

type Read = NonNullable<SubscriberStatisticsQuery['page']>['subscriberStatistics'][number];
type Counts = Omit<Read['channels'][number], 'channel'>;

/** The counts of each channel by its name. */
type Period = Record<Channel, Counts> & { firstDay: string };

const channels = { email: 'by e-mail', sms: 'by SMS', webhook: 'by webhook or chat', push: 'by push message' } as const;
type Channel = keyof typeof channels;

const toPeriod = ({ firstDay, channels: counts }: Read): Period => ({
  firstDay,
  ...(Object.fromEntries(counts.map(({ channel, ...rest }) => [channel.toLowerCase(), rest])) as Record<
    Channel,
    Counts
  >),
});

const intervals = ['DAY', 'MONTH'] as const;
const lengths = { DAY: '90 days', MONTH: '12 months' };

/** The first day of the last 90 days, or of the last 12 months, in UTC like the statistics. */
function findFirstDay(interval: keyof typeof lengths): string {
  const day = new Date();
  if (interval === 'DAY') day.setUTCDate(day.getUTCDate() - 89);
  else day.setUTCMonth(day.getUTCMonth() - 11, 1);
  return toDay(day);
}

const toDay = (date: Date): string => date.toISOString().slice(0, 10);

/** How many subscribers the page had over time: a sentence for each channel, a chart, and its numbers as a table. */
export function SubscriberStatistics({ pageId }: { pageId: string }) {
  const [interval, setInterval] = useState<keyof typeof lengths>('DAY');
  const range = { firstDay: findFirstDay(interval), lastDay: toDay(new Date()), interval };
  const { data } = useLazyRead(SubscriberStatisticsDocument, { pageId, ...range });
  const statistics = (data?.page?.subscriberStatistics ?? []).map(toPeriod);
  const shown = (Object.keys(channels) as Channel[]).filter(channel =>
    statistics.some(period => period[channel].subscribers || period[channel].ended),
  );
  if (!shown.length) return null;
  return (
    <section className={styles.statistics} aria-label="Subscribers over time">
      <Chips
        legend="Over time"
        values={[...intervals]}
        chosen={interval}
        describe={value => lengths[value]}
        onChoose={setInterval}
      />
      <ul className={styles.legend}>
        {shown.map(channel => (
          <li key={channel} className={styles[channel]}>
            {describe(statistics, channel)}
          </li>
        ))}
      </ul>
      <Chart statistics={statistics} shown={shown} />
      <details>
        <summary>Show the numbers</summary>
        <StatisticsTable statistics={statistics} shown={shown} />
      </details>
    </section>
  );
}

function describe(statistics: Period[], channel: Channel): string {
  const sum = (name: 'added' | 'ended') => statistics.reduce((total, period) => total + period[channel][name], 0);
  const present = formatCount(statistics.at(-1)![channel].subscribers);
  return `${present} ${channels[channel]}: ${formatCount(sum('added'))} came, ${formatCount(sum('ended'))} went`;
}

interface Parts {
  statistics: Period[];
  shown: Channel[];
}

/** The sentences above and the table below say the same, so it is hidden from screen readers. */
function Chart({ statistics, shown }: Parts) {
  const most = Math.max(1, ...statistics.flatMap(period => shown.map(channel => period[channel].subscribers)));
  const toPoints = (channel: Channel) =>
    statistics
      .map((period, index) => {
        const x = (100 * index) / Math.max(1, statistics.length - 1);
        return `${x.toFixed(2)},${(100 - (100 * period[channel].subscribers) / most).toFixed(2)}`;
      })
      .join(' ');
  return (
    <div className={styles.chart} aria-hidden="true">
      <small>{formatCount(most)}</small>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {shown.map(channel => (
          <polyline key={channel} className={styles[channel]} points={toPoints(channel)} />
        ))}
      </svg>
      <small>{statistics[0]!.firstDay}</small>
      <small>{statistics.at(-1)!.firstDay}</small>
    </div>
  );
}

const StatisticsTable = ({ statistics, shown }: Parts) => (
  <table>
    <thead>
      <tr>
        <th scope="col">From</th>
        {shown.map(channel => (
          <th key={channel} scope="col">
            {channels[channel]} (came, went)
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {statistics.toReversed().map(({ firstDay, ...counts }) => (
        <tr key={firstDay}>
          <th scope="row">{firstDay}</th>
          {shown.map(channel => (
            <td key={channel}>
              {formatCount(counts[channel].subscribers)} ({formatCount(counts[channel].added)},{' '}
              {formatCount(counts[channel].ended)})
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
