import { type PastEntry, pastDays } from '../view/past-days.js';
import type { NoticeView } from '../view/view.js';
import type { Canvas } from './render-context.js';
import { developmentMark } from './announcements.js';
import { html, type Markup } from './html.js';
import { said } from './time.js';
import { linkTo, wordsOf } from './notice-card.js';
import { proseOf } from './notice-updates.js';

export function pastNotices(canvas: Canvas): Markup {
  const { view, texts, to } = canvas;
  return html`
    <section aria-labelledby="past">
      <h2 id="past">${texts.t('past.title')}</h2>
      ${pastDays(view).map(entry => entryOf(canvas, entry))}
      <p><a class="more" href="${to('history')}">${texts.t('past.history')}</a></p>
    </section>`;
}

function entryOf(canvas: Canvas, entry: PastEntry): Markup {
  const { texts } = canvas;
  if ('day' in entry) return dayOfNotices(canvas, entry.day, entry.notices);
  const { from, to } = entry;
  const days = from === to ? texts.day(from) : texts.days(from, to);
  return html`<p class="quiet-days">${texts.t('past.quietDays', { days })}</p>`;
}

export function dayOfNotices(canvas: Canvas, day: string, notices: readonly NoticeView[]): Markup {
  return html`
    <div class="day">
      <h3><time datetime="${day}">${canvas.texts.capital(canvas.texts.day(day))}</time></h3>
      ${notices.map(notice => pastNotice(canvas, notice))}
    </div>`;
}

/** Its last word is what counts now; the rest is at its own address. */
function pastNotice(canvas: Canvas, notice: NoticeView): Markup {
  const newest = notice.updates.at(-1);
  return html`
    <article>
      ${wordsOf(canvas, notice)}
      <h4>${linkTo(canvas, notice)}${notice.type === 'general' && html` ${developmentMark(canvas)}`}</h4>
      ${newest && proseOf(canvas, newest)}
      <p class="when">${spanOf(canvas, notice)}</p>
    </article>`;
}

/** "Ended 20 November 2026, 14:02 CET · Duration: 48 minutes" */
export function spanOf(canvas: Canvas, { type, beganAt, endedAt, createdAt }: NoticeView): Markup {
  const { texts } = canvas;
  if (type === 'general') return said(canvas, 'notice.published', createdAt);
  if (!beganAt || !endedAt) return html`${endedAt && said(canvas, 'notice.ended', endedAt)}`;
  const duration = texts.duration(endedAt.getTime() - beganAt.getTime());
  return html`${said(canvas, 'notice.ended', endedAt)} · ${texts.t('notice.duration', { duration })}`;
}
