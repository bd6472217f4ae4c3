import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import type { Alert } from './formats/format.js';

const maxLines = 10;
const maxLineLength = 300;
/** Of a text that becomes a line, with white space: a thousand alerts may have one long text. */
const maxReadLength = 3_000;

/** One line about an alert, in a list of several. */
export function toAlertLine({ title, text }: Pick<Alert, 'title' | 'text'>): string {
  const whole = text || title;
  const line = whole.slice(0, maxReadLength).replaceAll(/\s+/g, ' ');
  const isWhole = line.length <= maxLineLength && whole.length <= maxReadLength;
  return isWhole ? line : `${line.slice(0, maxLineLength).toWellFormed()}…`;
}

/** The text about several alerts, as Markdown: a line for each of the first ones, and how many there are beside. */
function listAlerts(lines: readonly string[], count: number): string {
  const shown = [...new Set(lines.slice(0, maxLines))].map(line => `- ${line}`);
  const others = count - Math.min(lines.length, maxLines);
  return [...shown, ...(others > 0 ? [`- and ${others} more`] : [])].join('\n');
}

const linesSql = `
  select line, (count(*) over ())::integer as count from alert
  where group_id = $1 and status = 'firing' order by line limit ${maxLines}`;

/** The text about the alerts of a group that fire; `text` is that of the alert where only one does. */
export async function describeGroup(em: EntityManager, groupId: number, text: string): Promise<string> {
  const rows = await query<{ line: string; count: number }>(em, linesSql, [groupId]);
  const lines = rows.map(({ line }) => line);
  return rows.length > 1 ? listAlerts(lines, rows[0]!.count) : text;
}
