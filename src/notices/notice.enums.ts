import { registerEnum } from '../graphql/enum.js';
import type { Impact } from './impact.rules.js';
import type {
  NoticeState,
  NoticeType,
  PlannedState,
  TimelineState,
  UnplannedState,
  UpdateKind,
} from './notice.states.js';

export const NoticeTypes = registerEnum(
  'NoticeType',
  {
    unplanned: 'An incident.',
    planned: 'A maintenance with a window.',
    general: 'An announcement, which has no states.',
  } satisfies Record<NoticeType, string>,
  'The type of a notice, which determines its states and fields.',
);

const incidentStates: Record<UnplannedState, string> = {
  investigating: 'Unplanned, ongoing: looking for the cause. The initial state of an incident.',
  identified: 'Unplanned, ongoing: the cause is known.',
  recovering: 'Unplanned, ongoing: the system is recovering.',
  resolved: 'Unplanned, over.',
  false_alarm: 'Unplanned, over: there was no incident.',
};
const maintenanceStates: Record<PlannedState, string> = {
  scheduled: 'Planned, not started. The initial state of a maintenance.',
  cancelled: 'Planned, over: cancelled before or after the start.',
  underway: 'Planned, ongoing.',
  complete: 'Planned, over.',
};
export const IncidentStates = registerEnum('IncidentState', incidentStates, 'The state of an incident.');
export const MaintenanceStates = registerEnum('MaintenanceState', maintenanceStates, 'The state of a maintenance.');
export const NoticeStates = registerEnum(
  'NoticeState',
  { ...incidentStates, ...maintenanceStates } satisfies Record<NoticeState, string>,
  'The state of a notice. Any state of its type can follow any other. General notices have none.',
);
export const Impacts = registerEnum(
  'Impact',
  {
    degraded: 'It works with problems. The default.',
    'partial-outage': 'It works for some of its users, or in part.',
    'major-outage': 'It does not work.',
  } satisfies Record<Impact, string>,
  'How an incident affects a component, in words of `ComponentStatus`. The page, its history, its uptime and its JSON' +
    ' show it; /v1 does not.',
);
export const NoticeStateEvents = registerEnum(
  'NoticeStateEvent',
  { close: 'The notice is over: RESOLVED for an incident, COMPLETE for a maintenance.' },
  'A change of state, named by its event.',
);
export const UpdateKinds = registerEnum(
  'UpdateKind',
  {
    update: 'An entry of the timeline.',
    postmortem: 'The text about a notice that is over: what happened, and what follows from it. At most one.',
  } satisfies Record<UpdateKind, string>,
  'What an update is.',
);
export const TimelineStates = registerEnum(
  'TimelineState',
  {
    future: 'Not started.',
    present: 'Ongoing.',
    past_recent: 'Ended within the last 7 days.',
    past_distant: 'Ended more than 7 days ago.',
  } satisfies Record<TimelineState, string>,
  'Whether a notice is ahead, ongoing or over.',
);
