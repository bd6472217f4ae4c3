import { Link, useLocation } from 'wouter';
import { type SessionPage, useSession } from '../api/session.ts';
import { Icon } from '../ui/icon.tsx';
import { PublicStateIcon } from '../ui/state-icon.tsx';
import type { Action } from './actions.tsx';
import type { PageHead } from './page-heads.ts';
import { listPlaces, situation } from './places.ts';
import { usePresentPage } from './present-page.tsx';
import { Options } from '../ui/field.tsx';
import styles from './shell.module.css';

/** What is at the side: the present page, what is open now, the page, its settings, and the account at the foot. */
export function SideMenu({ heads }: { heads: PageHead[] | undefined }) {
  const session = useSession();
  const page = usePresentPage();
  const ofPage = (group: 'now' | 'page' | 'settings') => (page ? listPlaces(session, group, page.id) : []);
  const [access] = listPlaces(session, 'access');
  const settings = [...ofPage('settings'), ...(access ? [{ ...access, label: 'Access' }] : [])];
  return (
    <nav className={styles.side} aria-label="Places">
      {page && <Present page={page} head={heads?.find(head => head.page.id === page.id)} />}
      <Group title="Now" places={[situation, ...ofPage('now')]} />
      <Group title="Page" places={ofPage('page')} />
      <Group title="Settings" places={settings} />
      <div className={styles.foot}>
        {listPlaces(session, 'account').map(({ label, icon, href }) => (
          <Place key={label} place={{ label: session.email, icon, href }} kind={label} />
        ))}
      </div>
    </nav>
  );
}

function Group({ title, places }: { title: string; places: Action[] }) {
  if (!places.length) return null;
  const id = `places-${title.toLowerCase()}`;
  return (
    <div className={styles.group}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      <ul aria-labelledby={id}>
        {places.map(place => (
          <li key={place.label}>
            <Place place={place} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const accessPaths = /^\/(people|tokens|audit)\b/;

function Place({ place: { label, icon, href }, kind }: { place: Action; kind?: string }) {
  const [location] = useLocation();
  const isAccess = accessPaths.test(href!) && accessPaths.test(location);
  const isHere = href === '/' ? location === '/' : location.startsWith(href!) || isAccess;
  return (
    <Link href={href!} className={styles.place} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} /> {kind && <span className={styles.hidden}>{kind}: </span>}
      <span>{label}</span>
    </Link>
  );
}

/** The page with its state, and what visitors see of it. */
function Present({ page, head }: { page: SessionPage; head: PageHead | undefined }) {
  const session = useSession();
  return (
    <div className={styles.present}>
      <div className={styles.name}>
        {head && <PublicStateIcon state={head.status} />}
        <PageName page={page} />
      </div>
      <div className={styles.links}>
        <a href={page.url} target="_blank" rel="noreferrer">
          View page <span aria-hidden="true">↗</span>
        </a>
        {listPlaces(session, 'create')
          .slice(0, 1)
          .map(({ label, href }) => (
            <Link key={label} href={href!} aria-label={label} title={label}>
              <Icon name="plus" size={16} />
            </Link>
          ))}
      </div>
    </div>
  );
}

/** The page can be changed here, unless it is chosen in the form beside. */
function PageName({ page }: { page: SessionPage }) {
  const { pages } = useSession();
  const [location, navigate] = useLocation();
  if (pages.length === 1 || location.startsWith('/new/')) return <strong dir="auto">{page.name}</strong>;
  const place = /^\/pages\/\w+\/(\w+)/.exec(location)?.[1] ?? 'notices';
  return (
    <select
      className={styles.picker}
      aria-label="Page"
      value={page.id}
      onChange={event => navigate(`/pages/${event.target.value}/${place}`)}
    >
      <Options of={pages.map(({ id, name }) => [id, name])} />
    </select>
  );
}
