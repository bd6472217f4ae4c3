import type { Database } from '../db/database.js';
import { poll } from '../db/poll.js';
import { composeUnpublishedMail } from '../notifications/messages/operator-mails.js';
import { publicUrlSql } from '../pages/public-url.js';
import { authorAddressSql } from '../people/author-address.js';

/** Throws if the mail could not be sent. */
export type SendReport = (mail: ReturnType<typeof composeUnpublishedMail>) => Promise<void>;

interface FailedDraft {
  id: number;
  pageId: string;
  pageName: string;
  pageAddress: string;
  subject: string;
  error: string;
  /** Null: a service token scheduled it, or the person has no role on the page any more. */
  to: string | null;
}

/** Marked before the mail is sent: of several processes one reports an error, and a crash loses a mail at most. */
const takeSql = `
  with failed as (
    select id from draft where publish_error is not null and not is_error_reported
    order by id limit 100 for update skip locked
  )
  update draft d set is_error_reported = true from failed, page p where d.id = failed.id and p.id = d.page_id
  returning d.id, d.page_id as "pageId", p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress",
    coalesce(d.input #>> array[d.verb, 'subject'], (select n.subject from notice n where n.id = d.notice_id), 'a draft')
      as subject,
    d.publish_error as error, (${authorAddressSql('d.scheduler_key', 'd.page_id')}) as "to"`;

/** Reports each draft that was not published at its time once, to who scheduled it. Returns the number of mails. */
export async function reportFailedDrafts(database: Database, consoleOrigin: string, send: SendReport): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  for (const { id, pageId, pageName, pageAddress, to, ...draft } of await database.query<FailedDraft>(takeSql)) {
    if (!to) continue;
    const url = `${consoleOrigin}/console/pages/${pageId}/drafts/${id}`;
    try {
      await send(composeUnpublishedMail(to, { name: pageName, address: pageAddress }, { ...draft, url }));
      count += 1;
    } catch (error) {
      failures.push(error);
      await database.query('update draft set is_error_reported = false where id = $1', [id]);
    }
  }
  if (failures.length) throw failures[0];
  return count;
}

const pollIntervalMs = 60_000;

export const startDraftReports = (database: Database, consoleOrigin: string, send: SendReport): (() => Promise<void>) =>
  poll(
    () => reportFailedDrafts(database, consoleOrigin, send),
    pollIntervalMs,
    'drafts that were not published could not be reported',
    database.log,
  );
