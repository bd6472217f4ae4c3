import { describeRefusal } from '../core/errors.js';
import { KeyedQueue } from '../core/queues/keyed-queue.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { loadDraft } from '../notices/drafts/draft.service.js';
import type { InputFormat } from '../notices/drafts/input-format.js';
import { channelByName, channelNames, labelInSentence } from '../notifications/channels/registry.js';
import { buildMessageContent, formatComponents } from '../notifications/messages/content.js';
import type { MessageSnapshot } from '../notifications/messages/message-snapshot.js';
import { composeAlertMail } from '../notifications/messages/operator-mails.js';
import { type OperatorMails, queueMailsSql } from '../notifications/operator-mail/operator-mail.js';
import { type PreviewServices, previewChange } from '../notifications/preview/preview.service.js';
import { PublicationPreview } from '../notifications/preview/preview.fields.js';
import { publicUrlSql } from '../pages/public-url.js';
import { pagePublishersSql } from '../people/page-owners.js';
import { Writer } from '../records/writer.js';

/** What describes a draft. */
export interface DraftReader {
  database: Database;
  draftFormat: InputFormat;
  consoleOrigin: string;
}

export interface AlertDraft {
  draftId: string;
  pageId: string;
  pageName: string;
  pageAddress: string;
  source: string;
  subject: string;
  /** The addresses of those who may publish it. */
  recipients: string[];
}

/** SQL: the columns of an `AlertDraft`, from the group `g`, its page `p`, source `s` and draft `d`. */
export const draftColumnsSql = `
  d.id::text as "draftId", p.id as "pageId", p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress",
  s.name as source,
  coalesce((select n.subject from notice n where n.id = d.notice_id), d.change #>> array[d.verb, 'subject'], g.title)
    as subject,
  array(${pagePublishersSql('p.id')} order by 1) as recipients`;

const planSql = `
  with due as (
    select g.id from alert_group g
    where g.reported_draft_id is distinct from g.latest_draft_id and g.latest_draft_id is not null
    order by g.id for update skip locked
  ), reported as (
    update alert_group g set reported_draft_id = g.latest_draft_id from due where g.id = due.id
    returning g.page_id, g.latest_draft_id::text as record_key
  )
  ${queueMailsSql('alert_draft', 'reported', pagePublishersSql('reported.page_id'))}`;

const findSql = `
  select ${draftColumnsSql}
  from draft d join alert_group g on g.latest_draft_id = d.id
    join page p on p.id = g.page_id join alert_source s on s.id = g.source_id
  where d.id = $1::integer`;

/** A mail about each draft that was made of alerts, to those who may publish it. */
export const createAlertDraftMails = (reader: DraftReader): OperatorMails => ({
  kind: 'alert_draft',
  plan: now => reader.database.query(planSql, [now]),
  async describe(_, draftId) {
    const [draft] = await reader.database.query<AlertDraft>(findSql, [Number(draftId)]);
    if (!draft) return null;
    const content = await describeDraft(reader, draft);
    const page = { name: draft.pageName, address: draft.pageAddress };
    return { people: draft.recipients, compose: to => composeAlertMail(to, page, content) };
  },
});

export async function describeDraft(
  { database, draftFormat, consoleOrigin }: DraftReader,
  { pageId, draftId, source, subject }: AlertDraft,
): Promise<Parameters<typeof composeAlertMail>[2]> {
  const write = new Writer(database);
  const url = `${consoleOrigin}/console/pages/${pageId}/drafts/${draftId}`;
  try {
    const change = await loadDraft(write, draftFormat, pageId, draftId);
    const parts = { audiences: true, warnings: true, page: false };
    const previewed = await previewChange(write, createPreviewServices(database), pageId, change, parts);
    const preview = new PublicationPreview(previewed);
    const snapshot = previewed.publication?.message_snapshot;
    return {
      source,
      subject,
      problem: preview.hash ? null : 'Published as it is, it would change nothing.',
      warnings: preview.warnings.flatMap(({ code, message }) => (code === 'unchanged' ? [] : [message])),
      openNotices: change.input.openIncident
        ? previewed.overlappingNotices.map(({ id, subject: title }) => ({ subject: title, url: `${url}?addTo=${id}` }))
        : [],
      states: snapshot ? describeStates(snapshot) : [],
      mail: preview.messages?.mail() ?? null,
      audience: preview.audience
        .toSorted(byChannel)
        .map(({ channel, count }) => `${count} by ${labelInSentence(channelByName[channel])}`),
      url: preview.hash ? `${url}?preview=${encodeURIComponent(preview.hash)}` : url,
    };
  } catch (error) {
    const refusal = toRefusal(error);
    if (!refusal || refusal.code === 'UNAVAILABLE') throw error;
    const problem = describeRefusal(refusal);
    return { source, subject, url, mail: null, states: [], audience: [], warnings: [], openNotices: [], problem };
  }
}

/** In English, like the mail. */
function describeStates(snapshot: MessageSnapshot): string[] {
  const content = buildMessageContent({ ...snapshot, page: { ...snapshot.page, locale: 'en' } });
  return [content.headline, formatComponents(content)].filter(Boolean);
}

type Counted = Pick<PublicationPreview['audience'][number], 'channel'>;
const byChannel = (one: Counted, other: Counted) =>
  channelNames.indexOf(one.channel) - channelNames.indexOf(other.channel);

/** Without what the preview of a page needs, which a mail lacks. */
const createPreviewServices = (database: Database): PreviewServices => ({
  query: database.queryPrepared,
  loadPage: () => Promise.reject(new Error('A mail shows no page.')),
  queue: new KeyedQueue(),
  yieldToWrites: () => Promise.resolve(),
});
