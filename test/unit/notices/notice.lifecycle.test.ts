import { beforeEach, describe, expect, test } from '@jest/globals';
import { Checks } from '../../../src/core/validation.js';
import { type Refusal, text } from '../../../src/core/errors.js';
import { changeState, setAutomation, setWindow } from '../../../src/notices/notice.lifecycle.js';
import { type NoticeState, type NoticeType, statesOf } from '../../../src/notices/notice.states.js';

const now = new Date('2026-03-14T12:00:00.000Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

let checks: Checks;
beforeEach(() => {
  checks = new Checks();
});

function refusals(): unknown {
  try {
    checks.pass();
    return undefined;
  } catch (refusal) {
    return (refusal as Refusal).fields;
  }
}

const none = {
  beganAt: null,
  endedAt: null,
  beginsAt: null,
  endsAt: null,
  shouldAutomateSchedule: false,
  beginArmed: false,
  completeArmed: false,
};
const notice = (type: NoticeType, state: NoticeState | null, more: object = {}) => ({ ...none, type, state, ...more });
const opened = notice('unplanned', 'investigating', { beganAt: hours(-3) });
const closed = notice('unplanned', 'resolved', { beganAt: hours(-3), endedAt: hours(-2) });
const maintenance = (state: NoticeState, more: object = {}) =>
  notice('planned', state, { beginsAt: hours(1), endsAt: hours(2), ...more });

describe('a move by hand', () => {
  test.each(['unplanned', 'planned', 'general'] as const)(
    'of a notice that is %s takes the words of its type and no other',
    type => {
      const words = [...new Set(Object.values(statesOf).flat())];
      for (const word of [...words, 'junk', 'Investigating', '']) {
        checks = new Checks();
        changeState(notice(type, statesOf[type].at(-1) ?? null), word, {}, now, checks);
        expect(refusals()).toEqual(
          (statesOf[type] as string[]).includes(word) ? undefined : { state: [text.notIncluded] },
        );
      }
    },
  );

  test.each([null, undefined, 'investigating'])('into %s is none', state => {
    const course = { ...opened };
    changeState(course, state, {}, now, checks);
    expect(course).toEqual(opened);
    expect(refusals()).toBeUndefined();
  });

  test('that is refused changes nothing', () => {
    const course = { ...opened };
    changeState(course, 'complete', { beganAt: hours(-5) }, now, checks);
    expect(course).toEqual(opened);
  });
});

describe('back-dating', () => {
  test('sets the times of the state that is entered with it', () => {
    const course = { ...opened };
    changeState(course, 'resolved', { beganAt: hours(-30), endedAt: hours(-20) }, now, checks);
    expect(course).toEqual({ ...opened, state: 'resolved', beganAt: hours(-30), endedAt: hours(-20) });
    expect(refusals()).toBeUndefined();
  });

  test('takes the very moment, and a beginning that is the end', () => {
    const course = { ...closed };
    changeState(course, undefined, { beganAt: now, endedAt: now }, now, checks);
    expect(course).toMatchObject({ beganAt: now, endedAt: now });
    expect(refusals()).toBeUndefined();
  });

  test.each([
    ['a beginning in the future', opened, { beganAt: new Date(now.getTime() + 1) }, ['beganAt']],
    ['an end in the future', closed, { endedAt: new Date(now.getTime() + 1) }, ['endedAt']],
    ['an end before the beginning', closed, { endedAt: hours(-4) }, ['endedAt']],
    ['a beginning after the end', closed, { beganAt: hours(-1) }, ['beganAt']],
    ['both the wrong way round', closed, { beganAt: hours(-5), endedAt: hours(-6) }, ['endedAt']],
    ['an end of what is open', opened, { endedAt: hours(-1) }, ['endedAt']],
    ['a beginning of what is scheduled', maintenance('scheduled'), { beganAt: hours(-1) }, ['beganAt']],
    ['an end of what is scheduled', maintenance('scheduled'), { endedAt: hours(-1) }, ['endedAt']],
  ])('refuses %s', (_, course, span, fields) => {
    changeState({ ...course }, undefined, span, now, checks);
    expect(refusals()).toEqual(Object.fromEntries(fields.map(field => [field, [text.invalid]])));
  });

  test.each([
    ['nothing', {}],
    ['null', { beganAt: null, endedAt: null }],
    ['what is stored', { beganAt: hours(-3), endedAt: hours(-2) }],
  ])('with %s keeps the times', (_, span) => {
    const course = { ...closed };
    changeState(course, undefined, span, now, checks);
    expect(course).toEqual(closed);
    expect(refusals()).toBeUndefined();
  });

  test.each([
    ['an incident opened again', closed, 'identified', { beganAt: closed.beganAt, endedAt: null }],
    [
      'an incident taken for a false alarm',
      closed,
      'false_alarm',
      { beganAt: closed.beganAt, endedAt: closed.endedAt },
    ],
    [
      'a maintenance put off',
      maintenance('underway', { beganAt: hours(-1) }),
      'scheduled',
      { beganAt: null, endedAt: null },
    ],
    [
      'a maintenance put off after its end',
      maintenance('complete', { beganAt: hours(-2), endedAt: hours(-1) }),
      'scheduled',
      { beganAt: null, endedAt: null },
    ],
    [
      'a maintenance taken up again',
      maintenance('complete', { beganAt: hours(-2), endedAt: hours(-1) }),
      'underway',
      { beganAt: hours(-2), endedAt: null },
    ],
  ])('is not meant by a whole record sent back with another state: %s', (_, before, state, after) => {
    const course = { ...before };
    changeState(course, state, { beganAt: before.beganAt, endedAt: before.endedAt }, now, checks);
    expect(refusals()).toBeUndefined();
    expect(course).toMatchObject({ state, ...after });
  });

  test('is not for general notices', () => {
    const course = notice('general', null, { beganAt: now, endedAt: now });
    changeState(course, undefined, { beganAt: hours(-9), endedAt: hours(9) }, now, checks);
    expect(course).toMatchObject({ beganAt: now, endedAt: now });
    expect(refusals()).toBeUndefined();
  });
});

describe('a window', () => {
  test('that moves says so, and one that stays does not', () => {
    const course = maintenance('scheduled');
    expect(setWindow(course, { durationInMinutes: 60 }, checks)).toBe(false);
    expect(setWindow(course, { durationInMinutes: 90 }, checks)).toBe(true);
    expect(course).toMatchObject({ beginsAt: hours(1), endsAt: hours(2.5) });
  });

  test('that cannot be is refused and stays', () => {
    const course = maintenance('scheduled');
    expect(setWindow(course, { endsAt: hours(1) }, checks)).toBe(false);
    expect(course).toEqual(maintenance('scheduled'));
    expect(refusals()).toEqual({ endsAt: [text.invalid] });
  });

  test.each([opened, notice('general', null)])('is only of planned notices: $type', course => {
    const after = { ...course };
    expect(setWindow(after, { beginsAtDate: 'junk', durationInMinutes: -1 }, checks)).toBe(false);
    expect(after).toEqual(course);
    expect(refusals()).toBeUndefined();
  });
});

describe('the two moves', () => {
  const armed = (begin: boolean, complete: boolean) => ({ beginArmed: begin, completeArmed: complete });
  const ahead: Record<string, object> = {
    scheduled: armed(true, true),
    underway: armed(false, true),
    complete: armed(false, false),
    cancelled: armed(false, false),
  };

  test.each(statesOf.planned)('are armed, those that %s has still before it, when automation is switched on', state => {
    const course = maintenance(state);
    setAutomation(course, { shouldAutomateSchedule: true }, new Checks());
    expect(course).toMatchObject({ shouldAutomateSchedule: true, ...ahead[state] });
  });

  test.each(statesOf.planned)('are armed again by a new window in %s', state => {
    const course = maintenance(state, { shouldAutomateSchedule: true });
    setAutomation(course, { shouldAutomateSchedule: true }, new Checks(), true);
    expect(course).toMatchObject(ahead[state]!);
  });

  test('stay as they are while neither is new', () => {
    const course = maintenance('scheduled', { shouldAutomateSchedule: true });
    setAutomation(course, { shouldAutomateSchedule: true }, new Checks());
    expect(course).toMatchObject(armed(false, false));
  });

  test('are disarmed when automation is switched off', () => {
    const course = maintenance('scheduled', { shouldAutomateSchedule: true, ...armed(true, true) });
    setAutomation(course, { shouldAutomateSchedule: false }, new Checks(), true);
    expect(course).toMatchObject({ shouldAutomateSchedule: false, ...armed(false, false) });
  });

  test.each([opened, notice('general', null)])('are only of planned notices: $type', course => {
    const after = { ...course };
    setAutomation(after, { shouldAutomateSchedule: true }, new Checks(), true);
    expect(after).toEqual(course);
  });

  test.each<[NoticeState, NoticeState, object, object]>([
    ['scheduled', 'underway', armed(true, true), armed(false, true)],
    ['scheduled', 'complete', armed(true, true), armed(false, false)],
    ['scheduled', 'cancelled', armed(true, true), armed(false, false)],
    ['underway', 'complete', armed(false, true), armed(false, false)],
    ['underway', 'cancelled', armed(false, true), armed(false, false)],
    // The start is undone; the end is neither skipped nor undone by this.
    ['underway', 'scheduled', armed(false, true), armed(false, true)],
    ['complete', 'underway', armed(false, false), armed(false, false)],
    ['complete', 'scheduled', armed(false, false), armed(false, false)],
    ['cancelled', 'scheduled', armed(false, false), armed(false, false)],
  ])('are disarmed where a move by hand from %s into %s skips or undoes them', (from, into, before, after) => {
    const course = maintenance(from, { shouldAutomateSchedule: true, ...before });
    changeState(course, into, {}, now, checks);
    expect(course).toMatchObject({ state: into, ...after });
  });
});
