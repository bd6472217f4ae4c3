import { computeComponentStates } from '../../components/component.states.js';
import type { Situation } from '../../pages/branding/situation.js';
import type { PageSnapshot, SnapshotComponent, SnapshotNotice } from './snapshot.js';

const minuteMs = 60_000;
const hour = 60;
const day = 24 * hour;

/** A page in a situation: its own components, or some if it has none, and sample notices in place of its own. */
export function toSituation(snapshot: PageSnapshot, situation: Situation): PageSnapshot {
  const at = (minutes: number) => new Date(Date.parse(snapshot.readAt) + minutes * minuteMs).toISOString();
  const own = snapshot.components.length ? snapshot.components : sampleComponents(at(-30 * day));
  const parents = new Set(own.map(({ parentId }) => parentId));
  const componentIds = [own.find(({ id }) => !parents.has(id))!.id];
  const withNotices = (degraded: readonly number[], notices: SnapshotNotice[]): PageSnapshot => {
    const states = computeComponentStates(own, new Set(degraded));
    return {
      ...snapshot,
      changeCount: undefined,
      counts: undefined,
      history: undefined,
      components: own.map(component => ({ ...component, manual: null, state: states.get(component.id)! })),
      notices,
    };
  };
  const past = notice(1, 'Some requests were slow', {
    type: 'unplanned',
    state: 'resolved',
    beganAt: at(-2 * day),
    endedAt: at(-2 * day + 95),
    componentIds,
    updates: [[at(-2 * day + 95), 'A database was overloaded. It has more capacity now, and requests are fast again.']],
  });
  switch (situation) {
    case 'all-well':
      return withNotices([], [past]);
    case 'incident':
      return withNotices(componentIds, [
        notice(2, 'Some requests fail', {
          type: 'unplanned',
          state: 'identified',
          beganAt: at(-32),
          componentIds,
          updates: [
            [at(-32), 'About one request in five fails. We are looking for the cause.'],
            [at(-8), 'We have found the cause, and are repairing it. **Requests that failed can be repeated.**'],
          ],
        }),
        past,
      ]);
    case 'maintenance':
      return withNotices(componentIds, [
        notice(4, 'Move to a larger database', {
          type: 'planned',
          state: 'underway',
          beginsAt: at(-30),
          endsAt: at(hour),
          beganAt: at(-29),
          componentIds,
          updates: [[at(-29), 'The move has begun. Reads work; writes wait until it is done.']],
        }),
        notice(3, 'Renewal of certificates', {
          type: 'planned',
          state: 'scheduled',
          beginsAt: at(2 * day),
          endsAt: at(2 * day + hour),
          componentIds,
          updates: [[at(-day), 'Connections are closed once, and can be opened again at once.']],
        }),
        past,
      ]);
    case 'first-day':
      return { ...withNotices([], []), components: [] };
  }
}

const sampleComponents = (createdAt: string): SnapshotComponent[] =>
  ['Website', 'API', 'Sign-in'].map((name, index) => ({
    id: index + 1,
    parentId: null,
    name,
    description: null,
    state: 'operational',
    position: index + 1,
    createdAt,
    updatedAt: createdAt,
  }));

type SampleNotice = Partial<SnapshotNotice> & Pick<SnapshotNotice, 'type' | 'state'>;

function notice(
  id: number,
  subject: string,
  { updates, ...values }: Omit<SampleNotice, 'updates'> & { updates: [at: string, content: string][] },
): SnapshotNotice {
  const createdAt = updates[0]![0];
  return {
    id,
    subject,
    synopsis: updates.at(-1)![1],
    path: `${String(id).padStart(16, 'a')}-sample`,
    tags: [],
    beginsAt: null,
    endsAt: null,
    beganAt: null,
    endedAt: null,
    componentIds: [],
    createdAt,
    updatedAt: createdAt,
    updates: updates.map(([at, content], index) => ({
      id: id * 10 + index,
      content,
      state: values.state,
      createdAt: at,
      updatedAt: at,
    })),
    ...values,
  };
}
