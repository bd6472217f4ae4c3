import { registerEnum } from '../graphql/enum.js';
import type { Reminder } from './reminder.js';

export const Reminders = registerEnum(
  'Reminder',
  {
    none: 'No reminder.',
    one_hour: '1 hour before.',
    one_day: '24 hours before.',
    three_days: '72 hours before.',
  } satisfies Record<Reminder, string>,
  'How long before the start of a maintenance its subscribers are reminded.',
);
