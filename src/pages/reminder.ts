/** How many hours before a maintenance subscribers are reminded. */
export const reminders = { none: null, one_hour: 1, one_day: 24, three_days: 72 } as const;
export type Reminder = keyof typeof reminders;

/** The lead time in hours. Safe as literals: the names are constants. */
export const reminderHoursSql = (column: string) =>
  `case ${column} ${Object.entries(reminders)
    .flatMap(([name, hours]) => (hours ? [`when '${name}' then ${hours}`] : []))
    .join(' ')} end`;
