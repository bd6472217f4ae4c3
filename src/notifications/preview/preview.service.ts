import { invalid, Refusal } from '../../core/errors.js';
import { query, readInTransaction, type RunRead } from '../../db/prepared-statements.js';
import type { Unit, Writer } from '../../records/writer.js';
import { renderMail } from '../messages/mail.js';
import { createNotice, updateNotice } from '../../notices/notice.service.js';
import { presentSql } from '../../notices/notice.states.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecipientsSql, subscriberRecipientsSql } from '../delivery/audience.js';
import { type TextChannelName, textChannels } from '../channels/registry.js';
import type { MessageSnapshot } from '../message-snapshot.js';
import type {
  ChannelAudience,
  ExcludedAudience,
  ComponentStateChange,
  PreviewMessages,
  PublicationPreview,
} from './preview.fields.js';
import type { PreviewPublication } from './preview.inputs.js';
import { findWarnings, type WarningFacts } from './warnings.js';

interface PreviewedPublication {
  id: number;
  snapshot: MessageSnapshot;
  /** The components that it concerns, with their ancestors and descendants; null: all subscribers are notified. */
  scope: number[] | null;
}

/** Renders a page as HTML, from what `read` sees. The composition passes it in, since a service may not import it. */
export type RenderPreviewPage = (read: RunRead, pageId: string) => Promise<string>;

/**
 * A dry run, so that no rule exists twice: it makes and publishes the change by the same services as a real one, counts
 * the audience by the same SQL as the worker, and rolls back.
 */
export function previewPublication(
  write: Writer,
  renderPage: RenderPreviewPage,
  pageId: string,
  { noticeId, comment, ...input }: PreviewPublication,
): Promise<PublicationPreview> {
  return write.dryRun(async writer => {
    const before = await writer.transaction(async unit => {
      await unit.find<Page>([[Page, pageId]]);
      return loadStates(unit, pageId);
    });
    const change = await (noticeId
      ? updateNotice(writer, pageId, noticeId, null, { ...input, additionalComment: comment, shouldPublish: true })
      : createNotice(writer, pageId, { ...input, initialComment: comment, shouldPublish: true })
    ).catch(error => {
      throw renameCommentFields(error);
    });
    return writer.transaction(async unit => {
      const [publication] = await query<PreviewedPublication>(
        unit.em,
        // The row that this transaction inserted, and no earlier one of the notice.
        `select id, picture as snapshot, scope from publication
           where notice_id = $1 and xmin = pg_current_xact_id()::xid`,
        [change.recordId],
      );
      const after = await loadStates(unit, pageId);
      const audiences = publication ? await loadAudiences(unit, publication.id) : [];
      return {
        event: publication?.snapshot.event ?? null,
        text: publication?.snapshot.text ?? null,
        audience: audiences.filter(({ reason }) => reason === null),
        excluded: audiences.filter((audience): audience is ExcludedAudience => audience.reason !== null),
        noticeState: publication?.snapshot.notice.state ?? null,
        pageState: after.page,
        components: findStateChanges(before.components, after.components),
        warnings: findWarnings(
          {
            publication: toWarningFacts(publication),
            isForAllSubscribers: publication?.scope === null,
            overlappingSubjects: publication ? await findOverlappingNotices(unit, publication) : [],
          },
          unit.now,
        ),
        messages: publication
          ? renderMessages(publication.snapshot, await renderPage(readInTransaction(unit.em), pageId))
          : null,
      };
    });
  });
}

/** `initialComment` and `additionalComment` are both `comment` in a preview: renames them in validation errors. */
function renameCommentFields(error: unknown): unknown {
  if (!(error instanceof Refusal && error.fields)) return error;
  const { initialComment, additionalComment = initialComment, ...fields } = error.fields;
  return invalid(additionalComment ? { ...fields, comment: additionalComment } : fields);
}

interface PageStates {
  page: string;
  components: { id: number; name: string; state: ComponentStateChange['after'] }[];
}

async function loadStates(unit: Unit, pageId: string): Promise<PageStates> {
  const components = await query<PageStates['components'][number]>(
    unit.em,
    'select id, name, state from component where page_id = $1 order by position, id',
    [pageId],
  );
  const [present] = await query(unit.em, `select 1 from notice where page_id = $1 and ${presentSql('state')} limit 1`, [
    pageId,
  ]);
  return { page: present ? 'degraded' : 'operational', components };
}

function findStateChanges(before: PageStates['components'], after: PageStates['components']): ComponentStateChange[] {
  const states = new Map(before.map(({ id, state }) => [id, state]));
  return after.flatMap(({ id, name, state }) =>
    states.get(id) === state ? [] : [{ id, name, before: states.get(id)!, after: state }],
  );
}

const sampleSize = 5;

/** By channel and reason; the reason is null for those who are notified. */
const audienceSql = `
  with pub as materialized (
    select * from publication where id = $1
  ), recipients as (
    ${subscriberRecipientsSql('subscriber s')} union all ${pageRecipientsSql}
  ), numbered as (
    select *, row_number() over (partition by channel, reason order by subscriber_id) as n from recipients
  )
  select channel, reason, count(*)::integer as count,
    array_agg(address order by n) filter (where n <= ${sampleSize}) as sample
  from numbered group by channel, reason order by channel, reason`;

const loadAudiences = (unit: Unit, publicationId: number) =>
  query<ChannelAudience & { reason: string | null }>(unit.em, audienceSql, [publicationId]);

function toWarningFacts(publication: PreviewedPublication | undefined): WarningFacts['publication'] {
  if (!publication) return null;
  const { page, notice } = publication.snapshot;
  const toDate = (iso: string | null) => (iso ? new Date(iso) : null);
  return {
    zone: page.zone,
    type: notice.type,
    state: notice.state,
    beginsAt: toDate(notice.beginsAt),
    endsAt: toDate(notice.endsAt),
  };
}

async function findOverlappingNotices(
  unit: Unit,
  { snapshot: { notice }, scope }: PreviewedPublication,
): Promise<string[]> {
  const rows = await query<{ subject: string }>(
    unit.em,
    `select n.subject from notice n where n.id <> $1 and ${presentSql('n.state')}
       and exists (
         select 1 from notice_component c where c.notice_id = n.id and c.component_id = any($2::integer[]))
     order by n.id desc limit 5`,
    [notice.id, scope ?? []],
  );
  return rows.map(({ subject }) => subject);
}

function renderMessages(snapshot: MessageSnapshot, page: string): PreviewMessages {
  const link = (purpose: string) => `${snapshot.page.address}/${purpose}/preview`;
  const texts = Object.fromEntries(textChannels.map(({ name, preview }) => [name, preview.render(snapshot)]));
  return {
    page,
    mail: renderMail(snapshot, { preferences: link('preferences'), unsubscribe: link('unsubscribe') }),
    ...(texts as Record<TextChannelName, string>),
  };
}
