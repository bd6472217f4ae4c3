import type { PublicRoute } from '../routing/public-route.js';
import { renderDocument } from './document.js';
import { renderBackLink } from './header.js';
import { html } from './html.js';
import { createRenderContext } from './render-context.js';

/** What browsers get for a path that the page does not have. */
export const notFoundPage: PublicRoute = {
  path: '404',
  render: view => {
    const context = createRenderContext(view);
    const { translator, urlFor } = context;
    const title = translator.t('page.notFound');
    const document = renderDocument(context, {
      path: '',
      title: `${title} – ${view.page.name}`,
      description: null,
      main: html`
        ${renderBackLink(context)}
        <h1>${title}</h1>
        <p><a class="more" href="${urlFor('history')}">${translator.t('past.history')}</a></p>`,
    });
    // A notice may be published at this path at any time; programs get plain text.
    const headers = { ...document.headers, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' };
    return { ...document, status: 404, headers };
  },
};
