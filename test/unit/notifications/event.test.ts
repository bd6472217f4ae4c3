import { expect, test } from '@jest/globals';
import type { NoticeState, NoticeType } from '../../../src/notices/notice.states.js';
import { eventOf, textOf } from '../../../src/notifications/event.js';
import { textsOf } from '../../../src/i18n/translator.js';

const times = { beginsAt: null, endsAt: null };
const notice = (type: NoticeType, state: NoticeState | null) => ({ type, state, subject: 'Subject', ...times });

test.each<[NoticeType, NoticeState | null, NoticeState | null | 'new', string]>([
  ['unplanned', 'investigating', 'new', 'opened'],
  ['unplanned', 'resolved', 'new', 'closed'],
  ['unplanned', 'identified', 'investigating', 'updated'],
  ['unplanned', 'identified', 'identified', 'updated'],
  ['unplanned', 'false_alarm', 'recovering', 'closed'],
  ['unplanned', 'investigating', 'resolved', 'opened'],
  ['planned', 'scheduled', 'new', 'scheduled'],
  ['planned', 'underway', 'new', 'begun'],
  ['planned', 'underway', 'scheduled', 'begun'],
  ['planned', 'scheduled', 'cancelled', 'scheduled'],
  ['planned', 'scheduled', 'scheduled', 'updated'],
  ['planned', 'complete', 'underway', 'completed'],
  ['planned', 'cancelled', 'scheduled', 'cancelled'],
  ['general', null, 'new', 'announced'],
  ['general', null, null, 'updated'],
])('a notice (%s) that is %s and was %s before: %s', (type, state, before, event) => {
  expect(eventOf(notice(type, state), before === 'new' ? null : { state: before, ...times })).toBe(event);
});

test('the words are those of the page’s language, and a window stands in its zone and in UTC', () => {
  const window = { beginsAt: new Date('2026-11-20T21:00:00Z'), endsAt: new Date('2026-11-20T22:30:00Z') };
  const moved = { ...notice('planned', 'scheduled'), ...window };
  const before = { state: 'scheduled' as const, ...times };
  expect(textOf(moved, { ...before, state: 'underway' }, null, textsOf('de'), 'Europe/Berlin')).toBe(
    textsOf('de').t('state.scheduled'),
  );
  expect(textOf(moved, before, null, textsOf('en'), 'Europe/Berlin')).toBe(
    'Friday, 20 November 2026, 22:00 – 23:30 CET\n\nFriday, 20 November 2026, 21:00 – 22:30 UTC',
  );
  expect(textOf(moved, before, null, textsOf('en'), 'UTC')).toBe('Friday, 20 November 2026, 21:00 – 22:30 UTC');
});
