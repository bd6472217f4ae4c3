/**
 * SQL: the publications of a notice to its recipients, as `pub`. A reminder of its author tells nobody of the notice.
 */
export const publishedSql = (noticeId: string): string =>
  `from publication pub where pub.notice_id = ${noticeId} and pub.event <> 'update_due'`;
