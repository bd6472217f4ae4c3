import { absolute } from '../view/urls.js';
import { analyticsOf } from '../html/analytics.js';
import { html, Markup, textOf } from '../html/html.js';
import type { PageView } from '../view/view.js';
import type { Additions } from './variables.js';

/** By way: the classes that Font Awesome has for it, as themes print them: `<i class="{{ option[1].icon }}">`. */
const icons = { email: 'fa fa-envelope', sms: 'fa fa-mobile' } as const;

/** What a theme is handed beside the page itself: the code of analytics, and where visitors subscribe. */
export function additionsOf(view: PageView): Additions {
  const analytics = analyticsOf(view.page.vendorAnalyticsId);
  return {
    head: analytics ? textOf(html`${analytics.loader}<script>${new Markup(analytics.script)}</script>`) : '',
    subscriptionOptions: Object.fromEntries(
      (view.page.subscriptionOptions ?? []).map(way => [
        way,
        { url: absolute(view, way === 'email' ? 'subscribe' : `subscribe?by=${way}`), icon: icons[way] },
      ]),
    ),
  };
}
