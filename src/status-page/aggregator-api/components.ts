import { standingsOf } from '../html/status-icons.js';
import { treeOrder } from '../view/tree-order.js';
import type { ComponentView, PageView } from '../view/view.js';
import { type ComponentStatus, componentStatuses } from './mapping.js';

export interface AggregatedComponent {
  id: string;
  name: string;
  status: ComponentStatus;
  created_at: string;
  updated_at: string;
  position: number;
  description: string | null;
  showcase: boolean;
  start_date: string;
  group_id: string | null;
  page_id: string;
  group: boolean;
  only_show_if_degraded: boolean;
  components?: string[];
}

/** Every component by id, in the order of the page. A group may stand in a group here, where the original knows one level. */
export function aggregatedComponents(view: PageView): Map<number, AggregatedComponent> {
  const standings = standingsOf(view);
  return new Map(
    treeOrder(view.components).map(component => {
      const { id, name, description, createdAt, updatedAt, parent, children } = component;
      return [
        id,
        {
          id: String(id),
          name,
          status: componentStatuses[standings.get(id) ?? 'operational'],
          created_at: createdAt,
          updated_at: updatedAt,
          position: positionOf(component, view),
          description,
          showcase: true,
          start_date: createdAt.slice(0, 10),
          group_id: parent && String(parent.id),
          page_id: view.page.id,
          group: children.length > 0,
          only_show_if_degraded: false,
          ...(children.length && { components: children.map(child => String(child.id)) }),
        },
      ];
    }),
  );
}

function positionOf(component: ComponentView, { components }: PageView): number {
  return (component.parent?.children ?? components).indexOf(component) + 1;
}
