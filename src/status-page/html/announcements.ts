import type { Canvas } from './render-context.js';
import { html, type Markup } from './html.js';
import { said } from './time.js';
import { linkTo } from './notice-card.js';
import { updatesOf } from './notice-updates.js';

export function generalNotices(canvas: Canvas): Markup | null {
  const { view, texts } = canvas;
  if (!view.general.length) return null;
  return html`
    <section aria-labelledby="general">
      <h2 id="general">${texts.t('general.title')}</h2>
      ${view.general.map(
        notice => html`
        <article class="card">
          <h3>${linkTo(canvas, notice)} ${developmentMark(canvas)}</h3>
          ${!notice.updates.length && html`<p class="when">${said(canvas, 'notice.published', notice.createdAt)}</p>`}
          ${updatesOf(canvas, notice)}
        </article>`,
      )}
    </section>`;
}

/** "General notices are marked as in development" */
export function developmentMark({ texts }: Canvas): Markup {
  return html`<span class="mark">${texts.t('notice.inDevelopment')}</span>`;
}
