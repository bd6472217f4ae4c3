import { useEffect, useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { wordOf } from '../ui/state-label.tsx';
import { isChosen, isPartlyChosen, leavesOf, Level, type Choice } from './picker-tree.tsx';
import { findUniquePath, listNodes, searchTree, type TreeNode, useComponentTree } from './tree.ts';
import styles from './picker.module.css';

/** From this number of components on, a search stands above them, and their groups are folded. */
const longFrom = 9;

interface Props {
  pageId: string;
  /** Where the components of several pages are asked for. */
  pageName?: string;
  legend?: string;
  choice: Choice;
  /** Whether the impact on each is asked for; a maintenance has none. */
  hasImpacts?: boolean;
  onChange: (choice: Choice) => void;
  error?: string;
}

/** The components of a page as nested checkboxes: one that has parts is a choice of all of them. */
export function ComponentPicker({ pageId, pageName, legend = 'Affected components', ...props }: Props) {
  const { choice, hasImpacts = false, onChange, error } = props;
  const tree = useComponentTree(pageId);
  const [search, setSearch] = useState('');
  const [unfolded, setUnfolded] = useState(() =>
    listNodes(tree)
      .filter(node => isPartlyChosen(node, choice))
      .map(({ id }) => id),
  );
  // What a stored draft names, and somebody has deleted, could not be taken out of it: there is no checkbox for it.
  const ids = new Set(listNodes(tree).map(({ id }) => id));
  const existing = Object.entries(choice).filter(([id]) => ids.has(id));
  useEffect(() => {
    if (existing.length < Object.keys(choice).length) onChange(Object.fromEntries(existing));
  });
  if (!tree.length)
    return <p className={styles.none}>This page has no components yet. Add them on the screen Components.</p>;
  const isLong = ids.size >= longFrom;
  const toggle = (node: TreeNode) => {
    const ids = leavesOf(node).map(({ id }) => id);
    const below = listNodes([node]).map(({ id }) => id);
    const others = Object.entries(choice).filter(([id]) => !below.includes(id));
    const isComplete = isChosen(node, choice);
    onChange(Object.fromEntries(isComplete ? others : [...others, ...ids.map(id => [id, choice[id] ?? 'DEGRADED'])]));
  };
  return (
    <fieldset className={styles.picker} aria-invalid={Boolean(error)}>
      <legend>{pageName ? `${legend} of ${pageName}` : legend}</legend>
      {error && <p className={styles.error}>{error}</p>}
      {isLong && (
        <>
          <Chosen nodes={listNodes(tree)} choice={choice} hasImpacts={hasImpacts} onRemove={toggle} />
          <TextField label="Search" type="search" value={search} onChange={event => setSearch(event.target.value)} />
        </>
      )}
      <Level
        nodes={searchTree(tree, search)}
        choice={choice}
        toggle={toggle}
        unfolded={isLong && !search.trim() ? unfolded : undefined}
        onFold={id => setUnfolded(unfolded.includes(id) ? unfolded.filter(each => each !== id) : [...unfolded, id])}
        setImpact={hasImpacts ? (id, impact) => onChange({ ...choice, [id]: impact }) : undefined}
      />
    </fieldset>
  );
}

interface ChosenProps {
  nodes: TreeNode[];
  choice: Choice;
  hasImpacts: boolean;
  onRemove: (node: TreeNode) => void;
}

/** What is chosen, where it may be folded away below. */
function Chosen({ nodes, choice, hasImpacts, onRemove }: ChosenProps) {
  const chosen = nodes.filter(({ id }) => choice[id]);
  if (!chosen.length) return null;
  return (
    <ul className={styles.chosen} aria-label="Chosen">
      {chosen.map(node => (
        <li key={node.id}>
          <button type="button" title="Remove" onClick={() => onRemove(node)}>
            {[findUniquePath(node, nodes), hasImpacts && wordOf(choice[node.id]!)].filter(Boolean).join(' · ')}
            <Icon name="crossed" size={16} />
          </button>
        </li>
      ))}
    </ul>
  );
}
