import { treeOrder } from '../view/tree-order.js';
import { daysOfHistory } from '../view/history.js';
import type { ComponentView, NoticeView } from '../view/view.js';
import type { Canvas } from './render-context.js';
import { barOf, keyOf, plainBar, plainStrokes, strokesNamed } from './history-bar.js';
import { detailedOf, historyLink, historyTable } from './history-table.js';
import { html, type Markup } from './html.js';
import { leavesOf, signOf, standingsOf } from './status-icons.js';

/** Lists inside each other on the screen; what is deeper stands in the last of them, behind the names of those above it. */
const levels = 3;

interface Tree {
  canvas: Canvas;
  standings: ReturnType<typeof standingsOf>;
  notices: ReadonlyMap<number, NoticeView>;
  /** Those whose days are told one by one. */
  detailed: ReadonlySet<number>;
  /** Of the others, the bars by what they show: most are alike. */
  bars: Map<unknown, Markup>;
}

export function componentTree(canvas: Canvas): Markup | null {
  const { view, texts } = canvas;
  if (!view.components.length) return null;
  const tree: Tree = {
    canvas,
    standings: standingsOf(view),
    notices: new Map(view.notices.map(notice => [notice.id, notice])),
    detailed: detailedOf(view),
    bars: new Map(),
  };
  return html`
    <section aria-labelledby="components">
      <div class="title"><h2 id="components">${texts.t('components.title')}</h2>${periods(canvas)}</div>
      <ul class="tree">${view.components.map(component => branch(tree, component))}</ul>
      ${legend(canvas)}
    </section>`;
}

/** What the bars go back to: fewer days on a smaller screen, of the same width each. */
function periods({ texts }: Canvas): Markup {
  const shown = [30, 60, 90].map(
    count => html`<span class="of-${count}">${texts.t('history.lastDays', { count })}</span>`,
  );
  return html`<p class="quiet" aria-hidden="true">${shown}</p>`;
}

/** What the strokes of the bars mean. */
function legend({ texts }: Canvas): Markup {
  const states = ['operational', 'maintenance', 'partially-degraded', 'degraded'] as const;
  return html`
    <ul class="legend quiet" aria-label="${texts.t('history.basedOnNotices')}">
      ${states.map(state => html`<li>${keyOf(state)}${texts.t(`state.${state}`)}</li>`)}
    </ul>`;
}

function branch(tree: Tree, component: ComponentView): Markup {
  const { standings } = tree;
  if (!component.children.length) return line(tree, component);
  const isWrong = standings.has(component.id);
  const { children, depth } = component;
  const below =
    depth < levels
      ? children.map(child => branch(tree, child))
      : treeOrder(children).map(one => line(tree, one, trailOf(one, component)));
  return html`
    <li id="c${component.id}">
      <details${isWrong && html` open=""`}>
        <summary>${headOf(tree, component)}</summary>
        ${daysOf(tree, component)}
        <ul>${below}</ul>
      </details>
    </li>`;
}

function line(tree: Tree, component: ComponentView, trail: readonly ComponentView[] = []): Markup {
  return html`<li id="c${component.id}">${headOf(tree, component, trail)}${daysOf(tree, component)}</li>`;
}

function daysOf({ canvas, notices, detailed }: Tree, component: ComponentView): Markup | null {
  return detailed.has(component.id) ? historyTable(canvas, component, notices) : historyLink(canvas, component);
}

/** The nearest three above it, without the one whose list this is. */
function trailOf(component: ComponentView, top: ComponentView): ComponentView[] {
  const trail: ComponentView[] = [];
  for (let above = component.parent; above && above !== top && trail.length < 3; above = above.parent)
    trail.unshift(above);
  return trail;
}

/** Name, state and history: what is seen of a group that is folded too. */
function headOf(tree: Tree, component: ComponentView, trail: readonly ComponentView[] = []): Markup {
  return html`<span class="row">${nameOf(tree, component, trail)}${affectedOf(tree, component)}${stateOf(tree, component)}</span>${historyBar(tree, component)}`;
}

function historyBar({ canvas: { texts }, bars, detailed }: Tree, { id, history }: ComponentView): Markup {
  const period = texts.t('history.lastDays', { count: daysOfHistory });
  if (detailed.has(id)) return barOf(texts, history, period);
  const alike = bars.get(history);
  if (alike) return alike;
  const name = `b${id}`;
  bars.set(history, plainBar(texts, history, period, strokesNamed(name)));
  return plainBar(texts, history, period, plainStrokes(history, name));
}

function nameOf(
  { canvas: { own } }: Tree,
  { name, description }: ComponentView,
  trail: readonly ComponentView[],
): Markup {
  return html`
    <span class="name">
      ${trail.map(above => html`<span class="quiet"><bdi>${above.name}</bdi> › </span>`)}<b${own}>${name}</b>
      ${description && html` <small${own}>${description}</small>`}
    </span>`;
}

function affectedOf({ standings, canvas: { texts } }: Tree, component: ComponentView): Markup | null {
  const leaves = leavesOf(component);
  const count = leaves.filter(({ id }) => standings.has(id)).length;
  return count
    ? html`<small class="affected">${texts.t('components.affected', { count, total: leaves.length })}</small>`
    : null;
}

function stateOf({ standings, canvas: { texts } }: Tree, { id }: ComponentView): Markup {
  const standing = standings.get(id) ?? 'operational';
  return html`<span class="state ${standing}">${signOf(standing)}${texts.t(`state.${standing}`)}</span>`;
}
