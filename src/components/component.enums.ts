import { registerEnum } from '../graphql/enum.js';
import type { ComponentStatus } from '../pages/public-page.js';
import type { ComponentState } from './component.states.js';

export const ComponentStates = registerEnum(
  'ComponentState',
  {
    operational:
      'No ongoing notice names the component, an ancestor or a descendant, or a person set it to this state.',
    degraded: 'An ongoing notice names the component, or a person set it to another state than operational.',
    'partially-degraded': 'An ancestor or a descendant is degraded.',
  } satisfies Record<ComponentState, string>,
  'The state of a component or of a whole page, as /v1 has it: DEGRADED stands for any trouble. What visitors see is ' +
    'in `status` of a component and in `banner` of a page. A page is never PARTIALLY_DEGRADED.',
);

/** The name in GraphQL of a value in the database. */
export const toStatusName = (value: string): string =>
  value === 'partially-degraded' ? 'PARTLY_AFFECTED' : value.replaceAll('-', '_').toUpperCase();

export const ComponentStatuses = registerEnum(
  'ComponentStatus',
  {
    operational: 'Nothing affects it.',
    unknown:
      'Its upstream has not answered, or has not listed the component, for 15 minutes or five requests in a row.',
    maintenance: 'It is under maintenance, and nothing worse affects it.',
    'partially-degraded': 'An incident affects an ancestor or a descendant.',
    degraded: 'It is slow, or parts of it fail.',
    'partial-outage': 'It works for some of its users, or in part.',
    'major-outage': 'It does not work.',
  } satisfies Record<ComponentStatus, string>,
  'The status of a component, of one of its days or, in a banner, of a page; also what a person sets and what an ' +
    'upstream reports. It includes the values of `Impact`. From mild to severe: OPERATIONAL, UNKNOWN, MAINTENANCE, ' +
    'PARTLY_AFFECTED, DEGRADED, PARTIAL_OUTAGE, MAJOR_OUTAGE.',
  toStatusName,
);
