// The console bundles this file: it imports nothing.

/** A colour by its meaning. `part` has the colour of `warn` and another icon; `none` has no meaning. */
export type Tone = 'ok' | 'part' | 'warn' | 'down' | 'plan' | 'none';

/** The tone and the icon of each state of a component and of a page. Icons differ in outline, not only in colour. */
export const stateStyles = {
  operational: { tone: 'ok', icon: 'check' },
  unknown: { tone: 'none', icon: 'question' },
  maintenance: { tone: 'plan', icon: 'wrench' },
  'partially-degraded': { tone: 'part', icon: 'half' },
  degraded: { tone: 'warn', icon: 'alert' },
  'partial-outage': { tone: 'down', icon: 'minus' },
  'major-outage': { tone: 'down', icon: 'octagon' },
} as const;

/** The same of each state of a notice. General notices have no state. */
export const noticeStyles = {
  investigating: { tone: 'warn', icon: 'alert' },
  identified: { tone: 'warn', icon: 'alert' },
  recovering: { tone: 'part', icon: 'half' },
  resolved: { tone: 'ok', icon: 'check' },
  false_alarm: { tone: 'none', icon: 'crossed' },
  scheduled: { tone: 'plan', icon: 'clock' },
  underway: { tone: 'plan', icon: 'wrench' },
  complete: { tone: 'ok', icon: 'check' },
  cancelled: { tone: 'none', icon: 'crossed' },
  general: { tone: 'none', icon: 'info' },
} as const;

/** An incident with an outage has its colour until the incident recovers. */
export function getNoticeTone(state: keyof typeof noticeStyles, hasOutage: boolean): Tone {
  const { tone } = noticeStyles[state];
  return tone === 'warn' && hasOutage ? 'down' : tone;
}
