import { Button } from './button.tsx';
import styles from './list.module.css';
import type { useCursors } from './use-cursors.ts';

interface Props {
  cursors: ReturnType<typeof useCursors>;
  pageInfo: { hasNextPage: boolean; endCursor: string | null } | undefined;
}

export const Pager = ({ cursors, pageInfo }: Props) =>
  cursors.isFirst && !pageInfo?.hasNextPage ? null : (
    <div className={styles.pager}>
      {!cursors.isFirst && <Button onClick={cursors.back}>Back</Button>}
      {pageInfo?.hasNextPage && <Button onClick={() => cursors.next(pageInfo.endCursor!)}>More</Button>}
    </div>
  );
