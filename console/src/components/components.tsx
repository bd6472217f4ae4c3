import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { ComponentRow } from './component-row.tsx';
import { SelectionBar, type Selection, useSelection } from './selection.tsx';
import { SetStatus } from './set-status.tsx';
import { EditComponent } from './edit-component.tsx';
import { type Folds, useFolds } from './folds.ts';
import { useMoves } from './move.ts';
import { listNodes, type TreeNode, useComponentTree } from './tree.ts';
import styles from './components.module.css';

/** The tree of a page: by pointer it is dragged, by keyboard and thumb it is moved with buttons. */
export default function Components({ pageId }: { pageId: string }) {
  const session = useSession();
  const tree = useComponentTree(pageId);
  const moves = useMoves(pageId, tree);
  const [edited, setEdited] = useState<TreeNode | 'new'>();
  const [set, setSet] = useState<TreeNode>();
  const selection = useSelection(tree);
  const folds = useFolds(pageId, tree);
  const [isMoving, setMoving] = useState(false);
  const mayCreate = session.has('OWNER', pageId);
  const mayWrite = session.has('PUBLISHER', pageId);
  const add: Action = { label: 'Add a component', icon: 'plus', key: 'c', run: () => setEdited('new') };
  useActions(mayCreate ? [add] : []);
  const page = session.pages.find(({ id }) => id === pageId);
  return (
    <>
      <ScreenHeader title="Components" above={page?.name}>
        {mayCreate && <ActionButton action={add} look="primary" />}
        {mayWrite && listNodes(tree).length > 1 && (
          <Button aria-pressed={selection.isOn} onClick={selection.isOn ? selection.end : selection.begin}>
            {selection.isOn ? 'Stop selecting' : 'Select several'}
          </Button>
        )}
        {mayWrite && tree.length > 1 && (
          <div className={styles.moving}>
            <Button aria-pressed={isMoving} onClick={() => setMoving(!isMoving)}>
              {isMoving ? 'Done' : 'Change the order'}
            </Button>
          </div>
        )}
      </ScreenHeader>
      {selection.isOn && <SelectionBar pageId={pageId} tree={tree} selection={selection} mayDelete={mayCreate} />}
      <FormError>{moves.error}</FormError>
      {moves.last && (
        <p role="status" className={styles.moved}>
          {moves.last} was moved. <Button onClick={moves.undo}>Undo</Button>
        </p>
      )}
      {tree.length ? (
        <Level
          className={isMoving ? styles.level : `${styles.level} ${styles.still}`}
          nodes={tree}
          tree={tree}
          mayWrite={mayWrite}
          moves={moves}
          selection={selection}
          folds={folds}
          onEdit={setEdited}
          onSetState={setSet}
        />
      ) : (
        <p>
          There are no components yet. Add the parts of your service that customers use, such as “Website” or
          “Payments”.
        </p>
      )}
      {set && (
        <SetStatus pageId={pageId} nodes={[set]} onDone={() => setSet(undefined)} onClose={() => setSet(undefined)} />
      )}
      {edited && (
        <EditComponent
          pageId={pageId}
          tree={tree}
          node={edited === 'new' ? undefined : edited}
          mayDelete={mayCreate}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface LevelProps {
  className?: string;
  nodes: TreeNode[];
  tree: TreeNode[];
  mayWrite: boolean;
  moves: ReturnType<typeof useMoves>;
  selection: Selection;
  folds: Folds;
  onEdit: (node: TreeNode) => void;
  onSetState: (node: TreeNode) => void;
}

const Level = ({ className = styles.level, nodes, ...others }: LevelProps) => (
  <ul className={className}>
    {nodes.map(node => (
      <li key={node.id}>
        <ComponentRow node={node} {...others} />
        {node.children.length > 0 && !others.folds.isFolded(node) && <Level nodes={node.children} {...others} />}
      </li>
    ))}
  </ul>
);
