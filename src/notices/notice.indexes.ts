import { presentSql } from './notice.states.js';
import { tokenLength } from './notice.text.js';

/** The indexes of notices that cover a part of the table, or have an order or an expression. */
const definitions = {
  // The lists of the public page, each in its order.
  present: `("page_id", "type" desc, "began_at" desc, "id" desc) where ${presentSql('state')}`,
  scheduled: `("page_id", "begins_at", "id") where state = 'scheduled'`,
  general: `("page_id", "ended_at" desc, "id" desc) where type = 'general'`,
  past: `("page_id", "ended_at" desc, "id" desc) where type <> 'general' and ended_at is not null`,
  token: `("page_id", left("path", ${tokenLength}))`,
  // What is due.
  begin_due: '("begins_at") where begin_armed',
  complete_due: '("ends_at") where complete_armed',
  reminder: `("begins_at") where state = 'scheduled' and last_should_publish`,
};

export const noticeIndexes = Object.entries(definitions).map(([subject, definition]) => {
  const name = `notice_${subject}_index`;
  return { name, expression: `create index "${name}" on "notice" ${definition}` };
});
