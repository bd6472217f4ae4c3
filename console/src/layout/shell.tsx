import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Action, useActions } from './actions.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Menu, openMenu, showKeys } from './menu.tsx';
import { listGlobalActions, listPagePlaces, listPersonPlaces } from './places.ts';
import styles from './shell.module.css';

const Help = lazy(() => import('./help.tsx'));

/** The frame of every screen: where one can go, at the side or on a phone behind the menu. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession();
  const [location] = useLocation();
  const [overlay, setOverlay] = useState<'menu' | 'help' | null>(null);
  useActions([
    ...listGlobalActions(session),
    { label: openMenu, icon: 'menu', key: '/', run: () => setOverlay('menu') },
    { label: showKeys, icon: 'key', key: '?', run: () => setOverlay('help') },
  ]);
  const pageId = /^\/pages\/([0-9a-f]{8})/.exec(location)?.[1] ?? session.pages[0]?.id;
  const page = session.pages.find(({ id }) => id === pageId);
  const everyPlace = [...session.pages.flatMap(each => listPagePlaces(session, each)), ...listPersonPlaces(session)];
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.top}>
        <Link href="/" className={styles.brand}>
          <Icon name="check" /> All Clear
        </Link>
        <Button look="quiet" icon="menu" onClick={() => setOverlay('menu')}>
          Menu
        </Button>
      </header>
      <nav className={styles.side} aria-label="Places">
        <PlaceList places={[{ label: 'Situation', icon: 'home', href: '/' }]} />
        {page && (
          <>
            <PagePicker pageId={page.id} />
            <PlaceList places={listPagePlaces(session, page, true)} />
          </>
        )}
        <p className={styles.heading}>{session.email}</p>
        <PlaceList places={listPersonPlaces(session)} />
      </nav>
      <main id="content" className={styles.main} tabIndex={-1}>
        <ConnectionNotice />
        {children}
      </main>
      <footer className={styles.footer}>All Clear {serviceVersion}</footer>
      {overlay === 'menu' && (
        <Menu
          places={[{ label: 'Situation', icon: 'home', href: '/' }, ...everyPlace]}
          onClose={() => setOverlay(null)}
        />
      )}
      {overlay === 'help' && (
        <Suspense>
          <Help onClose={() => setOverlay(null)} />
        </Suspense>
      )}
    </div>
  );
}

function PlaceList({ places }: { places: Action[] }) {
  const [location] = useLocation();
  const isHere = (href: string) => (href === '/' ? location === '/' : location.startsWith(href));
  return (
    <ul>
      {places.map(({ label, icon, href, address }) => (
        <li key={label}>
          {href ? (
            <Link href={href} className={styles.place} aria-current={isHere(href) ? 'page' : undefined}>
              <Icon name={icon} /> {label}
            </Link>
          ) : (
            <a href={address} className={styles.place}>
              <Icon name={icon} /> {label}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function PagePicker({ pageId }: { pageId: string }) {
  const { pages } = useSession();
  const [location, navigate] = useLocation();
  const page = pages.find(({ id }) => id === pageId)!;
  if (pages.length === 1) return <p className={styles.heading}>{page.name}</p>;
  const place = /^\/pages\/\w+\/(\w+)/.exec(location)?.[1] ?? 'notices';
  return (
    <select
      className={styles.picker}
      aria-label="Page"
      value={pageId}
      onChange={event => navigate(`/pages/${event.target.value}/${place}`)}
    >
      {pages.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
