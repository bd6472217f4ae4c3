import { absoluteUrl } from '../view/urls.js';
import { createAnalytics } from '../html/analytics.js';
import { html, Markup, renderToString } from '../html/html.js';
import type { PageView } from '../view/view.js';
import type { PageExtras } from './variables.js';

/** The Font Awesome classes of each contact method, which themes print: `<i class="{{ option[1].icon }}">`. */
const icons = { email: 'fa fa-envelope', sms: 'fa fa-mobile' } as const;

/** Creates what a theme gets beside the page itself: the analytics code, and where visitors subscribe. */
export function createPageExtras(view: PageView): PageExtras {
  const analytics = createAnalytics(view.page.vendorAnalyticsId);
  return {
    head: analytics ? renderToString(html`${analytics.loader}<script>${new Markup(analytics.script)}</script>`) : '',
    subscriptionOptions: Object.fromEntries(
      (view.page.subscriptionOptions ?? []).map(method => [
        method,
        { url: absoluteUrl(view, method === 'email' ? 'subscribe' : `subscribe?by=${method}`), icon: icons[method] },
      ]),
    ),
  };
}
