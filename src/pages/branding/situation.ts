/** What can be the case on a page, as a designer looks at it. */
export const situations = {
  'all-well': 'Everything is operational, and there is a past incident.',
  incident: 'An incident is open.',
  maintenance: 'A maintenance is underway, and another is scheduled.',
  'first-day': 'The page has neither components nor notices.',
} as const;
export type Situation = keyof typeof situations;
