import { describeRefusal, Refusal } from '../core/errors.js';
import { KeyedQueue } from '../core/queues/keyed-queue.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { poll } from '../db/poll.js';
import { loadDraft } from '../drafts/draft.service.js';
import type { InputFormat } from '../drafts/input-format.js';
import { channelByName, channelNames, labelInSentence } from '../notifications/channels/registry.js';
import { composeAlertMail } from '../notifications/messages/operator-mails.js';
import { type PreviewServices, previewChange } from '../notifications/preview/preview.service.js';
import { PublicationPreview } from '../notifications/preview/preview.fields.js';
import { publicUrlSql } from '../pages/public-url.js';
import { pagePublishersSql } from '../people/page-owners.js';
import { Writer } from '../records/writer.js';

/** Throws if the mail could not be sent. */
export type SendReport = (mail: ReturnType<typeof composeAlertMail>) => Promise<void>;

/** What describes a draft. */
export interface DraftReader {
  database: Database;
  draftFormat: InputFormat;
  consoleOrigin: string;
}

interface Reporter extends DraftReader {
  send: SendReport;
}

export interface UnreportedDraft {
  groupId: number;
  draftId: string;
  pageId: string;
  pageName: string;
  pageAddress: string;
  source: string;
  subject: string;
  recipients: string[];
}

/**
 * Takes drafts that were not reported yet. Marked before a message is sent: of several processes one reports a draft,
 * and a crash loses a message at most.
 */
export const takeDrafts = (
  { query }: Pick<Database, 'query'>,
  column: 'reported_draft_id' | 'pushed_draft_id',
): Promise<UnreportedDraft[]> =>
  query(`
  with due as (
    select g.id, d.id as draft_id from alert_group g join draft d on d.id = g.latest_draft_id
    where g.${column} is distinct from g.latest_draft_id and g.latest_draft_id is not null
    order by g.id limit 20 for update of g skip locked
  )
  update alert_group g set ${column} = due.draft_id
  from due, page p, alert_source s, draft d
  where g.id = due.id and p.id = g.page_id and s.id = g.source_id and d.id = due.draft_id
  returning g.id as "groupId", d.id::text as "draftId", p.id as "pageId", p.name as "pageName",
    ${publicUrlSql('p.id')} as "pageAddress", s.name as source,
    coalesce((select n.subject from notice n where n.id = d.notice_id), d.input #>> array[d.verb, 'subject'], g.title)
      as subject,
    array(${pagePublishersSql('p.id')} order by 1) as recipients`);

/** Sends a mail about each draft that was made of alerts to those who may publish it. Returns the number of mails. */
export async function reportAlertDrafts(reporter: Reporter): Promise<number> {
  const { database, send } = reporter;
  const failures: unknown[] = [];
  let count = 0;
  for (const draft of await takeDrafts(database, 'reported_draft_id')) {
    let sent = 0;
    try {
      const content = await describeDraft(reporter, draft);
      const page = { name: draft.pageName, address: draft.pageAddress };
      for (const to of draft.recipients) {
        await send(composeAlertMail(to, page, content));
        sent += 1;
      }
    } catch (error) {
      failures.push(error);
      // Those who got the mail do not get it again.
      if (!sent) await database.query('update alert_group set reported_draft_id = null where id = $1', [draft.groupId]);
    }
    count += sent;
  }
  if (failures.length) throw failures[0];
  return count;
}

export async function describeDraft(
  { database, draftFormat, consoleOrigin }: DraftReader,
  { pageId, draftId, source, subject }: UnreportedDraft,
): Promise<Parameters<typeof composeAlertMail>[2]> {
  const write = new Writer(database);
  const url = `${consoleOrigin}/console/pages/${pageId}/drafts/${draftId}`;
  try {
    const change = await loadDraft(write, draftFormat, pageId, draftId);
    const parts = { audiences: true, warnings: false, page: false };
    const preview = new PublicationPreview(
      await previewChange(write, createPreviewServices(database), pageId, change, parts),
    );
    return {
      ...{ source, subject, problem: preview.hash ? null : 'Published as it is, it would change nothing.' },
      mail: preview.messages?.mail ?? null,
      audience: preview.audience
        .toSorted(byChannel)
        .map(({ channel, count }) => `${count} by ${labelInSentence(channelByName[channel])}`),
      url: preview.hash ? `${url}?preview=${encodeURIComponent(preview.hash)}` : url,
    };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : toRefusal(error);
    if (!refusal || refusal.code === 'UNAVAILABLE') throw error;
    return { source, subject, url, mail: null, audience: [], problem: describeRefusal(refusal) };
  }
}

type Counted = Pick<PublicationPreview['audience'][number], 'channel'>;
const byChannel = (one: Counted, other: Counted) =>
  channelNames.indexOf(one.channel) - channelNames.indexOf(other.channel);

/** Without what the preview of a page needs, which a mail has not. */
const createPreviewServices = (database: Database): PreviewServices => ({
  query: database.queryPrepared,
  loadPage: () => Promise.reject(new Error('A mail shows no page.')),
  queue: new KeyedQueue(),
  yieldToWrites: () => Promise.resolve(),
});

const pollIntervalMs = 5_000;

export const startAlertReports = (reporter: Reporter): (() => Promise<void>) =>
  poll(
    () => reportAlertDrafts(reporter),
    pollIntervalMs,
    'drafts of alerts could not be reported',
    reporter.database.log,
  );
