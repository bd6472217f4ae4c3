/** SQL: the publications of a notice to its recipients, as `pub`, so without the reminders of its author. */
export const publishedSql = (noticeId: string): string =>
  `from publication pub where pub.notice_id = ${noticeId} and pub.event <> 'update_due'`;
