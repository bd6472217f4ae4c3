import { flattenTree, listAncestors } from '../../components/component-tree.js';
import { historyLengthDays } from '../../pages/public-page.js';
import { historyStates } from '../view/history-sweep.js';
import { describeUpstream } from '../view/upstream-text.js';
import { getShownUptime } from '../view/uptime.js';
import type { ComponentView, NoticeView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { renderDayPopovers } from './day-popovers.js';
import { renderCellsReference, renderHistoryBar, renderLegendCell, renderSharedCells } from './history-bar.js';
import { html, type Markup } from './html.js';
import { renderHistoryLink, selectDetailedComponents } from './outage-days.js';
import { renderStateIcon, computeDisplayedStates } from './status-icons.js';

/** The depth of nested lists; deeper components are listed flat in the last one, after the names of their parents. */
const maxListDepth = 3;

interface Tree {
  context: RenderContext;
  displayedStates: ReturnType<typeof computeDisplayedStates>;
  notices: ReadonlyMap<number, NoticeView>;
  /** Components whose days are listed. */
  detailed: ReadonlySet<number>;
  /** References to the cells of bars, by history: many components share one. */
  cells: Map<unknown, Markup>;
  /** How many components are rendered. */
  count: number;
}

/** Each takes about a tenth of a millisecond where its bar has days with an outage. */
const componentsOfPart = 100;

/** In parts, so that other requests are answered in between. */
export function* renderComponentTree(context: RenderContext): Generator<void, Markup> {
  const { view, translator } = context;
  if (!view.components.length) {
    const text = html`<p class="quiet">${translator.t('components.none')}</p>`;
    const title = html`<h2 id="components">${translator.t('components.title')}</h2>`;
    return html`<section aria-labelledby="components">${title}${text}</section>`;
  }
  const tree: Tree = {
    context,
    displayedStates: computeDisplayedStates(view),
    notices: new Map(view.notices.map(notice => [notice.id, notice])),
    detailed: selectDetailedComponents(view),
    cells: new Map(),
    count: 0,
  };
  const branches = yield* renderBranches(tree, view.components);
  return html`
    <section aria-labelledby="components">
      <div class="title"><h2 id="components">${translator.t('components.title')}</h2>${renderPeriods(context)}</div>
      <ul class="tree">${branches}</ul>
      ${renderLegend(context)}
      ${renderUptimeRule(context)}
    </section>`;
}

/** The period of the bars. A smaller screen shows fewer days of the same width. */
function renderPeriods({ translator }: RenderContext): Markup {
  const shown = [30, 60, 90].map(
    count => html`<span class="of-${count}">${translator.t('history.lastDays', { count })}</span>`,
  );
  return html`<p class="quiet" aria-hidden="true">${shown}</p>`;
}

/** The states that occur in the bars, best first; days before the component existed are the last. */
function renderLegend({ view, translator }: RenderContext): Markup {
  const histories = new Set([...view.componentsById.values()].map(({ history }) => history));
  const shown = new Set([...histories].flatMap(days => days.map(({ state }) => state)));
  const [none, ...others] = historyStates;
  const states = [...others, none].filter(state => state === 'operational' || shown.has(state));
  return html`
    <ul class="legend quiet" aria-label="${translator.t('history.basedOnNotices')}">
      ${states.map(state => html`<li>${renderLegendCell(state)}${translator.t(`state.${state}`)}</li>`)}
    </ul>`;
}

/** How the uptime is computed, where one is shown. */
function renderUptimeRule({ view, translator: { t } }: RenderContext): Markup | null {
  const isShown =
    view.page.shouldShowUptime !== false && [...view.componentsById.values()].some(one => one.uptime !== null);
  if (!isShown) return null;
  return html`<details class="fold quiet"><summary>${t('uptime.title')}</summary><p>${t('uptime.rule')}</p></details>`;
}

/** `top`: under which they are listed flat. */
function* renderBranches(
  tree: Tree,
  components: readonly ComponentView[],
  top: ComponentView | null = null,
): Generator<void, Markup[]> {
  const branches: Markup[] = [];
  for (const component of components) {
    branches.push(
      top ? renderLeaf(tree, component, collectParents(component, top)) : yield* renderBranch(tree, component),
    );
    tree.count += 1;
    if (tree.count % componentsOfPart === 0) yield;
  }
  return branches;
}

function* renderBranch(tree: Tree, component: ComponentView): Generator<void, Markup> {
  const { children, depth } = component;
  if (!children.length) return renderLeaf(tree, component);
  const isAffected = tree.displayedStates.has(component.id);
  const below =
    depth < maxListDepth
      ? yield* renderBranches(tree, children)
      : yield* renderBranches(tree, flattenTree(children), component);
  return html`
    <li id="c${component.id}">
      <details${isAffected && html` open=""`}>
        <summary>${renderRow(tree, component)}${renderBar(tree, component)}</summary>
        <ul>${below}</ul>
      </details>
    </li>`;
}

function renderLeaf(tree: Tree, component: ComponentView, parents: readonly ComponentView[] = []): Markup {
  return html`
    <li id="c${component.id}">
      ${renderRow(tree, component, parents)}
      ${renderDays(tree, component)}
    </li>`;
}

/** The bar, with buttons that open its days with an outage. That of a group is in a summary, which can contain none. */
function renderDays(tree: Tree, component: ComponentView): Markup {
  const { context, notices, detailed } = tree;
  if (!detailed.has(component.id)) return html`${renderBar(tree, component)}${renderHistoryLink(context, component)}`;
  const { buttons, popovers } = renderDayPopovers(context, component, notices);
  return html`${renderBar(tree, component, buttons)}${popovers}`;
}

/** The nearest three components above it, up to the one that owns the list. */
function collectParents(component: ComponentView, top: ComponentView): ComponentView[] {
  const nearest = listAncestors(component, 3);
  return nearest.slice(0, nearest.includes(top) ? nearest.indexOf(top) : 3).toReversed();
}

/** Name and state. */
function renderRow(tree: Tree, component: ComponentView, parents: readonly ComponentView[] = []): Markup {
  return html`
    <span class="row">
      ${renderName(tree, component, parents)}
      ${renderAffectedCount(tree, component)}
      ${renderUptime(tree.context, component)}
      ${renderState(tree, component)}
    </span>`;
}

function renderBar(
  { context: { translator }, cells }: Tree,
  { id, history }: ComponentView,
  buttons: readonly Markup[] = [],
): Markup {
  const period = translator.t('history.lastDays', { count: historyLengthDays });
  const cellsId = `b${id}`;
  const shared = cells.get(history) ?? renderSharedCells(history, cellsId);
  if (!cells.has(history)) cells.set(history, renderCellsReference(cellsId));
  return renderHistoryBar(translator, history, period, shared, buttons);
}

function renderName(
  { context: { contentAttributes, translator } }: Tree,
  { name, description, manual, upstream }: ComponentView,
  parents: readonly ComponentView[],
): Markup {
  return html`
    <span class="name">
      ${parents.map(parent => html`<span class="quiet"><bdi>${parent.name}</bdi> › </span>`)}
      <b${contentAttributes}>${name}</b>
      ${manual?.note && html` <small${contentAttributes}>${manual.note}</small>`}
      ${upstream?.isShown && html` <small>${describeUpstream(upstream, translator)}</small>`}
      ${description && html` <small${contentAttributes}>${description}</small>`}
    </span>`;
}

function renderAffectedCount(
  { displayedStates, context: { translator } }: Tree,
  component: ComponentView,
): Markup | null {
  const leaves = flattenTree(component.children).filter(({ children }) => !children.length);
  const count = leaves.filter(({ id }) => displayedStates.has(id)).length;
  return count
    ? html`<small class="affected">${translator.t('components.affected', { count, total: leaves.length })}</small>`
    : null;
}

/** "99.98 % uptime", cut and not rounded: 100 % means that there was no outage. */
function renderUptime({ view, translator }: RenderContext, component: ComponentView): Markup | null {
  const uptime = getShownUptime(view.page, component);
  if (uptime === null) return null;
  const share = translator.formatPercentage(Math.floor(uptime * 10_000) / 10_000);
  return html`<small class="up">${translator.t('uptime.share', { share })}</small>`;
}

function renderState({ displayedStates, context: { translator } }: Tree, { id }: ComponentView): Markup {
  const state = displayedStates.get(id) ?? 'operational';
  return html`<span class="state ${state}">${renderStateIcon(state)}${translator.t(`state.${state}`)}</span>`;
}
