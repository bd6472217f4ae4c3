import type { Database } from '../db/database.js';
import { poll } from '../db/poll.js';
import { composeUnpublishedMail } from '../notifications/messages/operator-mails.js';
import { publicUrlSql } from '../pages/public-url.js';
import { authorOrOwnersSql } from '../people/author-address.js';

/** Throws if the mail could not be sent. */
export type SendReport = (mail: ReturnType<typeof composeUnpublishedMail>) => Promise<void>;

interface FailedDraft {
  id: number;
  pageId: string;
  pageName: string;
  pageAddress: string;
  subject: string;
  error: string;
  recipients: string[];
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
    d.publish_error as error, array(${authorOrOwnersSql('d.scheduler_key', 'd.page_id')} order by 1) as recipients`;

/**
 * Reports each draft that was not published at its time once: to who scheduled it. If that was a service token, or a
 * person who is disabled or has no role on the page any more, to the owners of the page. Returns the number of mails.
 */
export async function reportFailedDrafts(database: Database, consoleOrigin: string, send: SendReport): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  for (const { id, pageId, pageName, pageAddress, recipients, ...draft } of await database.query<FailedDraft>(
    takeSql,
  )) {
    const url = `${consoleOrigin}/console/pages/${pageId}/drafts/${id}`;
    const page = { name: pageName, address: pageAddress };
    const sent = await Promise.allSettled(
      recipients.map(to => send(composeUnpublishedMail(to, page, { ...draft, url }))),
    );
    const failed = sent.filter(result => result.status === 'rejected');
    failures.push(...failed.map(({ reason }) => reason));
    count += sent.length - failed.length;
    // Those who got the mail do not get it again.
    if (failed.length && failed.length === sent.length)
      await database.query('update draft set is_error_reported = false where id = $1', [id]);
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
