import { enumeration } from '../graphql/enum.js';
import type { Reminder } from './reminder.js';

export const Reminders = enumeration(
  'Reminder',
  {
    none: 'Nobody is reminded.',
    one_hour: 'An hour before.',
    one_day: 'A day before: 24 hours.',
    three_days: 'Three days before: 72 hours.',
  } satisfies Record<Reminder, string>,
  'How long before the window of a maintenance people are reminded of it.',
);
