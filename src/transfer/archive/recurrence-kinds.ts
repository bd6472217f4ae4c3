import { z } from 'zod';
import { checkRule, checkWindows, type FurtherWindow } from '../../notices/recurrence/recurrence.rules.js';
import { findTimeZoneName } from '../../pages/time-zone-names.js';
import { flag, id, type Kind, pageId, parsed, text, time, timestamps } from './kind.js';
import { reminder } from './page-kinds.js';

const window = z.strictObject({ beginsAt: time, endsAt: time });

export const recurrenceKinds: Record<string, Kind> = {
  recurrences: {
    table: 'recurrence',
    description: 'Maintenance that repeats, and when its next occurrence becomes a notice.',
    fields: {
      id,
      ...timestamps,
      page_id: pageId,
      rule: text,
      timezone: parsed(findTimeZoneName),
      on_missing_hour: z.enum(['skip', 'later']).default('skip'),
      begins_at: time,
      ends_at: time,
      windows: window.array().default([]),
      subject: text,
      content: text.nullable(),
      component_ids: id.array(),
      tag_list: text.array(),
      should_automate_schedule: flag,
      reminder: reminder.nullable(),
      should_publish: flag,
      next_at: time.nullable(),
      due_at: time.nullable(),
    },
    order: 'k.id',
    references: { page_id: 'pages' },
    check: ({ rule, timezone, begins_at, windows }) => {
      const beginsAt = new Date(String(begins_at));
      const own = { rule: String(rule), timezone: String(timezone), beginsAt, windows: windows as FurtherWindow[] };
      return checkRule(own) === null && checkWindows(own) === null;
    },
  },
  occurrences: {
    table: 'occurrence',
    description: 'The occurrences that became notices or were skipped. `occurs_at` is the start by the rule.',
    fields: { recurrence_id: id, occurs_at: time, notice_id: id.nullable() },
    order: 'k.recurrence_id, k.occurs_at',
    references: { recurrence_id: 'recurrences', notice_id: 'notices' },
  },
};
