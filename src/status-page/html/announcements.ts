import type { NoticeView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';
import { renderLabelledTime } from './time.js';
import { renderNoticeLink } from './notice-card.js';
import { renderUpdates } from './notice-updates.js';
import { renderMoreLink } from './pager.js';

export function renderAnnouncements(context: RenderContext): Markup | null {
  const { view, translator } = context;
  if (!view.general.length) return null;
  return html`
    <section aria-labelledby="general">
      <h2 id="general">${translator.t('general.title')}</h2>
      ${view.general.map(
        notice => html`
        <article class="card">
          <h3>${renderNoticeLink(context, notice)}</h3>
          ${notice.updates.length ? renderUpdates(context, notice) : renderPublished(context, notice)}
        </article>`,
      )}
      ${renderMoreLink(context, view.omitted.general, 'history')}
    </section>`;
}

function renderPublished(context: RenderContext, { createdAt }: NoticeView): Markup {
  return html`<p class="when">${renderLabelledTime(context, 'notice.published', createdAt)}</p>`;
}
