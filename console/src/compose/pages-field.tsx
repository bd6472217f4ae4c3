import { useSession } from '../api/session.ts';
import { Checkbox, Options, Select } from '../ui/field.tsx';
import type { Draft } from './kinds.ts';
import styles from './compose.module.css';

interface Props {
  draft: Draft;
  /** A saved draft belongs to one page. */
  isSaved: boolean;
  onChange: (fields: Partial<Draft>) => void;
}

/** The page, and the other pages that the same is published on. */
export function PagesField({ draft, isSaved, onChange }: Props) {
  const session = useSession();
  const pages = session.pagesWith('DRAFTER');
  if (pages.length < 2 || isSaved) return null;
  const possible = session.has('PUBLISHER', draft.pageId)
    ? session.pagesWith('PUBLISHER').filter(({ id }) => id !== draft.pageId)
    : [];
  const toggle = (pageId: string) => {
    const { [pageId]: chosen, ...others } = draft.others;
    onChange({ others: chosen ? others : { ...others, [pageId]: {} } });
  };
  return (
    <>
      <Select
        label="Page"
        value={draft.pageId}
        onChange={event => onChange({ pageId: event.target.value, choice: {}, others: {} })}
      >
        <Options of={pages.map(page => [page.id, page.name])} />
      </Select>
      {possible.length > 0 && (
        <details className={styles.others}>
          <summary>Also publish on other pages</summary>
          {possible.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={Boolean(draft.others[id])} onChange={() => toggle(id)} />
          ))}
        </details>
      )}
    </>
  );
}
