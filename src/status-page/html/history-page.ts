import { flattenTree } from '../../components/component-tree.js';
import { findRequestedComponent } from '../view/urls.js';
import type { RouteParameters, RenderedResponse, PublicRoute } from '../server/public-route.js';
import { isMonth, type Month, toMonth, buildMonth } from '../view/months.js';
import type { ComponentView, PageView } from '../view/view.js';
import { type RenderContext, createRenderContext } from './render-context.js';
import { renderDocument, getSiteTitle } from './document.js';
import { renderHistoryBar } from './history-bar.js';
import { html, type Markup } from './html.js';
import { renderDay } from './past-notices.js';

/** The current month. It needs no further notices: every snapshot covers the 90 days of the history bars. */
export const currentHistoryPage: PublicRoute = {
  path: 'history',
  query: ['component', 'lang'],
  render: (view, parameters) => renderMonthPage(view, toMonth(view.now, view.page.zone), parameters),
};

export const historyPage: PublicRoute = {
  path: 'history/:month',
  query: ['component', 'lang'],
  requiredNotices: ({ path: { month } }) => (isMonth(month) ? { month } : null),
  listPaths: view =>
    [...new Set([toMonth(view.now, view.page.zone), ...view.notices.map(({ day }) => day.slice(0, 7))])].map(
      month => `history/${month}`,
    ),
  render: (view, parameters) => {
    const { month } = parameters.path;
    return isMonth(month) && month <= toMonth(view.now, view.page.zone)
      ? renderMonthPage(view, month, parameters)
      : null;
  },
};

function renderMonthPage(view: PageView, month: string, parameters: RouteParameters): RenderedResponse | null {
  // The form sends an empty `component` for all components.
  const component = parameters.query.component === '' ? undefined : findRequestedComponent(view, parameters);
  if (component === null) return null;
  const context = createRenderContext(view);
  const { translator } = context;
  const path = `history/${month}`;
  const query: Record<string, string> = component ? { component: String(component.id) } : {};
  return renderDocument(context, {
    path: parameters.path.month ? path : 'history',
    query,
    canonical: path,
    title: [
      translator.t('history.title'),
      translator.capitalize(translator.formatMonth(month)),
      getSiteTitle(view),
    ].join(' – '),
    description: view.page.metaDescription,
    main: renderMain(context, buildMonth(view, month, component), component, query),
  });
}

function renderMain(
  context: RenderContext,
  month: Month,
  component: ComponentView | undefined,
  query: Record<string, string>,
): Markup {
  const { translator, urlFor } = context;
  const renderMonthLink = (other: string | null, label: 'history.previousMonth' | 'history.nextMonth', rel: string) =>
    other && html`<a href="${urlFor(`history/${other}`, query)}" rel="${rel}">${translator.t(label)}</a>`;
  return html`
    <div class="title">
      <h1>${translator.t('history.title')} <span class="of-month">${translator.formatMonth(month.month)}</span></h1>
      <nav class="months" aria-label="${translator.t('history.title')}">
        ${renderMonthLink(month.previous, 'history.previousMonth', 'prev')}
        ${renderMonthLink(month.next, 'history.nextMonth', 'next')}
      </nav>
    </div>
    ${renderFilter(context, month, component)}
    ${renderHistoryBar(translator, month.days, translator.capitalize(translator.formatMonth(month.month)), 'whole')}
    <h2 class="unseen">${translator.t('past.title')}</h2>
    ${month.entries.map(({ day, notices }) => renderDay(context, day, notices))}
    ${!month.entries.length && html`<p class="quiet-days">${translator.t('history.noNotices')}</p>`}
    <p><a class="more" href="${urlFor('')}">${translator.t('notice.back')}</a></p>`;
}

/** A GET form without a script. A hidden field keeps the language. */
function renderFilter(
  { view, translator }: RenderContext,
  { month }: Month,
  selected: ComponentView | undefined,
): Markup | null {
  if (!view.components.length) return null;
  const language = view.locale !== view.page.locale && html`<input type="hidden" name="lang" value="${view.locale}">`;
  const options = flattenTree(view.components).map(({ id, name, depth }) => {
    const attribute = id === selected?.id && html` selected=""`;
    return html`<option value="${id}"${attribute}>${'– '.repeat(Math.min(depth, 5))}${name}</option>`;
  });
  return html`
    <form class="filter" action="${view.mount.path}history/${month}">
      ${language}
      <label for="component">${translator.t('history.component')}</label>
      <select id="component" name="component">
        <option value="">${translator.t('history.allComponents')}</option>
        ${options}
      </select>
      <button type="submit">${translator.t('history.filter')}</button>
    </form>`;
}
