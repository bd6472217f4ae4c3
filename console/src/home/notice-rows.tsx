import { Link } from 'wouter';
import type { NoticeRowFragment } from '../api/documents.ts';
import type { SessionPage } from '../api/session.ts';
import { bySeverity, NoticeRow } from '../notices/notice-row.tsx';
import styles from './home.module.css';

/** The notices of one page: the first of them, and how many there are. */
interface Part {
  page: SessionPage | undefined;
  totalCount: number;
  nodes: NoticeRowFragment[];
}

export const countNotices = (parts: Pick<Part, 'totalCount'>[]): number =>
  parts.reduce((sum, { totalCount }) => sum + totalCount, 0);

const beginOf = (notice: NoticeRowFragment): string => ('beginsAt' in notice ? notice.beginsAt : '');
const orders = {
  severity: bySeverity,
  begin: (one: NoticeRowFragment, other: NoticeRowFragment) => beginOf(one).localeCompare(beginOf(other)),
};

/** Of all pages in one order. */
export function NoticeRows({ parts, order }: { parts: Part[]; order: keyof typeof orders }) {
  const rows = parts.flatMap(({ page, nodes }) => nodes.map(notice => ({ notice, page })));
  rows.sort((one, other) => orders[order](one.notice, other.notice));
  return (
    <ul>
      {rows.map(({ notice, page }) => (
        <NoticeRow key={notice.id} notice={notice} page={page} />
      ))}
      {parts.map(
        ({ page, totalCount, nodes }) =>
          totalCount > nodes.length && (
            <li key={page?.id} className={styles.rest}>
              <Link href={`/pages/${page?.id}/notices`}>
                {totalCount - nodes.length} more of {page?.name}
              </Link>
            </li>
          ),
      )}
    </ul>
  );
}
