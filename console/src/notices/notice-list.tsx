import { useState } from 'react';
import { type NoticeFilter, NoticesDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { NewActions } from '../layout/new-actions.tsx';
import { Loading, ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { Options, Select, TextField } from '../ui/field.tsx';
import { formatCount } from '../ui/format-count.ts';
import { useSettled } from '../ui/use-settled.ts';
import { bySeverity, NoticeRow } from './notice-row.tsx';
import styles from './notice.module.css';

const pauseMs = 300;

const filters: Record<string, [label: string, filter: NoticeFilter]> = {
  all: ['All', {}],
  open: ['Open and planned', { timelineState: { in: ['PRESENT', 'FUTURE'] } }],
  incidents: ['Incidents', { type: { eq: 'UNPLANNED' } }],
  maintenance: ['Maintenance', { type: { eq: 'PLANNED' } }],
  announcements: ['Announcements', { type: { eq: 'GENERAL' } }],
};

const openIncidents: NoticeFilter = { type: { eq: 'UNPLANNED' }, timelineState: { eq: 'PRESENT' } };
/** The filters that open incidents pass. */
const withIncidents = ['all', 'open', 'incidents'];

function describeCount(count: number, isEverything: boolean): string {
  if (!count) return isEverything ? 'There are no notices yet.' : 'No notices match.';
  return count === 1 ? 'One notice' : `${formatCount(count)} notices`;
}

/** All notices of a page: open incidents first, the worst of them first, then the newest first. */
export default function NoticeList({ pageId }: { pageId: string }) {
  const { pages } = useSession();
  const page = pages.find(({ id }) => id === pageId);
  const [name, setName] = useState('all');
  const [search, setSearch] = useState('');
  const text = useSettled(search.trim(), pauseMs);
  /** The cursors of the pages before this one. */
  const [cursors, setCursors] = useState<string[]>([]);
  const filter = { ...filters[name]![1], ...(text && { subject: { cont: text } }) };
  const { data, error } = useLazyRead(NoticesDocument, {
    pageId,
    filter,
    open: { ...filter, ...openIncidents },
    hasOpen: withIncidents.includes(name),
    before: cursors.at(-1) ?? null,
  });
  const { totalCount = 0, nodes = [], pageInfo } = data?.notices ?? {};
  // They stand above the first of all, and so nowhere else.
  const open = data?.open?.nodes.toSorted(bySeverity) ?? [];
  const rows = cursors.length ? [] : open;
  const others = nodes.filter(({ id }) => !open.some(each => each.id === id));
  const restart = (change: () => void) => {
    change();
    setCursors([]);
  };
  return (
    <>
      <ScreenHeader title="Notices" above={page?.name}>
        <NewActions pageId={pageId} />
      </ScreenHeader>
      <div className={styles.filters}>
        <TextField
          label="Search by subject"
          type="search"
          value={search}
          onChange={event => restart(() => setSearch(event.target.value))}
        />
        <Select label="Show" value={name} onChange={event => restart(() => setName(event.target.value))}>
          <Options of={Object.entries(filters).map(([value, [label]]) => [value, label])} />
        </Select>
      </div>
      {error && <p role="alert">{error.message}</p>}
      {!data && !error && <Loading />}
      {data && <p className={styles.quiet}>{describeCount(totalCount, name === 'all' && !text)}</p>}
      <ul>
        {[...rows, ...others].map(notice => (
          <NoticeRow key={notice.id} notice={notice} page={page} />
        ))}
      </ul>
      <div className={styles.pager}>
        {cursors.length > 0 && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>}
        {pageInfo?.hasNextPage && <Button onClick={() => setCursors([...cursors, pageInfo.endCursor!])}>Older</Button>}
      </div>
    </>
  );
}
