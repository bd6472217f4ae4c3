import { z } from 'zod';
import { Recurrence } from '../../notices/recurrence/recurrence.entity.js';
import { checkRule, checkWindows, type FurtherWindow } from '../../notices/recurrence/recurrence.rules.js';
import { findTimeZoneName } from '../../pages/time-zone-names.js';
import { describeEntity } from './entity-kind.js';
import { id, type Kind, parsed, time } from './kind.js';
import { reminder } from './page-kinds.js';

const window = z.strictObject({ beginsAt: time, endsAt: time });

export const recurrenceKinds: Record<string, Kind> = {
  recurrences: describeEntity(Recurrence, {
    description: 'Maintenance that repeats, and when its next occurrence becomes a notice.',
    fields: {
      timezone: parsed(findTimeZoneName),
      on_missing_hour: z.enum(['skip', 'later']).default('skip'),
      windows: window.array().default([]),
      component_ids: id.array(),
      reminder: reminder.nullable(),
    },
    check: ({ rule, timezone, begins_at, windows }) => {
      const beginsAt = new Date(String(begins_at));
      const own = {
        rule: rule as string | null,
        timezoneName: String(timezone),
        beginsAt,
        windows: windows as FurtherWindow[],
      };
      return checkRule(own) === null && checkWindows(own) === null;
    },
  }),
  occurrences: {
    table: 'occurrence',
    description: 'The occurrences that became notices or were skipped. `occurs_at` is the start by the rule.',
    fields: { recurrence_id: id, occurs_at: time, notice_id: id.nullable() },
    order: 'k.recurrence_id, k.occurs_at',
    references: { recurrence_id: 'recurrences', notice_id: 'notices' },
  },
};
