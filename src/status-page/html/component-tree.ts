import { flattenTree, listAncestors } from '../../components/component-tree.js';
import { historyLengthDays } from '../view/history.js';
import type { ComponentView, NoticeView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import {
  formatDayCounts,
  renderHistoryBar,
  renderCellsReference,
  renderLegendCell,
  renderPlainBar,
  renderSharedCells,
} from './history-bar.js';
import { isOutageDay, selectDetailedComponents, renderHistoryLink, renderHistoryTable } from './history-table.js';
import { html, type Markup } from './html.js';
import { renderStateIcon, computeDisplayedStates } from './status-icons.js';

/** The depth of nested lists; deeper components are listed flat in the last one, after the names of their parents. */
const maxListDepth = 3;

interface Tree {
  context: RenderContext;
  displayedStates: ReturnType<typeof computeDisplayedStates>;
  notices: ReadonlyMap<number, NoticeView>;
  /** Components with a history table. */
  detailed: ReadonlySet<number>;
  /** The bars of the others, and of those without an outage, by history: many components share one. */
  bars: Map<unknown, Markup>;
}

export function renderComponentTree(context: RenderContext): Markup | null {
  const { view, translator } = context;
  if (!view.components.length) {
    const text = html`<p class="quiet">${translator.t('components.none')}</p>`;
    return html`<section aria-labelledby="components"><h2 id="components">${translator.t('components.title')}</h2>${text}</section>`;
  }
  const tree: Tree = {
    context,
    displayedStates: computeDisplayedStates(view),
    notices: new Map(view.notices.map(notice => [notice.id, notice])),
    detailed: selectDetailedComponents(view),
    bars: new Map(),
  };
  return html`
    <section aria-labelledby="components">
      <div class="title"><h2 id="components">${translator.t('components.title')}</h2>${renderPeriods(context)}</div>
      <ul class="tree">${view.components.map(component => renderBranch(tree, component))}</ul>
      ${renderLegend(context)}
    </section>`;
}

/** The period of the bars. A smaller screen shows fewer days of the same width. */
function renderPeriods({ translator }: RenderContext): Markup {
  const shown = [30, 60, 90].map(
    count => html`<span class="of-${count}">${translator.t('history.lastDays', { count })}</span>`,
  );
  return html`<p class="quiet" aria-hidden="true">${shown}</p>`;
}

/** The meaning of the cells. */
function renderLegend({ translator }: RenderContext): Markup {
  const states = ['operational', 'maintenance', 'partially-degraded', 'degraded'] as const;
  return html`
    <ul class="legend quiet" aria-label="${translator.t('history.basedOnNotices')}">
      ${states.map(state => html`<li>${renderLegendCell(state)}${translator.t(`state.${state}`)}</li>`)}
    </ul>`;
}

function renderBranch(tree: Tree, component: ComponentView): Markup {
  const { displayedStates } = tree;
  if (!component.children.length) return renderLeaf(tree, component);
  const isAffected = displayedStates.has(component.id);
  const { children, depth } = component;
  const below =
    depth < maxListDepth
      ? children.map(child => renderBranch(tree, child))
      : flattenTree(children).map(one => renderLeaf(tree, one, collectParents(one, component)));
  return html`
    <li id="c${component.id}">
      <details${isAffected && html` open=""`}>
        <summary>${renderRow(tree, component)}${renderBar(tree, component)}</summary>
        ${renderGroupDays(tree, component)}
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

/** The bar, which unfolds to a table of its outages. */
function renderDays(tree: Tree, component: ComponentView): Markup {
  const { context, notices, detailed } = tree;
  const bar = renderBar(tree, component);
  if (!detailed.has(component.id)) return html`${bar}${renderHistoryLink(context, component)}`;
  return renderHistoryTable(context, component, notices, bar) ?? bar;
}

/** The bar of a group belongs to the group's summary, so its table has a summary of its own. */
function renderGroupDays({ context, notices, detailed }: Tree, component: ComponentView): Markup | null {
  if (!detailed.has(component.id)) return renderHistoryLink(context, component);
  const counts = context.translator.formatList(formatDayCounts(context.translator, component.history));
  return renderHistoryTable(context, component, notices, counts);
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
      ${renderState(tree, component)}
    </span>`;
}

function renderBar({ context: { translator }, bars, detailed }: Tree, { id, history }: ComponentView): Markup {
  const period = translator.t('history.lastDays', { count: historyLengthDays });
  // Only days with an outage have titles of their own.
  if (detailed.has(id) && history.some(isOutageDay)) return renderHistoryBar(translator, history, period);
  const cached = bars.get(history);
  if (cached) return cached;
  const cellsId = `b${id}`;
  bars.set(history, renderPlainBar(translator, history, period, renderCellsReference(cellsId)));
  return renderPlainBar(translator, history, period, renderSharedCells(history, cellsId));
}

function renderName(
  { context: { contentAttributes } }: Tree,
  { name, description }: ComponentView,
  parents: readonly ComponentView[],
): Markup {
  return html`
    <span class="name">
      ${parents.map(parent => html`<span class="quiet"><bdi>${parent.name}</bdi> › </span>`)}
      <b${contentAttributes}>${name}</b>
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

function renderState({ displayedStates, context: { translator } }: Tree, { id }: ComponentView): Markup {
  const state = displayedStates.get(id) ?? 'operational';
  return html`<span class="state ${state}">${renderStateIcon(state)}${translator.t(`state.${state}`)}</span>`;
}
