import { endOrder, orderSql, presentOrder, scheduledOrder } from './notice.order.js';
import { presentSql } from './notice.states.js';
import { tokenLength } from './notice-text.rules.js';

const columns = (order: typeof presentOrder) => orderSql(order, name => `"${name}"`);

/** The indexes of notices that cover a part of the table, or have an order or an expression. */
const definitions = {
  // The lists of the public page, each in its order.
  present: `("page_id", ${columns(presentOrder)}) where ${presentSql('state')}`,
  scheduled: `("page_id", ${columns(scheduledOrder)}) where state = 'scheduled'`,
  general: `("page_id", ${columns(endOrder)}) where type = 'general'`,
  past: `("page_id", ${columns(endOrder)}) where type <> 'general' and ended_at is not null`,
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
