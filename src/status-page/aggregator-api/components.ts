import { computeDisplayedStates } from '../html/status-icons.js';
import { flattenTree } from '../../components/component-tree.js';
import type { ComponentView, PageView } from '../view/view.js';
import type { ComponentStatus } from '../../notices/statuspage.rules.js';
import { componentStatuses } from './mapping.js';

export interface AggregatorComponent {
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

/** All components by id, in the order of the page. Groups can be nested; Statuspage itself allows one level. */
export function toAggregatorComponents(view: PageView): Map<number, AggregatorComponent> {
  const displayedStates = computeDisplayedStates(view);
  return new Map(
    flattenTree(view.components).map(component => {
      const { id, name, description, createdAt, updatedAt, parent, children } = component;
      return [
        id,
        {
          id: String(id),
          name,
          status: componentStatuses[displayedStates.get(id) ?? 'operational'],
          created_at: createdAt,
          updated_at: updatedAt,
          position: getPosition(component, view),
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

/** Its position among its siblings, starting at 1. */
function getPosition(component: ComponentView, { components }: PageView): number {
  return (component.parent?.children ?? components).indexOf(component) + 1;
}
