import type { Database } from '../../db/database.js';
import { composeUnpublishedMail } from '../../notifications/messages/operator-mails.js';
import { type OperatorMails, queueMailsSql } from '../../notifications/operator-mail/operator-mail.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { authorOrOwnersSql } from '../../people/author-address.js';

interface UnpublishedDraft {
  pageName: string;
  pageAddress: string;
  subject: string;
  error: string;
  recipients: string[];
}

const planSql = `
  with failed as (
    select id from draft where publish_error is not null and not is_error_reported order by id for update skip locked
  ), reported as (
    update draft d set is_error_reported = true from failed where d.id = failed.id
    returning d.page_id, d.id::text as record_key, d.scheduler_key
  )
  ${queueMailsSql('unpublished_draft', 'reported', authorOrOwnersSql('reported.scheduler_key', 'reported.page_id'))}`;

const findSql = `
  select p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress",
    coalesce(d.change #>> array[d.verb, 'subject'], (select n.subject from notice n where n.id = d.notice_id),
      'a draft')
      as subject,
    d.publish_error as error, array(${authorOrOwnersSql('d.scheduler_key', 'd.page_id')} order by 1) as recipients
  from draft d join page p on p.id = d.page_id where d.id = $1::integer and d.publish_error is not null`;

/**
 * A mail about each draft that was not published at its time: to who scheduled it. If that was a service token, or a
 * person who is disabled or has no role on the page any more, to the owners of the page.
 */
export const createUnpublishedMails = ({ query }: Pick<Database, 'query'>, consoleOrigin: string): OperatorMails => ({
  kind: 'unpublished_draft',
  plan: now => query(planSql, [now]),
  async describe(pageId, draftId) {
    const [draft] = await query<UnpublishedDraft>(findSql, [Number(draftId)]);
    if (!draft) return null;
    const { pageName, pageAddress, recipients, subject, error } = draft;
    const url = `${consoleOrigin}/console/pages/${pageId}/drafts/${draftId}`;
    const page = { name: pageName, address: pageAddress };
    return { people: recipients, compose: to => composeUnpublishedMail(to, page, { subject, error, url }) };
  },
});
