import { type PastEntry, pastDays } from '../view/past-days.js';
import type { NoticeView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';
import { renderLabelledTime } from './time.js';
import { renderNoticeLink, renderNoticeStatus } from './notice-card.js';
import { renderUpdateContent } from './notice-updates.js';
import { renderMoreLink } from './pager.js';

export function renderPastNotices(context: RenderContext): Markup {
  const { view, translator, urlFor } = context;
  const entries = pastDays(view);
  const link = html`<p><a class="more" href="${urlFor('history')}">${translator.t('past.history')}</a></p>`;
  // Nothing ended, and no day was quiet.
  if (!entries.length) return html`<section>${link}</section>`;
  return html`
    <section aria-labelledby="past">
      <h2 id="past">${translator.t('past.title')}</h2>
      ${entries.map(entry => renderEntry(context, entry))}
      ${renderMoreLink(context, view.omitted.past, 'history')}
      ${link}
    </section>`;
}

function renderEntry(context: RenderContext, entry: PastEntry): Markup {
  const { translator } = context;
  if ('day' in entry) return renderDay(context, entry.day, entry.notices);
  const { from, to } = entry;
  const days = from === to ? translator.formatShortDay(from) : translator.formatShortDayRange(from, to);
  return html`<p class="quiet-days"><b>${translator.capitalize(days)}</b> ${translator.t('past.quietDay')}</p>`;
}

export function renderDay(context: RenderContext, day: string, notices: readonly NoticeView[]): Markup {
  return html`
    <div class="day">
      <h3><time datetime="${day}">${context.translator.capitalize(context.translator.formatDay(day))}</time></h3>
      ${notices.map(notice => renderPastNotice(context, notice))}
    </div>`;
}

/** Only the latest update; the others are on the page of the notice. */
function renderPastNotice(context: RenderContext, notice: NoticeView): Markup {
  const newest = notice.updates.at(-1);
  return html`
    <article>
      <div class="title"><h4>${renderNoticeLink(context, notice)}</h4>${renderNoticeStatus(context, notice)}</div>
      ${newest && html`<div class="clamped">${renderUpdateContent(context, newest)}</div>`}
      <p class="when">${renderPeriod(context, notice)}${renderPostmortemLink(context, notice)}</p>
    </article>`;
}

/** The text itself is on the page of the notice. */
function renderPostmortemLink({ translator, urlFor }: RenderContext, { path, postmortem }: NoticeView): Markup | null {
  return postmortem
    ? html` · <a href="${urlFor(`notices/${path}`)}#postmortem">${translator.t('notice.postmortem')}</a>`
    : null;
}

/** "Duration: 48 minutes · Ended 20 Nov, 14:02 CET" */
function renderPeriod(context: RenderContext, { type, beganAt, endedAt, createdAt }: NoticeView): Markup {
  const { translator } = context;
  if (type === 'general') return renderLabelledTime(context, 'notice.published', createdAt);
  if (!beganAt || !endedAt) return html`${endedAt && renderLabelledTime(context, 'notice.ended', endedAt)}`;
  const duration = translator.formatDuration(endedAt.getTime() - beganAt.getTime());
  const ended = renderLabelledTime(context, 'notice.ended', endedAt);
  return html`${translator.t('notice.duration', { duration })} · ${ended}`;
}
