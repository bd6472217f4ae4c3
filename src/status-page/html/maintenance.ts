import { tokenOf } from '../../notices/notice.text.js';
import type { NoticeView } from '../view/view.js';
import type { Canvas } from './render-context.js';
import { html, type Markup } from './html.js';
import { ago, windowOf } from './time.js';
import { chipsOf, linkTo, wordsOf } from './notice-card.js';
import { updatesOf } from './notice-updates.js';

export function upcomingMaintenance(canvas: Canvas): Markup | null {
  const { view, texts } = canvas;
  if (!view.future.length) return null;
  return html`
    <section aria-labelledby="maintenance">
      <h2 id="maintenance">${texts.t('maintenance.title')}</h2>
      ${view.future.map(
        notice => html`
        <article class="card">
          ${wordsOf(canvas, notice)}
          <h3>${linkTo(canvas, notice)}</h3>
          ${windowLines(canvas, notice)}
          ${chipsOf(canvas, notice)}
          ${updatesOf(canvas, notice)}
        </article>`,
      )}
    </section>`;
}

/** The window in the page's zone and in UTC, how far away and how long it is, and the way into a calendar. */
export function windowLines(canvas: Canvas, { beginsAt, endsAt, path, timelineState }: NoticeView): Markup | null {
  const { view, texts, to } = canvas;
  if (!beginsAt || !endsAt) return null;
  // A page that lives in UTC has said it.
  const universal =
    texts.zone(beginsAt, view.page.zone) !== 'UTC' &&
    html`<br><span class="quiet">${texts.capital(texts.window(beginsAt, endsAt, 'UTC'))}</span>`;
  const token = tokenOf(path);
  return html`
    <p class="window">${windowOf(canvas, beginsAt, endsAt)}${universal}</p>
    <p class="when">
      ${timelineState === 'future' && html`${ago(canvas, beginsAt)} · `}
      ${texts.t('maintenance.duration', { duration: texts.duration(endsAt.getTime() - beginsAt.getTime()) })}
      ${timelineState === 'future' && html` · <a href="${to('calendar.ics', { notice: token })}">${texts.t('maintenance.calendar')}</a>`}
    </p>`;
}
