import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Action, useAvailableActions, usePerform } from './actions.tsx';
import styles from './menu.module.css';

export const openMenu = 'Open the menu';
export const showKeys = 'Show keyboard shortcuts';
/** Not the menu itself; and a phone has no keys. */
const isListed = ({ label }: Action): boolean =>
  label !== openMenu && (label !== showKeys || matchMedia('(hover: hover) and (min-width: 40rem)').matches);

/** All actions of the screen and all places, searched by their words; Enter takes the first. */
export function Menu({ places, onClose }: { places: Action[]; onClose: () => void }) {
  const [search, setSearch] = useState('');
  const perform = usePerform();
  const all = [...useAvailableActions(), ...places].filter(isListed);
  const words = search.toLowerCase().split(/\s+/);
  const matches = all.filter(({ label }) => words.every(word => label.toLowerCase().includes(word)));
  const choose = (action: Action) => {
    onClose();
    perform(action);
  };
  return (
    <Dialog title="Menu" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (matches[0]) choose(matches[0]);
        }}
      >
        <TextField
          label="Search screens and actions"
          type="search"
          value={search}
          autoComplete="off"
          onChange={event => setSearch(event.target.value)}
        />
      </form>
      <ul className={styles.list}>
        {matches.map(action => (
          <li key={`${action.label} ${action.href}`}>
            <button type="button" onClick={() => choose(action)}>
              <Icon name={action.icon} />
              <span>{action.label}</span>
              {action.key && <kbd>{action.key}</kbd>}
            </button>
          </li>
        ))}
      </ul>
      {!matches.length && <p>No results. Try other words.</p>}
    </Dialog>
  );
}
