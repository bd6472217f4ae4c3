import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { SetState } from './set-state.tsx';
import { listNodes, type TreeNode } from './tree.ts';
import styles from './components.module.css';

/** The components that are selected for one action on all of them. Undefined ids: none can be selected. */
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

export function SelectionBar({ pageId, selection }: { pageId: string; selection: Selection }) {
  const [isSetting, setSetting] = useState(false);
  const { nodes } = selection;
  return (
    <div className={styles.moved}>
      <span role="status">{nodes.length} selected</span>
      <Button disabled={!nodes.length} onClick={() => setSetting(true)}>
        Set the state
      </Button>
      {isSetting && <SetState pageId={pageId} nodes={nodes} onDone={selection.end} onClose={() => setSetting(false)} />}
    </div>
  );
}
