import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { type SessionPage, useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { PublicStateIcon } from '../ui/state-icon.tsx';
import { useActions } from './actions.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Menu, openMenu, showKeys } from './menu.tsx';
import { type PageHead, usePageHeads } from './page-heads.ts';
import { listNewActions } from './places.ts';
import { PresentPage, usePresentPage } from './present-page.tsx';
import { SideMenu } from './side-menu.tsx';
import { useTabIcon, WorstStateContext } from './tab-state.tsx';
import styles from './shell.module.css';

const Help = lazy(() => import('./help.tsx'));

/** The frame of every screen: where one can go, at the side or on a phone behind the menu. */
export const Shell = ({ children }: { children: ReactNode }) => (
  <PresentPage>
    <Frame>{children}</Frame>
  </PresentPage>
);

function Frame({ children }: { children: ReactNode }) {
  const session = useSession();
  const page = usePresentPage();
  const heads = usePageHeads(session.pages);
  const worst = heads && (heads[0]?.status ?? 'OPERATIONAL');
  const [overlay, setOverlay] = useState<'menu' | 'help' | null>(null);
  useTabIcon(worst ?? null);
  useActions([
    ...listNewActions(session),
    { label: openMenu, icon: 'menu', key: '/', run: () => setOverlay('menu') },
    { label: showKeys, icon: 'key', key: '?', run: () => setOverlay('help') },
  ]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.top}>
        <Link href="/" className={styles.brand}>
          <Icon name="check" /> <span>All Clear</span>
        </Link>
        {page && <PublicPageLink page={page} head={heads?.find(head => head.page.id === page.id)} />}
        <Button look="quiet" icon="menu" onClick={() => setOverlay('menu')}>
          Menu
        </Button>
      </header>
      <SideMenu heads={heads} />
      <main id="content" className={styles.main} tabIndex={-1}>
        <ConnectionNotice />
        <WorstStateContext value={worst ?? null}>{children}</WorstStateContext>
      </main>
      <footer className={styles.footer}>All Clear {serviceVersion}</footer>
      {overlay === 'menu' && <Menu onClose={() => setOverlay(null)} />}
      {overlay === 'help' && (
        <Suspense>
          <Help onClose={() => setOverlay(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** The present page on a phone, whose name leads to what visitors see. */
const PublicPageLink = ({ page, head }: { page: SessionPage; head: PageHead | undefined }) => (
  <a
    className={styles.pageLink}
    href={page.url}
    target="_blank"
    rel="noreferrer"
    aria-label={`${page.name}: view page`}
  >
    {head && <PublicStateIcon state={head.status} />}
    <span dir="auto">{page.name}</span>
    <span aria-hidden="true">↗</span>
  </a>
);
