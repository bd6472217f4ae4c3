import { registerEnum } from '../graphql/enum.js';
import type { ComponentState } from './component.states.js';

export const ComponentStates = registerEnum(
  'ComponentState',
  {
    operational:
      'No ongoing notice names the component, an ancestor or a descendant, or a person set it to this state.',
    degraded: 'An ongoing notice names the component, or a person set it to another state than operational.',
    'partially-degraded': 'An ancestor or a descendant is degraded.',
  } satisfies Record<ComponentState, string>,
  'The state of a component or of a whole page. A page is never PARTIALLY_DEGRADED.',
);
