import { badRequest } from '../core/errors.js';
import type { RunRead } from '../db/prepared-statements.js';
import type { ContactMethod } from './subscription-request.service.js';

export type StatisticsInterval = 'day' | 'month';

interface Range {
  firstDay: string;
  lastDay: string;
  interval: StatisticsInterval;
}

interface Counts {
  subscribers: number;
  added: number;
  ended: number;
}

/** Of the daily counts. */
type CountedChannel = ContactMethod | 'webhook' | 'push';

export interface ChannelCounts extends Counts {
  channel: CountedChannel;
}

export interface PeriodStatistics {
  firstDay: string;
  channels: ChannelCounts[];
}

const countedChannels: CountedChannel[] = ['email', 'sms', 'webhook', 'push'];

const maxPeriods = 400;

interface StoredCounts {
  channel: CountedChannel;
  /** The first day of the period; empty before the first one. */
  period: string;
  added: number;
  ended: number;
}

/** $2: the first day of the first period, $3: the last day, $4: the interval. */
const countsSql = `
  select json_build_object('today', (clock_timestamp() at time zone 'UTC')::date, 'counts', coalesce(json_agg(c), '[]'))
    ::text as body
  from (
    select channel, case when day < $2::date then '' else date_trunc($4, day)::date::text end as period,
      sum(added)::int as added, sum(ended)::int as ended
    from subscriber_count where page_id = $1 and day <= $3::date group by 1, 2) c`;

/** Sums the daily counts, which triggers of the tables of subscribers and webhooks write. */
export async function readSubscriberStatistics(
  read: RunRead,
  pageId: string,
  range: Range,
): Promise<PeriodStatistics[]> {
  const { interval } = range;
  const from = parseDay('firstDay', range.firstDay);
  const to = parseDay('lastDay', range.lastDay);
  if (to < from) throw badRequest('`lastDay` must not be before `firstDay`.', ['lastDay']);
  const first = interval === 'month' ? `${from.slice(0, 7)}-01` : from;
  const row = await read(countsSql, [pageId, first, to, interval]);
  const { today, counts } = JSON.parse(row!.body) as { today: string; counts: StoredCounts[] };
  const periods = listPeriods(first, to < today ? to : today, interval);
  const countsOf = (channel: CountedChannel, period: string) =>
    counts.find(stored => stored.channel === channel && stored.period === period) ?? { added: 0, ended: 0 };
  const total = (channel: CountedChannel) => {
    const { added, ended } = countsOf(channel, '');
    return added - ended;
  };
  const totals = { email: total('email'), sms: total('sms'), webhook: total('webhook'), push: total('push') };
  const advance = (channel: CountedChannel, period: string): Counts => {
    const { added, ended } = countsOf(channel, period);
    totals[channel] += added - ended;
    return { subscribers: totals[channel], added, ended };
  };
  return periods.map(firstDay => ({
    firstDay,
    channels: countedChannels.map(channel => ({ channel, ...advance(channel, firstDay) })),
  }));
}

function parseDay(name: string, text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);
  if (!isDay) throw badRequest(`\`${name}\` must be a day, such as 2026-11-29.`, [name]);
  return text;
}

/** The first days of the periods from one day to another. */
function listPeriods(first: string, to: string, interval: StatisticsInterval): string[] {
  const day = new Date(`${first}T00:00:00Z`);
  const periods: string[] = [];
  for (let text = toDay(day); text <= to; text = toDay(day)) {
    if (periods.length === maxPeriods)
      throw badRequest(`There may be at most ${maxPeriods} periods from \`firstDay\` to \`lastDay\`.`, ['lastDay']);
    periods.push(text);
    if (interval === 'month') day.setUTCMonth(day.getUTCMonth() + 1);
    else day.setUTCDate(day.getUTCDate() + 1);
  }
  return periods;
}

const toDay = (date: Date): string => date.toISOString().slice(0, 10);
