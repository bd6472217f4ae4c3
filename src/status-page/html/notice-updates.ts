import { renderMarkdown } from '../../markdown/render.js';
import { sortUpdates, type NoticeView, type UpdateView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, Markup } from './html.js';
import { renderTime } from './time.js';

/** The content of an update: Markdown rendered to sanitized HTML. */
export function renderUpdateContent({ contentAttributes }: RenderContext, update: UpdateView): Markup {
  return html`<div class="prose"${contentAttributes}>${new Markup(renderMarkdown(update.content))}</div>`;
}

/** An edit within the first second does not count: it is an immediate correction. */
const wasEdited = ({ createdAt, updatedAt }: UpdateView) => updatedAt.getTime() - createdAt.getTime() > 1000;

export function renderUpdate(context: RenderContext, update: UpdateView): Markup {
  const edited = wasEdited(update) && html` · ${context.translator.t('notice.edited')}`;
  return html`
    <div class="update" id="update-${update.id}">
      <p class="when">${renderTime(context, update.createdAt)}${edited}</p>
      ${renderUpdateContent(context, update)}
    </div>`;
}

/** The newest update, and the older ones folded: above it where the page sorts in ascending order, else below. */
export function renderUpdates(context: RenderContext, notice: NoticeView): Markup {
  const { translator, view } = context;
  const newest = notice.updates.at(-1);
  if (!newest) return html``;
  const isAscending = view.page.timelineSortOrder === 'asc';
  const earlier = notice.updates.slice(0, -1);
  const folded =
    earlier.length > 0 &&
    html`
    <details class="fold">
      <summary>${translator.t('notice.earlierUpdates', { count: earlier.length })}</summary>
      ${sortUpdates(view, earlier).map(update => renderUpdate(context, update))}
    </details>`;
  return html`${isAscending && folded}${renderUpdate(context, newest)}${!isAscending && folded}`;
}
