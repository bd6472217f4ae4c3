import { Fragment, useState } from 'react';
import { SituationDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { type Session, useSession } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { compareStates, PublicStateIcon } from '../ui/state-icon.tsx';
import { type Action, useAvailableActions, usePerform } from './actions.tsx';
import { listOtherPlaces, listPagePlaces, listPlaces, situation } from './places.ts';
import { usePresentPage } from './present-page.tsx';
import styles from './menu.module.css';

export const openMenu = 'Open the menu';
export const showKeys = 'Show keyboard shortcuts';
/** Not the menu itself; and a phone has no keys. */
const isListed = ({ label }: Action): boolean =>
  label !== openMenu && (label !== showKeys || matchMedia('(hover: hover) and (min-width: 40rem)').matches);

interface Entry extends Action {
  /** The worst impact of an incident. */
  state?: string;
}

interface Section {
  title: string;
  entries: Entry[];
}

/** All places, actions and open incidents, searched by their words: the present page first. Enter takes the first. */
export function Menu({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  const perform = usePerform();
  const sections = useSections(Boolean(search.trim()));
  const words = search.toLowerCase().split(/\s+/);
  const matches = ({ label }: Action) => words.every(word => label.toLowerCase().includes(word));
  const shown = sections
    .map(({ title, entries }) => ({ title, entries: entries.filter(matches) }))
    .filter(({ entries }) => entries.length);
  const choose = (action: Action) => {
    onClose();
    perform(action);
  };
  return (
    <Dialog title="Menu" heading={null} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          const first = shown[0]?.entries[0];
          if (first) choose(first);
        }}
      >
        <TextField
          label="Search screens, actions and open incidents"
          type="search"
          value={search}
          autoComplete="off"
          onChange={event => setSearch(event.target.value)}
        />
      </form>
      {shown.map(({ title, entries }) => (
        <Fragment key={title}>
          <h2 className={styles.title}>{title}</h2>
          <ul className={styles.list}>
            {entries.map(entry => (
              <li key={`${entry.label} ${entry.href}`}>
                <button type="button" onClick={() => choose(entry)}>
                  {entry.state ? <PublicStateIcon state={entry.state} size={20} /> : <Icon name={entry.icon} />}
                  <span dir="auto">{entry.label}</span>
                  {entry.key && <kbd>{entry.key}</kbd>}
                </button>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      {!shown.length && <p>No results. Try other words.</p>}
    </Dialog>
  );
}

function useSections(isSearched: boolean): Section[] {
  const session = useSession();
  const page = usePresentPage();
  const actions = useAvailableActions().filter(isListed);
  const incidents = useOpenIncidents(session);
  const others = session.pages.filter(each => each !== page);
  const now = [situation, ...(page ? listPlaces(session, 'now', page.id) : [])];
  const rest = page ? [...listPlaces(session, 'page', page.id), ...listPlaces(session, 'settings', page.id)] : [];
  const places: Section[] = [
    { title: 'Now', entries: now },
    { title: page?.name ?? '', entries: rest },
  ];
  const act = { title: 'On this screen', entries: actions };
  const open = { title: 'Open incidents', entries: incidents };
  const elsewhere: Section = {
    title: 'Other pages',
    entries: isSearched
      ? others.flatMap(other =>
          listPagePlaces(session, other).map(place => ({ ...place, label: `${other.name} › ${place.label}` })),
        )
      : others.map(({ id, name }) => ({ label: name, icon: 'globe', href: `/pages/${id}/notices` })),
  };
  const account = { title: 'Service', entries: listOtherPlaces(session) };
  return isSearched ? [...places, act, open, account, elsewhere] : [act, ...places, account, elsewhere];
}

/** Of the situation, worst first. */
function useOpenIncidents(session: Session): Entry[] {
  const { data } = useLazyRead(SituationDocument, { after: null }, { isEnabled: session.pages.length > 0 });
  const nodes = data?.viewer?.pages?.nodes ?? [];
  const several = session.pages.length > 1;
  const found = nodes.flatMap(({ id, major, incidents }) =>
    [...major.nodes, ...incidents.nodes].map(notice => ({ id, notice })),
  );
  return [...new Map(found.map(each => [each.notice.id, each])).values()]
    .sort((one, other) => compareStates(one.notice.worstImpact ?? 'DEGRADED', other.notice.worstImpact ?? 'DEGRADED'))
    .map(({ id, notice }) => ({
      label: several ? `${notice.subject} · ${session.pages.find(page => page.id === id)?.name}` : notice.subject,
      icon: 'alert',
      state: notice.worstImpact ?? 'DEGRADED',
      href: `/pages/${id}/notices/${notice.id}`,
    }));
}
