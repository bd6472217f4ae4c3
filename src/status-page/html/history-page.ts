import { flattenTree, listAncestors } from '../../components/component-tree.js';
import { historyLengthDays } from '../../pages/public-page.js';
import type { RequiredNotices } from '../view/load-notices.js';
import { findRequestedComponent } from '../view/urls.js';
import type { RouteParameters, RenderedResponse, PublicRoute } from '../routing/public-route.js';
import { buildMonth, isMonth, isMonthOfPage, listMonthsOfNotices, type Month, toMonth } from '../view/months.js';
import { computeResponseStatistics } from '../view/response-statistics.js';
import type { ComponentView, PageView } from '../view/view.js';
import { type RenderContext, createRenderContext } from './render-context.js';
import { renderDocument, getSiteTitle } from './document.js';
import { renderBackLink } from './header.js';
import { renderWholeBar } from './history-bar.js';
import { html, type Markup } from './html.js';
import { parsePageNumber, renderPager, withPageNumber } from './pager.js';
import { renderDay } from './past-notices.js';

const createHistoryRoute = (
  path: string,
  getMonth: (view: PageView, parameters: RouteParameters) => string | undefined,
): PublicRoute => ({
  path,
  hasTexts: true,
  query: ['component', 'lang', 'page'],
  requiredNotices: (parameters, view) => findRequired(view, getMonth(view, parameters), parameters),
  listPaths: view => listMonthsOfNotices(view).map(month => `history/${month}`),
  render: (view, parameters) => renderMonthPage(view, getMonth(view, parameters), parameters),
});

export const currentHistoryPage = createHistoryRoute('history', ({ now, page }) => toMonth(now, page.zone));
export const historyPage = createHistoryRoute('history/:month', (_view, { path }) => path.month);

/** What a request for a month asks for; null: not found. */
function parseMonthRequest(view: PageView, month: string | undefined, parameters: RouteParameters) {
  if (!isMonth(month) || !isMonthOfPage(view, month)) return null;
  // The form sends an empty `component` for all components.
  const component = parameters.query.component === '' ? undefined : findRequestedComponent(view, parameters);
  const pageNumber = parsePageNumber(parameters);
  return component === null || pageNumber === null ? null : { month, component, pageNumber };
}

function findRequired(
  view: PageView,
  requested: string | undefined,
  parameters: RouteParameters,
): RequiredNotices | null {
  const request = parseMonthRequest(view, requested, parameters);
  if (!request) return null;
  if (view.isComplete && !view.page.shouldShowResponseStatistics && request.month > findOldestMonth(view)) return null;
  const { month, component, pageNumber } = request;
  const concerned = component && [...listAncestors(component), ...flattenTree([component])];
  return { month, monthPage: pageNumber, componentIds: concerned?.map(({ id }) => id) ?? null };
}

/** The month in which the 90 days begin: a complete snapshot has only some notices of that month. */
const findOldestMonth = ({ now }: PageView): string =>
  new Date(now.getTime() - historyLengthDays * 86_400_000).toISOString().slice(0, 7);

function renderMonthPage(
  view: PageView,
  requested: string | undefined,
  parameters: RouteParameters,
): RenderedResponse | null {
  const request = parseMonthRequest(view, requested, parameters);
  if (!request) return null;
  const { month, component, pageNumber } = request;
  const built = buildMonth(view, month, component, pageNumber);
  if (pageNumber > built.pageCount) return null;
  const context = createRenderContext(view);
  const { translator } = context;
  const path = `history/${month}`;
  const filter: Record<string, string> = component ? { component: String(component.id) } : {};
  return renderDocument(context, {
    path: parameters.path.month ? path : 'history',
    query: withPageNumber(filter, pageNumber),
    canonical: path,
    title: [
      translator.t('history.title'),
      translator.capitalize(translator.formatMonth(month)),
      getSiteTitle(view),
    ].join(' – '),
    description: view.page.metaDescription,
    main: renderMain(context, built, component, filter, pageNumber),
  });
}

function renderMain(
  context: RenderContext,
  month: Month,
  component: ComponentView | undefined,
  filter: Record<string, string>,
  pageNumber: number,
): Markup {
  const { translator, urlFor } = context;
  const renderMonthLink = (other: string | null, label: 'history.previousMonth' | 'history.nextMonth', rel: string) =>
    other && html`<a href="${urlFor(`history/${other}`, filter)}" rel="${rel}">${translator.t(label)}</a>`;
  return html`
    ${renderBackLink(context)}
    <div class="title">
      <h1>${translator.t('history.title')} <span class="of-month">${translator.formatMonth(month.month)}</span></h1>
      <nav class="pages" aria-label="${translator.t('history.title')}">
        ${renderMonthLink(month.previous, 'history.previousMonth', 'prev')}
        ${renderMonthLink(month.next, 'history.nextMonth', 'next')}
      </nav>
    </div>
    ${renderFilter(context, month, component)}
    ${renderWholeBar(translator, month.days, translator.capitalize(translator.formatMonth(month.month)))}
    ${!component && renderResponseStatistics(context)}
    <h2 class="unseen">${translator.t('past.title')}</h2>
    ${month.entries.map(({ day, notices }) => renderDay(context, day, notices))}
    ${!month.entries.length && html`<p class="quiet-days">${translator.t('history.noNotices')}</p>`}
    ${renderPager(context, { path: `history/${month.month}`, query: filter, pageNumber, pageCount: month.pageCount })}`;
}

/** Of deadlines only those whose time has come count: whether the others are kept is open. */
function renderResponseStatistics({ view: { page, responses, now }, translator }: RenderContext): Markup | null {
  if (!page.shouldShowResponseStatistics || !responses) return null;
  const { medianSeconds, deadlines } = computeResponseStatistics(responses, now);
  const due = deadlines.onTime + deadlines.late;
  const duration = medianSeconds !== null && translator.formatDuration(medianSeconds * 1000);
  return html`
    ${duration && html`<p class="statistics">${translator.t('history.firstUpdate', { duration })}</p>`}
    ${
      due > 0 &&
      html`<p class="statistics">${translator.t('history.promisedUpdates', {
        onTime: translator.formatNumber(deadlines.onTime),
        made: translator.formatNumber(due),
      })}</p>`
    }`;
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
