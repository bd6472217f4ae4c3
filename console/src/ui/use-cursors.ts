import { useState } from 'react';

/** Which part of a long list is shown: the cursors of the parts before it. */
export function useCursors() {
  const [cursors, setCursors] = useState<string[]>([]);
  return {
    after: cursors.at(-1) ?? null,
    isFirst: !cursors.length,
    next: (cursor: string) => setCursors([...cursors, cursor]),
    back: () => setCursors(cursors.slice(0, -1)),
    restart: () => setCursors([]),
  };
}
