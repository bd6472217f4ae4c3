import { renderMarkdown } from '../../markdown/render.js';
import type { NoticeView, UpdateView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, Markup } from './html.js';
import { getStateTone } from './status-icons.js';
import { renderAge, renderLabelledTime } from './time.js';

/** The content of an update: Markdown rendered to sanitized HTML. */
export const renderUpdateContent = (context: RenderContext, { content }: UpdateView): Markup =>
  renderContent(context, content);

function renderContent({ contentAttributes }: RenderContext, content: string): Markup {
  return html`<div class="prose"${contentAttributes}>${new Markup(renderMarkdown(content))}</div>`;
}

/** "18 minutes ago · 20 Nov, 15:12 CET · edited 20 Nov, 15:20 CET", where the edit unfolds to the earlier texts. */
export function renderWhen(context: RenderContext, update: UpdateView, state: Markup | null = null): Markup {
  const { editedAt, revisions } = update;
  const age = html`${state}${renderAge(context, update.postedAt)}`;
  if (!wasEdited(update)) return html`<p class="when">${age}</p>`;
  const edited = renderLabelledTime(context, 'notice.edited', editedAt!);
  if (!revisions.length) return html`<p class="when">${age} · ${edited}</p>`;
  return html`
    <p class="when">${age}</p>
    <details class="fold">
      <summary>${edited}</summary>
      <p class="when">${context.translator.t('notice.earlierText')}</p>
      ${revisions.map(content => renderContent(context, content))}
    </details>`;
}

/** An edit within the first second does not count: it is an immediate correction. */
const wasEdited = ({ createdAt, editedAt }: UpdateView) =>
  editedAt !== null && editedAt.getTime() - createdAt.getTime() > 1000;

/** The dot beside it has the colour of the state. */
export function renderUpdate(context: RenderContext, notice: NoticeView, update: UpdateView): Markup {
  const state = update.state && html`<b>${context.translator.t(`state.${update.state}`)}</b> · `;
  return html`
    <div class="update ${getStateTone(notice, update.state)}" id="update-${update.id}">
      ${renderWhen(context, update, state)}
      ${renderUpdateContent(context, update)}
    </div>`;
}

/** The newest update, and the older ones folded below it, whatever order the page of the notice has. */
export function renderUpdates(context: RenderContext, notice: NoticeView): Markup {
  const newest = notice.updates.at(-1);
  if (!newest) return html``;
  const earlier = notice.updates.slice(0, -1).toReversed();
  const folded =
    earlier.length > 0 &&
    html`
    <details class="fold">
      <summary>${context.translator.t('notice.earlierUpdates', { count: earlier.length })}</summary>
      ${earlier.map(update => renderUpdate(context, notice, update))}
    </details>`;
  return html`<div class="updates">${renderUpdate(context, notice, newest)}${folded}</div>`;
}
