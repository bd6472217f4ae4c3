import { readBrowserScript } from '../../core/browser-script.js';
import type { PublicRoute } from '../routing/public-route.js';

const script = readBrowserScript('push-worker');

/** The service worker that shows push messages. Its scope is the page, below its mount. */
export const pushWorker: PublicRoute = {
  path: 'push-worker.js',
  render: ({ page }) => (page.offersPush ? { type: 'text/javascript; charset=utf-8', body: script } : null),
};
