import { useSuspenseQuery } from '@tanstack/react-query';
import { PickComponentsDocument, type PickComponentsQuery } from '../api/documents.ts';
import { request } from '../api/transport.ts';

type ListedComponent = NonNullable<PickComponentsQuery['components']>['nodes'][number];

export interface TreeNode extends ListedComponent {
  children: TreeNode[];
}

/** All components of a page, however many there are. */
export function useComponentTree(pageId: string): TreeNode[] {
  const { data } = useSuspenseQuery({
    queryKey: [PickComponentsDocument.toString(), pageId],
    queryFn: async ({ signal }) => {
      const all: ListedComponent[] = [];
      let after: string | null = null;
      do {
        const { components }: PickComponentsQuery = await request(
          PickComponentsDocument,
          { pageId, after },
          { signal },
        );
        all.push(...components!.nodes);
        after = components!.pageInfo.hasNextPage ? components!.pageInfo.endCursor : null;
      } while (after);
      return all;
    },
  });
  return buildTree(data);
}

export function buildTree(components: ListedComponent[]): TreeNode[] {
  const nodes = new Map(components.map(component => [component.id, { ...component, children: [] as TreeNode[] }]));
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) (nodes.get(node.parentId ?? '')?.children ?? roots).push(node);
  return roots;
}

export const listNodes = (nodes: TreeNode[]): TreeNode[] => nodes.flatMap(node => [node, ...listNodes(node.children)]);

/** The nodes whose name has the text, with those above them. */
export function searchTree(nodes: TreeNode[], text: string): TreeNode[] {
  const words = text.trim().toLowerCase();
  if (!words) return nodes;
  return nodes.flatMap(node => {
    if (node.name.toLowerCase().includes(words)) return [node];
    const children = searchTree(node.children, text);
    return children.length ? [{ ...node, children }] : [];
  });
}

/** Its name, with as many of the names above it as tell it from all others: "Network › Ingress". */
export function findUniquePath(node: TreeNode, nodes: readonly TreeNode[]): string {
  const toPath = ({ name, parentId }: TreeNode, length: number): string => {
    const parent = length > 1 && nodes.find(({ id }) => id === parentId);
    return parent ? `${toPath(parent, length - 1)} › ${name}` : name;
  };
  for (let length = 1; ; length += 1) {
    const path = toPath(node, length);
    const isUnique = nodes.every(other => other === node || toPath(other, length) !== path);
    if (isUnique || toPath(node, length + 1) === path) return path;
  }
}
