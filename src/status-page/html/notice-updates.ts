import { renderMarkdown } from '../../markdown/render.js';
import { inOrder, type NoticeView, type UpdateView } from '../view/view.js';
import type { Canvas } from './render-context.js';
import { html, Markup } from './html.js';
import { momentOf } from './time.js';

/** The text of an update: clean HTML, made of the operator's Markdown. */
export function proseOf({ own }: Canvas, update: UpdateView): Markup {
  return html`<div class="prose"${own}>${new Markup(renderMarkdown(update.content))}</div>`;
}

/** A second is what a correction at once may take; an edit after that is told. */
const wasEdited = ({ createdAt, updatedAt }: UpdateView) => updatedAt.getTime() - createdAt.getTime() > 1000;

export function updateOf(canvas: Canvas, update: UpdateView): Markup {
  const edited = wasEdited(update) && html` · ${canvas.texts.t('notice.edited')}`;
  return html`<div class="update" id="update-${update.id}"><p class="when">${momentOf(canvas, update.createdAt)}${edited}</p>${proseOf(canvas, update)}</div>`;
}

/** The newest in full, the older ones folded: above it where the page tells things in the order they happened, else below. */
export function updatesOf(canvas: Canvas, notice: NoticeView): Markup {
  const { texts, view } = canvas;
  const newest = notice.updates.at(-1);
  if (!newest) return html``;
  const isAscending = view.page.timelineSortOrder === 'asc';
  const earlier = notice.updates.slice(0, -1);
  const folded =
    earlier.length > 0 &&
    html`
    <details class="fold">
      <summary>${texts.t('notice.earlierUpdates', { count: earlier.length })}</summary>
      ${inOrder(view, earlier).map(update => updateOf(canvas, update))}
    </details>`;
  return html`${isAscending && folded}${updateOf(canvas, newest)}${!isAscending && folded}`;
}
