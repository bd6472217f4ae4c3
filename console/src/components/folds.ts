import { useStored } from '../api/stored.ts';
import { listNodes, type TreeNode } from './tree.ts';

/** From this number of components on, groups are collapsed until somebody expands them. */
const minCollapsedSize = 25;

export interface Folds {
  isFolded: (node: TreeNode) => boolean;
  toggle: (node: TreeNode) => void;
}

/** Which groups of a tree show their components, as this browser left them. */
export function useFolds(pageId: string, tree: TreeNode[]): Folds {
  const [stored, store] = useStored<Record<string, boolean>>(`folds ${pageId}`);
  const isLong = listNodes(tree).length >= minCollapsedSize;
  const isFolded = ({ id }: TreeNode) => stored?.[id] ?? isLong;
  return { isFolded, toggle: node => store({ ...stored, [node.id]: !isFolded(node) }) };
}

export const countChildren = ({ children: { length } }: TreeNode): string =>
  length === 1 ? '1 component' : `${length} components`;
