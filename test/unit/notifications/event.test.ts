import { expect, test } from '@jest/globals';
import type { NoticeState, NoticeType } from '../../../src/notices/notice.states.js';
import { determineEvent, composeText } from '../../../src/notifications/messages/event.js';
import { getTranslator } from '../../../src/i18n/translator.js';

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
])('determineEvent for a notice of type %s, now %s, before %s, returns %s', (type, state, before, event) => {
  expect(determineEvent(notice(type, state), before === 'new' ? null : { state: before, ...times })).toBe(event);
});

test('composeText uses the language of the page, and formats a window in its zone and in UTC', () => {
  const window = { beginsAt: new Date('2026-11-20T21:00:00Z'), endsAt: new Date('2026-11-20T22:30:00Z') };
  const moved = { ...notice('planned', 'scheduled'), ...window };
  const before = { state: 'scheduled' as const, ...times };
  expect(composeText(moved, { ...before, state: 'underway' }, null, getTranslator('de'), 'Europe/Berlin')).toBe(
    getTranslator('de').t('state.scheduled'),
  );
  expect(composeText(moved, before, null, getTranslator('en'), 'Europe/Berlin')).toBe(
    'Friday, 20 November 2026, 22:00 – 23:30 CET\n\nFriday, 20 November 2026, 21:00 – 22:30 UTC',
  );
  expect(composeText(moved, before, null, getTranslator('en'), 'UTC')).toBe(
    'Friday, 20 November 2026, 21:00 – 22:30 UTC',
  );
});
