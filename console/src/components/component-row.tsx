import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateLabel, wordOf } from '../ui/state-label.tsx';
import { hostOf } from './follow-upstream.tsx';
import { countChildren, type Folds } from './folds.ts';
import { findNextPlace, type useMoves } from './move.ts';
import type { Selection } from './selection.tsx';
import { listNodes, type TreeNode } from './tree.ts';
import styles from './components.module.css';

interface Props {
  node: TreeNode;
  tree: TreeNode[];
  mayWrite: boolean;
  moves: ReturnType<typeof useMoves>;
  selection: Selection;
  folds: Folds;
  onEdit: (node: TreeNode) => void;
  onSetState: (node: TreeNode) => void;
}

/** A component with its state. It is dropped before the one that it is dragged onto. */
export function ComponentRow({ node, tree, mayWrite, moves, selection, folds, onEdit, onSetState }: Props) {
  const [isTarget, setTarget] = useState(false);
  const { manualStatus, upstream } = node;
  const state = node.status;
  const up = findNextPlace(tree, node, -1);
  const down = findNextPlace(tree, node, 1);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same without a pointer
    <div
      className={`${styles.row} ${isTarget ? styles.target : ''}`}
      draggable={mayWrite}
      onDragStart={event => event.dataTransfer.setData('text/plain', node.id)}
      onDragOver={event => {
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={event => {
        event.preventDefault();
        setTarget(false);
        const dragged = listNodes(tree).find(({ id }) => id === event.dataTransfer.getData('text/plain'));
        if (dragged && dragged.id !== node.id) moves.move(dragged, { parentId: node.parentId, beforeId: node.id });
      }}
    >
      <div className={styles.name}>
        <span className={styles.title}>
          {selection.isOn ? (
            <label>
              <input
                type="checkbox"
                checked={selection.nodes.includes(node)}
                onChange={() => selection.toggle(node.id)}
              />
              {node.name}
            </label>
          ) : (
            <>
              {mayWrite && (
                <span className={styles.handle}>
                  <Icon name="drag" size={16} />
                </span>
              )}
              <span>{node.name}</span>
            </>
          )}
          {node.children.length > 0 && <Fold node={node} folds={folds} />}
        </span>
        {node.description && <small>{node.description}</small>}
        {upstream && (
          <small>
            Follows {upstream.remoteName} of {hostOf(upstream.url)}
            {upstream.failure && `: ${upstream.failure}`}
          </small>
        )}
        {manualStatus && <small>Set by hand{manualStatus.note && `: ${manualStatus.note}`}</small>}
      </div>
      {mayWrite ? (
        <Button
          look="quiet"
          aria-label={`${wordOf(state)}: set the status of ${node.name}`}
          onClick={() => onSetState(node)}
        >
          <span className={styles.state}>
            <StateLabel state={state} />
          </span>
        </Button>
      ) : (
        <StateLabel state={state} />
      )}
      {mayWrite && (
        <div className={styles.tools}>
          <div className={styles.arrows}>
            <Button
              look="quiet"
              aria-label={`Move ${node.name} up`}
              disabled={!up}
              onClick={() => up && moves.move(node, up)}
            >
              ↑
            </Button>
            <Button
              look="quiet"
              aria-label={`Move ${node.name} down`}
              disabled={!down}
              onClick={() => down && moves.move(node, down)}
            >
              ↓
            </Button>
          </div>
          <Button look="quiet" aria-label={`Edit ${node.name}`} onClick={() => onEdit(node)}>
            Edit
          </Button>
        </div>
      )}
    </div>
  );
}

const Fold = ({ node, folds }: { node: TreeNode; folds: Folds }) => (
  <button
    type="button"
    className={styles.fold}
    aria-label={`${countChildren(node)} of ${node.name}`}
    aria-expanded={!folds.isFolded(node)}
    onClick={() => folds.toggle(node)}
  >
    {countChildren(node)}
    <Icon name="down" size={16} />
  </button>
);
