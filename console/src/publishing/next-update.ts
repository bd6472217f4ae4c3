/**
 * When the next update is due, as it was chosen: the time is set when it is, so that the preview stays the
 * same.
 */
export interface NextUpdate {
  choice: 'none' | '30 min' | '1 h' | '2 h' | 'time';
  by: string | null;
}

export const noNextUpdate: NextUpdate = { choice: 'none', by: null };

const minuteMs = 60_000;
const leads = { '30 min': 30, '1 h': 60, '2 h': 120, time: 60 } as const;

/** The chosen time, to the minute. */
export const chooseNextUpdate = (choice: NextUpdate['choice']): NextUpdate => ({
  choice,
  by: choice === 'none' ? null : new Date((Math.ceil(Date.now() / minuteMs) + leads[choice]) * minuteMs).toISOString(),
});

/** What a saved draft has for the form. */
export const fromNextUpdateBy = (by: string | null = null): NextUpdate => ({ choice: by ? 'time' : 'none', by });
