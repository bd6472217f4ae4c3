import type { PublicRoute } from '../routing/public-route.js';
import { listLimits } from '../view/snapshot.js';
import { selectFuture, selectPresent } from '../view/view.js';
import { renderDocument, getSiteTitle } from './document.js';
import { renderBackLink } from './header.js';
import { html } from './html.js';
import { renderUpcomingMaintenance } from './maintenance.js';
import { renderPresentNotices } from './notice-card.js';
import { parsePageNumber, renderPager, withPageNumber } from './pager.js';
import { createRenderContext } from './render-context.js';

/** All open notices, in pages: the present ones in the order of the front page, and then the scheduled ones. */
export const openNoticesPage: PublicRoute = {
  path: 'notices',
  hasTexts: true,
  query: ['lang', 'page'],
  requiredNotices: (parameters, { omitted }) => {
    const openPage = parsePageNumber(parameters);
    return openPage !== null && omitted.present + omitted.future > 0 ? { openPage } : null;
  },
  render: (view, parameters) => {
    const pageNumber = parsePageNumber(parameters);
    const { notices, sliceTotal } = view;
    const present = selectPresent(notices);
    const future = selectFuture(notices);
    const total = sliceTotal ?? present.length + future.length;
    const pageCount = Math.max(1, Math.ceil(total / listLimits.open));
    if (pageNumber === null || pageNumber > pageCount) return null;
    const omitted = { present: 0, future: 0, general: 0, past: 0 };
    const context = createRenderContext({ ...view, present, future, omitted });
    const { translator } = context;
    const title = translator.t('notice.present');
    return renderDocument(context, {
      path: 'notices',
      query: withPageNumber({}, pageNumber),
      title: `${title} – ${getSiteTitle(view)}`,
      description: view.page.metaDescription,
      style: '.pages{margin-block-start:1.5rem}',
      main: html`
        ${renderBackLink(context)}
        <h1>${title}</h1>
        ${!total && html`<p class="quiet-days">${translator.t('past.quietDay')}</p>`}
        ${renderPresentNotices(context)}
        ${renderUpcomingMaintenance(context)}
        ${renderPager(context, { path: 'notices', pageNumber, pageCount })}`,
    });
  },
};
