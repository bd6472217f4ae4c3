import { treeOrder } from '../view/tree-order.js';
import { askedComponent } from '../view/urls.js';
import type { Asked, Drawing, Face } from '../server/public-route.js';
import { isMonth, type Month, monthOf, monthView } from '../view/months.js';
import type { ComponentView, PageView } from '../view/view.js';
import { type Canvas, canvasOf } from './render-context.js';
import { documentOf, siteTitle } from './document.js';
import { barOf } from './history-bar.js';
import { html, type Markup } from './html.js';
import { dayOfNotices } from './past-notices.js';

/** The present month: the days of the bars reach further back, so every snapshot has its notices. */
export const presentHistory: Face = {
  path: 'history',
  query: ['component', 'lang'],
  draw: (view, asked) => monthPage(view, monthOf(view.now, view.page.zone), asked),
};

export const history: Face = {
  path: 'history/:month',
  query: ['component', 'lang'],
  needs: ({ path: { month } }) => (isMonth(month) ? { month } : null),
  addresses: view =>
    [...new Set([monthOf(view.now, view.page.zone), ...view.notices.map(({ day }) => day.slice(0, 7))])].map(
      month => `history/${month}`,
    ),
  draw: (view, asked) => {
    const { month } = asked.path;
    return isMonth(month) && month <= monthOf(view.now, view.page.zone) ? monthPage(view, month, asked) : null;
  },
};

function monthPage(view: PageView, month: string, asked: Asked): Drawing | null {
  // A form sends the empty choice too: all of them.
  const component = asked.query.component === '' ? undefined : askedComponent(view, asked);
  if (component === null) return null;
  const canvas = canvasOf(view);
  const { texts } = canvas;
  const path = `history/${month}`;
  const query: Record<string, string> = component ? { component: String(component.id) } : {};
  return documentOf(canvas, {
    path: asked.path.month ? path : 'history',
    query,
    canonical: path,
    title: [texts.t('history.title'), texts.capital(texts.month(month)), siteTitle(view)].join(' – '),
    description: view.page.metaDescription,
    main: mainOf(canvas, monthView(view, month, component), component, query),
  });
}

function mainOf(
  canvas: Canvas,
  month: Month,
  component: ComponentView | undefined,
  query: Record<string, string>,
): Markup {
  const { texts, to } = canvas;
  const neighbour = (other: string | null, text: 'history.previousMonth' | 'history.nextMonth', rel: string) =>
    other && html`<a href="${to(`history/${other}`, query)}" rel="${rel}">${texts.t(text)}</a>`;
  return html`
    <div class="title">
      <h1>${texts.t('history.title')} <span class="of-month">${texts.month(month.month)}</span></h1>
      <nav class="months" aria-label="${texts.t('history.title')}">
        ${neighbour(month.previous, 'history.previousMonth', 'prev')}${neighbour(month.next, 'history.nextMonth', 'next')}
      </nav>
    </div>
    ${filter(canvas, month, component)}
    ${barOf(texts, month.days, texts.capital(texts.month(month.month)), 'whole')}
    <h2 class="unseen">${texts.t('past.title')}</h2>
    ${month.entries.map(({ day, notices }) => dayOfNotices(canvas, day, notices))}
    ${!month.entries.length && html`<p class="quiet-days">${texts.t('history.noNotices')}</p>`}
    <p><a class="more" href="${to('')}">${texts.t('notice.back')}</a></p>`;
}

/** A form that needs no script. Its fields are the query: the language is one of them. */
function filter({ view, texts }: Canvas, { month }: Month, chosen: ComponentView | undefined): Markup | null {
  if (!view.components.length) return null;
  const language = view.locale !== view.page.locale && html`<input type="hidden" name="lang" value="${view.locale}">`;
  const options = treeOrder(view.components).map(
    ({ id, name, depth }) =>
      html`<option value="${id}"${id === chosen?.id && html` selected=""`}>${'– '.repeat(Math.min(depth, 5))}${name}</option>`,
  );
  return html`
    <form class="filter" action="${view.place.path}history/${month}">
      ${language}
      <label for="component">${texts.t('history.component')}</label>
      <select id="component" name="component"><option value="">${texts.t('history.allComponents')}</option>${options}</select>
      <button type="submit">${texts.t('history.filter')}</button>
    </form>`;
}
