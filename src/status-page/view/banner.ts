import type { ComponentView, NoticeView } from './view.js';

/**
 * The one sentence that says how things are. It follows from the present notices and from nothing else, so it cannot contradict the list below it:
 * "operational" only while none is present, "maintenance" only while none of them is a fault.
 */
export interface Banner {
  kind: 'operational' | 'maintenance' | 'degraded';
  /** `one`: `component` is hit and nothing else; `some`: several of the components; `all`: every one of them; `unnamed`: no component is named. */
  extent: 'none' | 'one' | 'some' | 'all' | 'unnamed';
  component: ComponentView | null;
}

export function bannerOf(present: readonly NoticeView[], components: readonly ComponentView[]): Banner {
  if (!present.length) return { kind: 'operational', extent: 'none', component: null };
  const faults = present.filter(({ type }) => type !== 'planned');
  const kind = faults.length ? 'degraded' : 'maintenance';
  const hit = new Set((faults.length ? faults : present).flatMap(notice => notice.components));
  if (!hit.size) return { kind, extent: 'unnamed', component: null };
  if (hit.size === 1) return { kind, extent: 'one', component: [...hit][0]! };
  const isHit = (component: ComponentView): boolean => {
    for (let above: ComponentView | null = component; above; above = above.parent) if (hit.has(above)) return true;
    return false;
  };
  return { kind, extent: components.every(isHit) ? 'all' : 'some', component: null };
}
