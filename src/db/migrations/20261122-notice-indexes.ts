/** Indexes in the order of each list of the public page, which reads a part of a list, however long it is. */
export const noticeIndexes = [
  'drop index notice_present_index',
  `create index notice_present_index on notice (page_id, type desc, began_at desc, id desc)
    where state in ('investigating', 'identified', 'recovering', 'underway')`,
  `create index notice_scheduled_index on notice (page_id, begins_at, id) where state = 'scheduled'`,
  `create index notice_general_index on notice (page_id, ended_at desc, id desc) where type = 'general'`,
  `create index notice_past_index on notice (page_id, ended_at desc, id desc)
    where type <> 'general' and ended_at is not null`,
  'create index notice_page_id_began_at_index on notice (page_id, began_at)',
  'create index notice_token_index on notice (page_id, left(path, 16))',
];
