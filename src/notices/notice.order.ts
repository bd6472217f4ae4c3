import { snakeCase } from '../core/snake-case.js';
import type { NoticeType } from './notice.states.js';

interface OrderedNotice {
  id: number;
  type: NoticeType;
  beginsAt: Date | null;
  beganAt: Date | null;
  endedAt: Date | null;
}

/** The last field is unique, so that pages of a list do not overlap. */
type Order<Row> = { field: Extract<keyof Row, string>; direction: 'asc' | 'desc' }[];
type NoticeOrder = Order<OrderedNotice>;

// The orders of notices, for the statements that read lists, for their indexes, and for sorting in memory.

/** Of the API, and of what is read for a page: newest first. */
export const creationOrder = [{ field: 'id', direction: 'desc' }] satisfies NoticeOrder;

/** Of present notices: incidents (`unplanned`) before maintenance (`planned`), then the latest begin first. */
export const presentOrder: NoticeOrder = [
  { field: 'type', direction: 'desc' },
  { field: 'beganAt', direction: 'desc' },
  { field: 'id', direction: 'desc' },
];

/** Of scheduled maintenance: the next one first. */
export const scheduledOrder: NoticeOrder = [
  { field: 'beginsAt', direction: 'asc' },
  { field: 'id', direction: 'asc' },
];

/** Of notices that are over: the latest end first. */
export const endOrder: NoticeOrder = [
  { field: 'endedAt', direction: 'desc' },
  { field: 'id', direction: 'desc' },
];

/** Of the history of a month: `at` is when a notice ended, or began if it did not end within the month. */
export const monthOrder: Order<{ at: Date; id: number }> = [
  { field: 'at', direction: 'desc' },
  { field: 'id', direction: 'desc' },
];

/** Of open notices for uptimes: the earliest begin first. */
export const beginOrder: NoticeOrder = [
  { field: 'beganAt', direction: 'asc' },
  { field: 'id', direction: 'asc' },
];

/** When a notice began, or was created if it has not begun. */
export const getStart = ({ beganAt, createdAt }: { beganAt: Date | null; createdAt: Date }): Date =>
  beganAt ?? createdAt;

/** Of feeds and the formats of others: a back-dated notice stands where it belongs. */
export const byStart = (one: StartedNotice, other: StartedNotice): number =>
  getStart(other).getTime() - getStart(one).getTime() || other.id - one.id;
type StartedNotice = Parameters<typeof getStart>[0] & { id: number };

/** The columns of `order by`, or of an index. */
export const orderSql = <Row>(order: Order<Row>, toColumn = (name: string) => `n.${name}`): string =>
  order.map(({ field, direction }) => `${toColumn(snakeCase(field))}${direction === 'desc' ? ' desc' : ''}`).join(', ');

type Value = string | number | Date | null;

export const compareBy =
  <Row>(order: Order<Row>) =>
  (one: Row, other: Row): number => {
    for (const { field, direction } of order) {
      const result = compareValues(one[field] as Value, other[field] as Value);
      if (result) return direction === 'asc' ? result : -result;
    }
    return 0;
  };

/** As PostgreSQL does: null is greater than every value. */
function compareValues(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : Number(one > other);
}
