import { useState } from 'react';
import type { SubscriberFilter } from '../api/documents.ts';

export interface Selected {
  filter: SubscriberFilter;
  count: number;
}

/** Which subscribers are selected: some of them, or all that the filter matches. */
export function useSelection(filter: SubscriberFilter, totalCount: number, shownIds: string[]) {
  const matching = JSON.stringify(filter);
  const [state, setState] = useState<{ ids: string[] | 'all'; matching: string }>({ ids: [], matching });
  // Another search ends the selection: "all" would be others.
  const selected = state.matching === matching ? state.ids : [];
  const setSelected = (ids: string[] | 'all') => setState({ ids, matching });
  const ids = selected === 'all' ? shownIds : selected;
  return {
    ...(selected === 'all' ? { filter, count: totalCount } : { filter: { id: { in: ids } }, count: ids.length }),
    has: (id: string) => ids.includes(id),
    select: (changed: string[], isOn: boolean) => {
      const others = ids.filter(id => !changed.includes(id));
      setSelected(isOn ? [...others, ...changed] : others);
    },
    selectAll: () => setSelected('all'),
    clear: () => setSelected([]),
  };
}
