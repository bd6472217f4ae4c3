import type { Impact } from '../api/documents.ts';
import { Icon } from '../ui/icon.tsx';
import { wordOf } from '../ui/state-label.tsx';
import { countChildren } from './folds.ts';
import { listNodes, type TreeNode } from './tree.ts';
import { Options } from '../ui/field.tsx';
import styles from './picker.module.css';

/** The chosen components, by id. */
export type Choice = Record<string, Impact>;

const impacts: Impact[] = ['DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE'];

export const leavesOf = (node: TreeNode): TreeNode[] =>
  node.children.length ? node.children.flatMap(leavesOf) : [node];

/** By all of its parts, or by itself, as scripts and templates can name it. */
export const isChosen = (node: TreeNode, choice: Choice): boolean =>
  Boolean(choice[node.id]) || leavesOf(node).every(({ id }) => choice[id]);

export const isPartlyChosen = (node: TreeNode, choice: Choice): boolean =>
  !isChosen(node, choice) && listNodes([node]).some(({ id }) => choice[id]);

interface LevelProps {
  nodes: TreeNode[];
  choice: Choice;
  /** The groups whose parts are shown. Undefined: all. */
  unfolded: string[] | undefined;
  onFold: (id: string) => void;
  toggle: (node: TreeNode) => void;
  setImpact?: (id: string, impact: Impact) => void;
}

export const Level = ({ nodes, ...others }: LevelProps) => (
  <ul className={styles.level}>
    {nodes.map(node => (
      <li key={node.id}>
        <Row node={node} {...others} />
        {isUnfolded(node, others.unfolded) && <Level nodes={node.children} {...others} />}
      </li>
    ))}
  </ul>
);

const isUnfolded = ({ id, children }: TreeNode, unfolded: string[] | undefined): boolean =>
  children.length > 0 && (unfolded?.includes(id) ?? true);

function Row({ node, choice, unfolded, onFold, toggle, setImpact }: Omit<LevelProps, 'nodes'> & { node: TreeNode }) {
  const isWhole = isChosen(node, choice);
  const isPart = isPartlyChosen(node, choice);
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
      {unfolded && node.children.length > 0 && (
        <button
          type="button"
          className={styles.fold}
          aria-label={`${countChildren(node)} of ${node.name}`}
          aria-expanded={isUnfolded(node, unfolded)}
          onClick={() => onFold(node.id)}
        >
          {countChildren(node)}
          <Icon name="down" size={16} />
        </button>
      )}
      {impact && setImpact && (
        <select
          aria-label={`Impact on ${node.name}`}
          value={impact}
          onChange={event => setImpact(node.id, event.target.value as Impact)}
        >
          <Options of={impacts.map(name => [name, wordOf(name)])} />
        </select>
      )}
    </div>
  );
}
