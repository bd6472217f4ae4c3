import { useEffect, useState } from 'react';
import type { Impact } from '../api/documents.ts';
import { TextField } from '../ui/field.tsx';
import { wordOf } from '../ui/state-label.tsx';
import { listNodes, searchTree, type TreeNode, useComponentTree } from './tree.ts';
import styles from './picker.module.css';

/** The chosen components, by id. */
export type Choice = Record<string, Impact>;

const impacts: Impact[] = ['DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE'];
const searchFrom = 8;

interface Props {
  pageId: string;
  /** Where the components of several pages are asked for. */
  pageName?: string;
  choice: Choice;
  /** Whether the impact on each is asked for; a maintenance has none. */
  hasImpacts?: boolean;
  onChange: (choice: Choice) => void;
  error?: string;
}

/** The components of a page as nested checkboxes: one that has parts is a choice of all of them. */
export function ComponentPicker({ pageId, pageName, choice, hasImpacts = false, onChange, error }: Props) {
  const tree = useComponentTree(pageId);
  const [search, setSearch] = useState('');
  // What a stored draft names, and somebody has deleted, could not be taken out of it: there is no checkbox for it.
  const ids = new Set(listNodes(tree).map(({ id }) => id));
  const existing = Object.entries(choice).filter(([id]) => ids.has(id));
  useEffect(() => {
    if (existing.length < Object.keys(choice).length) onChange(Object.fromEntries(existing));
  });
  if (!tree.length) return <p className={styles.none}>This page has no components yet.</p>;
  const toggle = (node: TreeNode) => {
    const ids = leavesOf(node).map(({ id }) => id);
    const below = listNodes([node]).map(({ id }) => id);
    const others = Object.entries(choice).filter(([id]) => !below.includes(id));
    const isComplete = isChosen(node, choice);
    onChange(Object.fromEntries(isComplete ? others : [...others, ...ids.map(id => [id, choice[id] ?? 'DEGRADED'])]));
  };
  return (
    <fieldset className={styles.picker} aria-invalid={Boolean(error)}>
      <legend>{pageName ? `What is affected on ${pageName}` : 'What is affected'}</legend>
      {error && <p className={styles.error}>{error}</p>}
      {listNodes(tree).length > searchFrom && (
        <TextField label="Search" type="search" value={search} onChange={event => setSearch(event.target.value)} />
      )}
      <Level
        nodes={searchTree(tree, search)}
        choice={choice}
        toggle={toggle}
        setImpact={hasImpacts ? (id, impact) => onChange({ ...choice, [id]: impact }) : undefined}
      />
    </fieldset>
  );
}

const leavesOf = (node: TreeNode): TreeNode[] => (node.children.length ? node.children.flatMap(leavesOf) : [node]);

/** By all of its parts, or by itself, as scripts and templates can name it. */
const isChosen = (node: TreeNode, choice: Choice): boolean =>
  Boolean(choice[node.id]) || leavesOf(node).every(({ id }) => choice[id]);

interface LevelProps extends Pick<Props, 'choice'> {
  nodes: TreeNode[];
  toggle: (node: TreeNode) => void;
  setImpact?: (id: string, impact: Impact) => void;
}

const Level = ({ nodes, ...others }: LevelProps) => (
  <ul className={styles.level}>
    {nodes.map(node => (
      <li key={node.id}>
        <Row node={node} {...others} />
        {node.children.length > 0 && <Level nodes={node.children} {...others} />}
      </li>
    ))}
  </ul>
);

function Row({ node, choice, toggle, setImpact }: Omit<LevelProps, 'nodes'> & { node: TreeNode }) {
  const isWhole = isChosen(node, choice);
  const isPart = !isWhole && listNodes([node]).some(({ id }) => choice[id]);
  const impact = choice[node.id];
  return (
    <div className={styles.row}>
      <label>
        <input
          type="checkbox"
          checked={isWhole}
          ref={element => {
            if (element) element.indeterminate = isPart;
          }}
          onChange={() => toggle(node)}
        />
        {node.name}
      </label>
      {impact && setImpact && (
        <select
          aria-label={`Impact on ${node.name}`}
          value={impact}
          onChange={event => setImpact(node.id, event.target.value as Impact)}
        >
          {impacts.map(name => (
            <option key={name} value={name}>
              {wordOf(name)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
