import { renderMarkdown } from '../../content/markdown/render.js';
import type { NoticeView, UpdateView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, Markup } from './html.js';
import { getTone } from './status-icons.js';
import { renderAge, renderLabelledTime } from './time.js';

export function renderUpdateContent(context: RenderContext, update: UpdateView): Markup {
  return html`<div class="prose"${context.contentAttributes}>${renderText(context, update.content)}</div>`;
}

function renderText({ view, textHeadings }: RenderContext, text: string): Markup {
  const rendered = renderMarkdown(text, view.mount.path);
  return new Markup(textHeadings === 4 ? rendered : rendered.replace(/(<\/?h)([456])>/g, raiseHeading));
}

const raiseHeading = (_: string, tag: string, level: string) => `${tag}${Number(level) - 1}>`;

/** "18 minutes ago · 20 Nov, 15:12 CET", and when it was edited where that does not unfold to the earlier texts. */
export function renderWhen(context: RenderContext, update: UpdateView, state: Markup | null = null): Markup {
  const edited = wasEdited(update) && !update.revisions.length && html` · ${renderEdited(context, update)}`;
  return html`<p class="when">${state}${renderAge(context, update.postedAt)}${edited}</p>`;
}

/** "edited 20 Nov, 15:20 CET", which unfolds to the earlier texts. */
export function renderRevisions(context: RenderContext, update: UpdateView): Markup | null {
  const { revisions } = update;
  if (!wasEdited(update) || !revisions.length) return null;
  return html`
    <details class="fold">
      <summary>${renderEdited(context, update)}</summary>
      <p class="when">${context.translator.t('notice.earlierText')}</p>
      <div class="prose"${context.contentAttributes}>
        ${revisions.map(content => html`<blockquote>${renderText(context, content)}</blockquote>`)}
      </div>
    </details>`;
}

const renderEdited = (context: RenderContext, { editedAt }: UpdateView): Markup =>
  renderLabelledTime(context, 'notice.edited', editedAt!);

/** An edit within the first second does not count: it is an immediate correction. */
const wasEdited = ({ createdAt, editedAt }: UpdateView) =>
  editedAt !== null && editedAt.getTime() - createdAt.getTime() > 1000;

/** The dot beside it has the colour of the state. */
export function renderUpdate(context: RenderContext, notice: NoticeView, update: UpdateView): Markup {
  const state = update.state && html`<b>${context.translator.t(`state.${update.state}`)}</b> · `;
  return renderUpdateBlock(context, notice, update, renderWhen(context, update, state));
}

const renderUpdateBlock = (context: RenderContext, notice: NoticeView, update: UpdateView, when: Markup | null) => html`
    <div class="update ${getTone(notice, update)}" id="update-${update.id}">
      ${when}
      ${renderUpdateContent(context, update)}
      ${renderRevisions(context, update)}
    </div>`;

const minuteMs = 60_000;

/** The head of a card says the state of the notice, and when it began. */
const isSaidByHead = ({ type, beganAt, updates, omittedUpdates }: NoticeView, update: UpdateView): boolean =>
  type !== 'general' &&
  updates.length + omittedUpdates === 1 &&
  beganAt !== null &&
  Math.abs(update.postedAt.getTime() - beganAt.getTime()) < minuteMs &&
  !wasEdited(update);

function renderNewest(context: RenderContext, notice: NoticeView, update: UpdateView): Markup {
  if (update.state !== notice.state) return renderUpdate(context, notice, update);
  return renderUpdateBlock(context, notice, update, isSaidByHead(notice, update) ? null : renderWhen(context, update));
}

/**
 * The newest update, and the older ones folded below it, whatever order the page of the notice has. Below them is how
 * many others there are, with a link to that page.
 */
export function renderUpdates(context: RenderContext, notice: NoticeView): Markup {
  const newest = notice.updates.at(-1);
  if (!newest) return html`${renderOmitted(context, notice)}`;
  const earlier = notice.updates.slice(0, -1).toReversed();
  const folded =
    earlier.length > 0 &&
    html`
    <details class="fold">
      <summary>${context.translator.t('notice.earlierUpdates', { count: earlier.length })}</summary>
      ${earlier.map(update => renderUpdate(context, notice, update))}
    </details>`;
  return html`<div class="updates">${renderNewest(context, notice, newest)}${folded}</div>
    ${renderOmitted(context, notice)}`;
}

function renderOmitted({ translator, urlFor }: RenderContext, { path, omittedUpdates }: NoticeView): Markup | null {
  if (!omittedUpdates) return null;
  const label = translator.t('notice.earlierUpdates', { count: omittedUpdates });
  return html`<p class="quiet"><a href="${urlFor(`notices/${path}`)}">${label}</a></p>`;
}
