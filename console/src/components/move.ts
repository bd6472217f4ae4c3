import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MoveComponentsDocument } from '../api/documents.ts';
import { request } from '../api/transport.ts';
import { listNodes, type TreeNode } from './tree.ts';

/** Where a component stands: below its parent, before a sibling; null: as the last one. */
export interface Place {
  parentId: string | null;
  beforeId: string | null;
}

const childrenOf = (tree: TreeNode[], parentId: string | null): TreeNode[] =>
  parentId === null ? tree : (listNodes(tree).find(({ id }) => id === parentId)?.children ?? []);

export function findPlace(tree: TreeNode[], { id, parentId }: TreeNode): Place {
  const siblings = childrenOf(tree, parentId);
  return { parentId, beforeId: siblings[siblings.findIndex(each => each.id === id) + 1]?.id ?? null };
}

/** The place one step up (-1) or down (1) among its siblings; null at the end. */
export function findNextPlace(tree: TreeNode[], { id, parentId }: TreeNode, step: -1 | 1): Place | null {
  const siblings = childrenOf(tree, parentId);
  const index = siblings.findIndex(each => each.id === id);
  if (!siblings[index + step]) return null;
  return { parentId, beforeId: siblings[step === -1 ? index - 1 : index + 2]?.id ?? null };
}

/** A component cannot be below itself. */
export const canMove = (node: TreeNode, { parentId }: Place): boolean =>
  !listNodes([node]).some(({ id }) => id === parentId);

/** Moves components, and the last one back. */
export function useMoves(pageId: string, tree: TreeNode[]) {
  const client = useQueryClient();
  const [last, setLast] = useState<{ node: TreeNode; back: Place }>();
  const [error, setError] = useState<string>();

  const write = async (node: TreeNode, place: Place, back?: Place) => {
    setError(undefined);
    setLast(undefined);
    let isDone = false;
    try {
      const { result } = await request(MoveComponentsDocument, { pageId, ids: [node.id], ...place });
      const [refused] = result?.userErrors ?? [];
      if (refused) throw new Error(refused.message.replaceAll('`', ''));
      isDone = true;
    } catch (failure) {
      setError((failure as Error).message);
    }
    await client.invalidateQueries();
    if (isDone && back) setLast({ node, back });
  };
  return {
    error,
    last: last?.node.name,
    move: (node: TreeNode, place: Place) => {
      if (!canMove(node, place)) return;
      void write(node, place, findPlace(tree, node));
    },
    undo: () => {
      if (!last) return;
      const node = listNodes(tree).find(({ id }) => id === last.node.id);
      if (node) void write(node, last.back);
    },
  };
}
