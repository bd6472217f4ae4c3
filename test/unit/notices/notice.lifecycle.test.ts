import { beforeEach, describe, expect, test } from '@jest/globals';
import { Validation } from '../../../src/core/validation.js';
import type { Refusal } from '../../../src/core/errors.js';
import { toMessages, validationMessages } from '../../../src/core/problems.js';
import { changeState, requestedState, setAutomation, setWindow } from '../../../src/notices/notice-lifecycle.rules.js';
import { type NoticeState, type NoticeType, statesByType } from '../../../src/notices/notice.states.js';

const now = new Date('2026-03-14T12:00:00.000Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

let validation: Validation;
beforeEach(() => {
  validation = new Validation();
});

function collectRefusals(): unknown {
  try {
    validation.throwIfInvalid();
    return undefined;
  } catch (refusal) {
    return toMessages((refusal as Refusal).details.fields!);
  }
}

const unset = {
  beganAt: null,
  endedAt: null,
  beginsAt: null,
  endsAt: null,
  shouldAutomateSchedule: false,
  beginArmed: false,
  completeArmed: false,
};
const notice = (type: NoticeType, state: NoticeState | null, more: object = {}) => ({ ...unset, type, state, ...more });
const opened = notice('unplanned', 'investigating', { beganAt: hours(-3) });
const closed = notice('unplanned', 'resolved', { beganAt: hours(-3), endedAt: hours(-2) });
const maintenance = (state: NoticeState, more: object = {}) =>
  notice('planned', state, { beginsAt: hours(1), endsAt: hours(2), ...more });

describe('requestedState', () => {
  const close = { state: null, stateEvent: 'close' };

  test('is the closed state of the type, and the present state of a notice that is over', () => {
    expect(requestedState({ type: 'planned', state: 'underway' }, close, validation)).toBe('complete');
    expect(requestedState({ type: 'planned', state: 'cancelled' }, close, validation)).toBe('cancelled');
  });

  test('refuses the event of an announcement, and says what is required', () => {
    requestedState({ type: 'general', state: null }, close, validation);
    expect(() => validation.throwIfInvalid()).toThrow(
      expect.objectContaining({
        details: {
          fields: { stateEvent: [expect.objectContaining({ requirement: 'must be omitted for an announcement' })] },
        },
      }),
    );
    expect(collectRefusals()).toEqual({ stateEvent: [validationMessages.notIncluded] });
  });
});

describe('changeState', () => {
  test.each(['unplanned', 'planned', 'general'] as const)(
    'of a notice of type %s accepts the states of that type and no others',
    type => {
      const states = [...new Set(Object.values(statesByType).flat())];
      for (const state of [...states, 'junk', 'Investigating', '']) {
        validation = new Validation();
        changeState(notice(type, statesByType[type].at(-1) ?? null), state, {}, now, validation);
        expect(collectRefusals()).toEqual(
          (statesByType[type] as string[]).includes(state) ? undefined : { state: [validationMessages.notIncluded] },
        );
      }
    },
  );

  test.each([null, undefined, 'investigating'])('with %s changes nothing', state => {
    const lifecycle = { ...opened };
    changeState(lifecycle, state, {}, now, validation);
    expect(lifecycle).toEqual(opened);
    expect(collectRefusals()).toBeUndefined();
  });

  test('changes nothing if it refuses the state', () => {
    const lifecycle = { ...opened };
    changeState(lifecycle, 'complete', { beganAt: hours(-5) }, now, validation);
    expect(lifecycle).toEqual(opened);
  });
});

describe('a maintenance that is entered as complete', () => {
  const entered = (from: number, to: number, span: object = {}) => {
    const lifecycle = notice('planned', null, { beginsAt: hours(from), endsAt: hours(to) });
    changeState(lifecycle, 'complete', span, now, validation);
    expect(collectRefusals()).toBeUndefined();
    return [lifecycle.beganAt, lifecycle.endedAt];
  };

  test('began and ended at the times of its window, if all of it is past', () => {
    expect(entered(-5, -3)).toEqual([hours(-5), hours(-3)]);
    expect(entered(-5, 0)).toEqual([hours(-5), now]);
  });

  test('began and ended now, if its window is not over', () => {
    expect(entered(-5, 1)).toEqual([now, now]);
  });

  test('has the times that were sent', () => {
    expect(entered(-5, -3, { beganAt: hours(-9), endedAt: hours(-8) })).toEqual([hours(-9), hours(-8)]);
    expect(entered(-5, -3, { beganAt: hours(-2) })).toEqual([hours(-2), now]);
  });
});

describe('back-dating', () => {
  test('sets the times of the state that is entered in the same call', () => {
    const lifecycle = { ...opened };
    changeState(lifecycle, 'resolved', { beganAt: hours(-30), endedAt: hours(-20) }, now, validation);
    expect(lifecycle).toEqual({ ...opened, state: 'resolved', beganAt: hours(-30), endedAt: hours(-20) });
    expect(collectRefusals()).toBeUndefined();
  });

  test('accepts the current moment, and a start equal to the end', () => {
    const lifecycle = { ...closed };
    changeState(lifecycle, undefined, { beganAt: now, endedAt: now }, now, validation);
    expect(lifecycle).toMatchObject({ beganAt: now, endedAt: now });
    expect(collectRefusals()).toBeUndefined();
  });

  test.each([
    ['a start in the future', opened, { beganAt: new Date(now.getTime() + 1) }, ['beganAt']],
    ['an end in the future', closed, { endedAt: new Date(now.getTime() + 1) }, ['endedAt']],
    ['an end before the start', closed, { endedAt: hours(-4) }, ['endedAt']],
    ['a start after the end', closed, { beganAt: hours(-1) }, ['beganAt']],
    ['a start and an end in the wrong order', closed, { beganAt: hours(-5), endedAt: hours(-6) }, ['endedAt']],
    ['an end of an open incident', opened, { endedAt: hours(-1) }, ['endedAt']],
    ['a start of a scheduled maintenance', maintenance('scheduled'), { beganAt: hours(-1) }, ['beganAt']],
    ['an end of a scheduled maintenance', maintenance('scheduled'), { endedAt: hours(-1) }, ['endedAt']],
  ])('refuses %s', (_, lifecycle, span, fields) => {
    changeState({ ...lifecycle }, undefined, span, now, validation);
    expect(collectRefusals()).toEqual(Object.fromEntries(fields.map(field => [field, [validationMessages.invalid]])));
  });

  test.each([
    ['no values', {}],
    ['null', { beganAt: null, endedAt: null }],
    ['the stored values', { beganAt: hours(-3), endedAt: hours(-2) }],
  ])('with %s keeps the times', (_, span) => {
    const lifecycle = { ...closed };
    changeState(lifecycle, undefined, span, now, validation);
    expect(lifecycle).toEqual(closed);
    expect(collectRefusals()).toBeUndefined();
  });

  test.each([
    ['a reopened incident', closed, 'identified', { beganAt: closed.beganAt, endedAt: null }],
    [
      'an incident that becomes a false alarm',
      closed,
      'false_alarm',
      { beganAt: closed.beganAt, endedAt: closed.endedAt },
    ],
    [
      'a maintenance back to scheduled',
      maintenance('underway', { beganAt: hours(-1) }),
      'scheduled',
      { beganAt: null, endedAt: null },
    ],
    [
      'a completed maintenance back to scheduled',
      maintenance('complete', { beganAt: hours(-2), endedAt: hours(-1) }),
      'scheduled',
      { beganAt: null, endedAt: null },
    ],
    [
      'a completed maintenance back to underway',
      maintenance('complete', { beganAt: hours(-2), endedAt: hours(-1) }),
      'underway',
      { beganAt: hours(-2), endedAt: null },
    ],
  ])('ignores the stored times in a whole record sent back with another state: %s', (_, before, state, after) => {
    const lifecycle = { ...before };
    changeState(lifecycle, state, { beganAt: before.beganAt, endedAt: before.endedAt }, now, validation);
    expect(collectRefusals()).toBeUndefined();
    expect(lifecycle).toMatchObject({ state, ...after });
  });

  test('ignores general notices', () => {
    const lifecycle = notice('general', null, { beganAt: now, endedAt: now });
    changeState(lifecycle, undefined, { beganAt: hours(-9), endedAt: hours(9) }, now, validation);
    expect(lifecycle).toMatchObject({ beganAt: now, endedAt: now });
    expect(collectRefusals()).toBeUndefined();
  });
});

describe('setWindow', () => {
  test('returns whether the window changed', () => {
    const lifecycle = maintenance('scheduled');
    expect(setWindow(lifecycle, { durationInMinutes: 60 }, validation)).toBe(false);
    expect(setWindow(lifecycle, { durationInMinutes: 90 }, validation)).toBe(true);
    expect(lifecycle).toMatchObject({ beginsAt: hours(1), endsAt: hours(2.5) });
  });

  test('refuses an invalid window and keeps the current one', () => {
    const lifecycle = maintenance('scheduled');
    expect(setWindow(lifecycle, { endsAt: hours(1) }, validation)).toBe(false);
    expect(lifecycle).toEqual(maintenance('scheduled'));
    expect(collectRefusals()).toEqual({ endsAt: [validationMessages.invalid] });
  });

  test.each([opened, notice('general', null)])('ignores notices of type $type', lifecycle => {
    const after = { ...lifecycle };
    expect(setWindow(after, { beginsAtDate: 'junk', durationInMinutes: -1 }, validation)).toBe(false);
    expect(after).toEqual(lifecycle);
    expect(collectRefusals()).toBeUndefined();
  });
});

describe('the automatic changes', () => {
  const armed = (begin: boolean, complete: boolean) => ({ beginArmed: begin, completeArmed: complete });
  const armedByState: Record<string, object> = {
    scheduled: armed(true, true),
    underway: armed(false, true),
    complete: armed(false, false),
    cancelled: armed(false, false),
  };

  test.each(statesByType.planned)('that follow %s are armed when automation is switched on', state => {
    const lifecycle = maintenance(state);
    setAutomation(lifecycle, { shouldAutomateSchedule: true }, new Validation());
    expect(lifecycle).toMatchObject({ shouldAutomateSchedule: true, ...armedByState[state] });
  });

  test.each(statesByType.planned)('are armed again by a new window in state %s', state => {
    const lifecycle = maintenance(state, { shouldAutomateSchedule: true });
    setAutomation(lifecycle, { shouldAutomateSchedule: true }, new Validation(), true);
    expect(lifecycle).toMatchObject(armedByState[state]!);
  });

  test('stay as they are if neither the setting nor the window changes', () => {
    const lifecycle = maintenance('scheduled', { shouldAutomateSchedule: true });
    setAutomation(lifecycle, { shouldAutomateSchedule: true }, new Validation());
    expect(lifecycle).toMatchObject(armed(false, false));
  });

  test('are disarmed when automation is switched off', () => {
    const lifecycle = maintenance('scheduled', { shouldAutomateSchedule: true, ...armed(true, true) });
    setAutomation(lifecycle, { shouldAutomateSchedule: false }, new Validation(), true);
    expect(lifecycle).toMatchObject({ shouldAutomateSchedule: false, ...armed(false, false) });
  });

  test.each([opened, notice('general', null)])('are not armed for notices of type $type', lifecycle => {
    const after = { ...lifecycle };
    setAutomation(after, { shouldAutomateSchedule: true }, new Validation(), true);
    expect(after).toEqual(lifecycle);
  });

  test.each<[NoticeState, NoticeState, object, object]>([
    ['scheduled', 'underway', armed(true, true), armed(false, true)],
    ['scheduled', 'complete', armed(true, true), armed(false, false)],
    ['scheduled', 'cancelled', armed(true, true), armed(false, false)],
    ['underway', 'complete', armed(false, true), armed(false, false)],
    ['underway', 'cancelled', armed(false, true), armed(false, false)],
    // Undoes the start, but neither skips nor undoes the end.
    ['underway', 'scheduled', armed(false, true), armed(false, true)],
    ['complete', 'underway', armed(false, false), armed(false, false)],
    ['complete', 'scheduled', armed(false, false), armed(false, false)],
    ['cancelled', 'scheduled', armed(false, false), armed(false, false)],
  ])('are disarmed if a state change from %s to %s skips or undoes them', (from, to, before, after) => {
    const lifecycle = maintenance(from, { shouldAutomateSchedule: true, ...before });
    changeState(lifecycle, to, {}, now, validation);
    expect(lifecycle).toMatchObject({ state: to, ...after });
  });
});
