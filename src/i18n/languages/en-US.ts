import type { Catalogue } from './catalogue.js';
import { catalogue as english } from './en.js';

/** American English: only what differs. Its dates and times come from `Intl`. */
export const catalogue: Catalogue = {
  ...english,

  'subscribe.byEmail': 'By email',
  'subscribe.email': 'Email address',
  'subscribe.mailSent':
    'An email with a link is on its way to {address}. Open the link to continue; until then nothing else is sent.',
  'subscribe.mailText': 'Confirm your email address to get updates from {page}. The link is valid for 7 days.',
  'subscribe.mailIgnore': 'Didn’t ask for this? Ignore this email, and we won’t email you again.',
  'preferences.newAddress': 'New email address',
  'problem.email': 'Enter an email address, as in {example}',
};
