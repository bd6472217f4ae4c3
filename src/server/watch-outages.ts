import type { ChangeFeed } from '../db/change-feed.js';
import type { Admission } from '../http/admission/admission.js';

/** After this time without an answer of the database, requests wait for it no longer. */
const limitMs = 5_000;

/** Suspends the admission of requests while the database does not answer. */
export function watchOutages(feed: ChangeFeed, admission: Admission): void {
  let timer: NodeJS.Timeout | undefined;
  feed.on('connectionLost', since => {
    timer = setTimeout(() => admission.suspend(), since.getTime() + limitMs - Date.now()).unref();
  });
  feed.on('connectionRestored', () => {
    clearTimeout(timer);
    admission.resume();
  });
}
