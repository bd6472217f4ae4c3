import type { PageView } from './view.js';

/** Whether browsers can subscribe: they allow push messages to secure origins, and those of the machine itself. */
export const offersPush = ({ page, mount }: PageView): boolean =>
  Boolean(page.offersPush) && /^https:|^http:\/\/(([^/]+\.)?localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(mount.origin);
