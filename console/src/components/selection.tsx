import { useState } from 'react';
import { DeleteComponentsDocument, MoveComponentsDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Options, Select } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { SetStatus } from './set-status.tsx';
import { listNodes, type TreeNode } from './tree.ts';
import styles from './components.module.css';

/** The components that are selected for one action on all of them. */
export function useSelection(tree: TreeNode[]) {
  const [ids, setIds] = useState<string[]>();
  return {
    nodes: listNodes(tree).filter(({ id }) => ids?.includes(id)),
    isOn: ids !== undefined,
    toggle: (id: string) => setIds(ids?.includes(id) ? ids.filter(each => each !== id) : [...(ids ?? []), id]),
    begin: () => setIds([]),
    end: () => setIds(undefined),
  };
}

export type Selection = ReturnType<typeof useSelection>;

interface Props {
  pageId: string;
  tree: TreeNode[];
  selection: Selection;
  mayDelete: boolean;
}

export function SelectionBar({ pageId, tree, selection, mayDelete }: Props) {
  const [action, setAction] = useState<'state' | 'move'>();
  const remove = useWrite(DeleteComponentsDocument);
  const { nodes, end } = selection;
  const close = () => setAction(undefined);
  const onDelete = async () => {
    const { result } = await remove.mutateAsync({ pageId, ids: nodes.map(({ id }) => id) });
    if (!result?.userErrors.length) end();
  };
  return (
    <>
      <FormError>{remove.error?.message ?? remove.data?.result?.userErrors[0]?.message}</FormError>
      <div className={styles.moved}>
        <span role="status">{nodes.length} selected</span>
        <Button disabled={!nodes.length} onClick={() => setAction('state')}>
          Set the status
        </Button>
        <Button disabled={!nodes.length} onClick={() => setAction('move')}>
          Move
        </Button>
        {mayDelete && nodes.length > 0 && (
          <ConfirmButton
            label="Delete"
            question={`Delete ${nodes.length === 1 ? nodes[0]!.name : `${nodes.length} components`}`}
            onConfirm={() => void onDelete().catch(() => {})}
          />
        )}
      </div>
      {action === 'state' && <SetStatus pageId={pageId} nodes={nodes} onDone={end} onClose={close} />}
      {action === 'move' && <MoveComponents pageId={pageId} tree={tree} nodes={nodes} onDone={end} onClose={close} />}
    </>
  );
}

interface MoveProps {
  pageId: string;
  tree: TreeNode[];
  nodes: TreeNode[];
  onDone: () => void;
  onClose: () => void;
}

function MoveComponents({ pageId, tree, nodes, onDone, onClose }: MoveProps) {
  const [parentId, setParentId] = useState('');
  const move = useWrite(MoveComponentsDocument);
  const { errors, others } = toFormErrors(move.data?.result?.userErrors, ['parentId']);
  const below = new Set(listNodes(nodes).map(({ id }) => id));
  const onMove = async () => {
    const ids = nodes.map(({ id }) => id);
    const { result } = await move.mutateAsync({ pageId, ids, parentId: parentId || null, beforeId: null });
    if (!result?.userErrors.length) onDone();
  };
  return (
    <Dialog title="Move the components" onClose={onClose}>
      <div className={styles.form}>
        <Select
          label="Part of"
          value={parentId}
          error={errors.parentId}
          onChange={event => setParentId(event.target.value)}
        >
          <option value="">None</option>
          <Options
            of={listNodes(tree)
              .filter(({ id }) => !below.has(id))
              .map(({ id, name }) => [id, name])}
          />
        </Select>
        <FormError>{move.error?.message ?? others}</FormError>
        <div className={styles.buttons}>
          <Button look="primary" disabled={move.isPending} onClick={() => void onMove().catch(() => {})}>
            Move
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}
