/** How long before the window of a maintenance people are reminded of it. */
export const reminders = { none: null, one_hour: 1, one_day: 24, three_days: 72 } as const;
export type Reminder = keyof typeof reminders;

/** In hours; the words are our own. */
export const reminderHoursSql = (column: string) =>
  `case ${column} ${Object.entries(reminders)
    .flatMap(([word, hours]) => (hours ? [`when '${word}' then ${hours}`] : []))
    .join(' ')} end`;
