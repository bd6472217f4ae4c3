import { invalid, Refusal } from '../../core/errors.js';
import { query, readWithin, type RunRead } from '../../db/prepared-statements.js';
import type { Unit, Writer } from '../../records/writer.js';
import { mailOf } from '../messages/mail.js';
import { slackMessage } from '../messages/slack.js';
import { smsOf } from '../messages/sms.js';
import { statusOf } from '../messages/mastodon.js';
import { teamsMessage } from '../messages/teams.js';
import { createNotice, updateNotice } from '../../notices/notice.service.js';
import { presentSql } from '../../notices/notice.states.js';
import { Page } from '../../pages/page.entity.js';
import { pageChannelsSql, subscribersSql } from '../delivery/audience.js';
import type { PublicationPicture } from '../message-snapshot.js';
import type {
  AudiencePart,
  LeftOutPart,
  MovedComponent,
  PreviewMessages,
  PublicationPreview,
} from './preview.fields.js';
import type { PreviewPublication } from './preview.inputs.js';
import { warningsOf } from './warnings.js';

interface Told {
  id: number;
  picture: PublicationPicture;
  /** The components that it is about, with those above and below; null: everybody hears. */
  scope: number[] | null;
}

/** Draws a page as it is for who reads through `read`: HTML. The verbs know nothing of pages; whoever starts the service hands it in. */
type DrawPage = (read: RunRead, pageId: string) => Promise<string>;
let drawPage: DrawPage = async () => '';
export function previewPagesWith(draw: DrawPage): void {
  drawPage = draw;
}

/**
 * What would be told, and to whom. Nothing here works it out a second time: the change is made and published by the very verbs, the audience is asked of the
 * publication as the worker asks it, and then all of it is undone.
 */
export function previewPublication(
  write: Writer,
  pageId: string,
  { noticeId, comment, ...input }: PreviewPublication,
): Promise<PublicationPreview> {
  return write.rehearse(async within => {
    const before = await within.transaction(async unit => {
      await unit.find<Page>([[Page, pageId]]);
      return statesOf(unit, pageId);
    });
    const change = await (noticeId
      ? updateNotice(within, pageId, noticeId, null, { ...input, additionalComment: comment, shouldPublish: true })
      : createNotice(within, pageId, {
          ...input,
          subject: input.subject ?? '',
          initialComment: comment,
          shouldPublish: true,
        })
    ).catch(error => {
      throw byOurNames(error);
    });
    return within.transaction(async unit => {
      const [told] = await query<Told>(
        unit.em,
        // What this transaction wrote, and no other.
        `select id, picture, scope from publication where notice_id = $1 and xmin = pg_current_xact_id()::xid`,
        [change.recordId],
      );
      const after = await statesOf(unit, pageId);
      const parts = told ? await partsOf(unit, told.id) : [];
      return {
        event: told?.picture.event ?? null,
        text: told?.picture.text ?? null,
        audience: parts.filter(({ reason }) => reason === null),
        leftOut: parts.filter((part): part is LeftOutPart => part.reason !== null),
        noticeState: told?.picture.notice.state ?? null,
        pageState: after.page,
        components: moved(before.components, after.components),
        warnings: warningsOf(
          {
            told: doubtful(told),
            isForEverybody: told?.scope === null,
            open: told ? await openBeside(unit, told) : [],
          },
          unit.now,
        ),
        messages: told ? messagesOf(told.picture, await drawPage(readWithin(unit.em), pageId)) : null,
      };
    });
  });
}

/** What the verbs have two names for has one here. */
function byOurNames(error: unknown): unknown {
  if (!(error instanceof Refusal && error.fields)) return error;
  const { initialComment, additionalComment = initialComment, ...fields } = error.fields;
  return invalid(additionalComment ? { ...fields, comment: additionalComment } : fields);
}

interface States {
  page: string;
  components: { id: number; name: string; state: MovedComponent['after'] }[];
}

async function statesOf(unit: Unit, pageId: string): Promise<States> {
  const components = await query<States['components'][number]>(
    unit.em,
    'select id, name, state from component where page_id = $1 order by position, id',
    [pageId],
  );
  const [present] = await query(unit.em, `select 1 from notice where page_id = $1 and ${presentSql('state')} limit 1`, [
    pageId,
  ]);
  return { page: present ? 'degraded' : 'operational', components };
}

function moved(before: States['components'], after: States['components']): MovedComponent[] {
  const states = new Map(before.map(({ id, state }) => [id, state]));
  return after.flatMap(({ id, name, state }) =>
    states.get(id) === state ? [] : [{ id, name, before: states.get(id)!, after: state }],
  );
}

const sampleSize = 5;

/** By channel and reason; the reason is null for those who are told. */
const partsSql = `
  with pub as materialized (select * from publication where id = $1), everybody as (${subscribersSql('subscriber s')} union all ${pageChannelsSql}), numbered as (
    select *, row_number() over (partition by channel, reason order by subscriber_id) as n from everybody
  )
  select channel, reason, count(*)::integer as count, array_agg(address order by n) filter (where n <= ${sampleSize}) as sample
  from numbered group by channel, reason order by channel, reason`;

const partsOf = (unit: Unit, publicationId: number) =>
  query<AudiencePart & { reason: string | null }>(unit.em, partsSql, [publicationId]);

function doubtful(told: Told | undefined) {
  if (!told) return null;
  const { page, notice } = told.picture;
  const time = (written: string | null) => (written ? new Date(written) : null);
  return {
    zone: page.zone,
    type: notice.type,
    state: notice.state,
    beginsAt: time(notice.beginsAt),
    endsAt: time(notice.endsAt),
  };
}

async function openBeside(unit: Unit, { picture: { notice }, scope }: Told): Promise<string[]> {
  const rows = await query<{ subject: string }>(
    unit.em,
    `select n.subject from notice n where n.id <> $1 and ${presentSql('n.state')}
       and exists (select 1 from notice_component c where c.notice_id = n.id and c.component_id = any($2::integer[])) order by n.id desc limit 5`,
    [notice.id, scope ?? []],
  );
  return rows.map(({ subject }) => subject);
}

function messagesOf(picture: PublicationPicture, page: string): PreviewMessages {
  const json = (message: object) => JSON.stringify(message, null, 2);
  const link = (purpose: string) => `${picture.page.address}/${purpose}/preview`;
  return {
    page,
    mail: mailOf(picture, { preferences: link('preferences'), unsubscribe: link('unsubscribe') }),
    sms: smsOf(picture),
    chatA: json(slackMessage(picture)),
    chatB: json(teamsMessage(picture)),
    social: statusOf(picture),
  };
}
