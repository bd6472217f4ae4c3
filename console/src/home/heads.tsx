import { useSession } from '../api/session.ts';
import { maxPages, type PageHead, usePageHeads } from '../layout/page-heads.ts';
import { PublicStateIcon } from '../ui/state-icon.tsx';
import styles from './home.module.css';

/** What visitors of the pages see first, worst first. */
export function Heads() {
  const { pages } = useSession();
  const heads = usePageHeads(pages);
  if (!heads) return <Placeholder count={pages.length > maxPages ? 0 : pages.length} />;
  if (!heads.length) return null;
  return (
    <ul className={styles.heads} aria-label="What visitors see">
      {heads.map(head => (
        <Head key={head.page.id} head={head} />
      ))}
    </ul>
  );
}

/** As high as the heads that come: nothing moves. */
const Placeholder = ({ count }: { count: number }) => (
  <div className={styles.heads} aria-hidden="true">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are equal
      <div key={index} className={styles.placeholder} />
    ))}
  </div>
);

const Head = ({ head: { page, locale, status, text } }: { head: PageHead }) => (
  <li className={`${styles.head} ${styles[status.toLowerCase()]}`}>
    <PublicStateIcon state={status} size={24} />
    <p>
      <strong lang={locale} dir="auto">
        {text}
      </strong>
      <small dir="auto">{page.name}</small>
    </p>
    <a href={page.url} target="_blank" rel="noreferrer" aria-label={`View page: ${page.name}`}>
      View page <span aria-hidden="true">↗</span>
    </a>
  </li>
);
