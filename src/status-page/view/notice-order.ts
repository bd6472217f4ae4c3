import type { NoticeView } from './view.js';

/** When a notice began; one that has not begun counts from its creation. */
export const getStart = ({ beganAt, createdAt }: Pick<NoticeView, 'beganAt' | 'createdAt'>): Date =>
  beganAt ?? createdAt;

/** The latest start first: a back-dated notice stands where it belongs, and an edit does not move an old one up. */
export const byStart = (one: NoticeView, other: NoticeView): number =>
  getStart(other).getTime() - getStart(one).getTime() || other.id - one.id;
