import type { PageView } from './view.js';

/** When anything that the page shows was changed last: its settings, a component or a notice. */
export function findLatestChange({ page, componentsById, notices }: PageView): Date {
  const componentTimes = [...componentsById.values()].map(component => Date.parse(component.updatedAt));
  const noticeTimes = notices.map(notice => notice.updatedAt.getTime());
  return new Date(Math.max(Date.parse(page.updatedAt), ...componentTimes, ...noticeTimes));
}
