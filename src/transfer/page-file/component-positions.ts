interface Sibling {
  id: string;
  position: number;
}

/**
 * Returns a position for each of the siblings, in whose order they are shown. Most of those that have one keep it; null
 * has none, since it is new or comes from another parent.
 */
export function choosePositions(siblings: readonly (Sibling | null)[]): number[] {
  const unmoved = findUnmoved(siblings);
  const positions: number[] = [];
  const first = unmoved.values().next().value;
  siblings.forEach((sibling, index) => {
    if (unmoved.has(index)) positions.push(sibling!.position);
    else if (first === undefined) positions.push(index + 1);
    else if (index < first) positions.push(siblings[first]!.position - (first - index));
    else positions.push(positions.at(-1)! + 1);
  });
  return positions;
}

/** The longest chain of siblings of which each can follow the one before: a longest increasing subsequence. */
function findUnmoved(siblings: readonly (Sibling | null)[]): Set<number> {
  const lengths: number[] = [];
  const before: number[] = [];
  let last = -1;
  siblings.forEach((sibling, index) => {
    lengths[index] = sibling ? 1 : 0;
    before[index] = -1;
    if (!sibling) return;
    for (let other = 0; other < index; other += 1) {
      const previous = siblings[other];
      if (!previous || lengths[other]! < lengths[index]!) continue;
      if (!canFollow(previous, sibling, index - other)) continue;
      lengths[index] = lengths[other]! + 1;
      before[index] = other;
    }
    if (last < 0 || lengths[index]! > lengths[last]!) last = index;
  });
  const chain: number[] = [];
  for (let index = last; index >= 0; index = before[index]!) chain.unshift(index);
  return new Set(chain);
}

/** Whether there is room for those between them. Neighbours may have the same position: then the lower id is first. */
const canFollow = (previous: Sibling, next: Sibling, distance: number): boolean =>
  next.position - previous.position >= distance ||
  (distance === 1 && next.position === previous.position && Number(next.id) > Number(previous.id));
