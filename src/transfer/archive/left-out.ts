import type { RunQuery } from '../../db/prepared-statements.js';
import { push } from '../../notifications/channels/push.js';
import { chatHosts } from '../../notifications/channels/webhook-formats.js';

/** How many of each an archive without secrets lacks. */
export type LeftOut = Record<string, number>;

const chats = Object.keys(chatHosts).map(name => `'${name}'`);
const isChat = `format in (${chats.join(', ')})`;
const isProgram = `not ${isChat} and format <> '${push.name}'`;

/** SQL: what the pages `$1` have of it. */
const secretRows: Record<string, string> = {
  webhooks: 'webhook where page_id = any($1) and url_hash is null',
  'webhooks of visitors': `webhook where page_id = any($1) and url_hash is not null and ${isProgram}`,
  'chats of visitors': `webhook where page_id = any($1) and url_hash is not null and ${isChat}`,
  browsers: `webhook where page_id = any($1) and format = '${push.name}'`,
  'addresses of channels': 'channel_target where page_id = any($1) and target is not null',
  'addresses of alert sources': 'alert_source where page_id = any($1)',
  'passwords of pages': 'page where id = any($1) and password_hash is not null',
};

export async function countLeftOut(run: RunQuery, pageIds: string[]): Promise<LeftOut> {
  const leftOut: LeftOut = {};
  for (const [name, rows] of Object.entries(secretRows)) {
    const [count] = await run<{ rows: number }>(`select count(*)::integer as rows from ${rows}`, [pageIds]);
    if (count!.rows) leftOut[name] = count!.rows;
  }
  return leftOut;
}

/** Lines of a command; none where nothing was left out. */
export function renderLeftOut(leftOut: LeftOut): string {
  const lines = Object.entries(leftOut).map(([name, count]) => `${count}\t${name}\n`);
  return lines.length ? `Left out without --secrets:\n${lines.join('')}` : '';
}
