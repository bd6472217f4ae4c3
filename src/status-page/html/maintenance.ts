import { showsUtc } from '../../i18n/dates.js';
import { extractToken } from '../../notices/notice-text.rules.js';
import type { NoticeView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';
import { renderRelativeTime, renderTimeRange } from './time.js';
import { renderAffectedComponents, renderNextUpdate, renderNoticeLink, renderNoticeStatus } from './notice-card.js';
import { renderUpdates } from './notice-updates.js';
import { renderMoreLink } from './pager.js';

export function renderUpcomingMaintenance(context: RenderContext, isFrontPage = true): Markup | null {
  const { view, translator } = context;
  if (!view.future.length) return null;
  return html`
    <section aria-labelledby="maintenance">
      <h2 id="maintenance">${translator.t('maintenance.title')}</h2>
      ${view.future.map(
        notice => html`
        <article class="card">
          ${renderNoticeStatus(context, notice)}
          <h3>${renderNoticeLink(context, notice)}</h3>
          ${renderMaintenanceWindow(context, notice)}
          ${renderNextUpdate(context, notice)}
          ${renderAffectedComponents(context, notice, isFrontPage)}
          ${renderUpdates(context, notice)}
        </article>`,
      )}
      ${renderMoreLink(context, view.omitted.future, 'notices')}
    </section>`;
}

/** The window in the zone of the page and in UTC, the time until it begins, its duration, and a calendar link. */
export function renderMaintenanceWindow(
  context: RenderContext,
  { beginsAt, endsAt, path, timelineState }: NoticeView,
): Markup | null {
  const { view, translator, urlFor } = context;
  if (!beginsAt || !endsAt) return null;
  // Omitted where the zone of the page equals UTC then, as London does in winter.
  const utcWindow =
    !showsUtc([beginsAt, endsAt], view.page.zone) &&
    html`<br><span class="quiet">${translator.capitalize(translator.formatTimeRange(beginsAt, endsAt, 'UTC'))}</span>`;
  const duration = translator.formatDuration(endsAt.getTime() - beginsAt.getTime());
  const calendarUrl = urlFor('calendar.ics', { notice: extractToken(path) });
  return html`
    <p class="window">${renderTimeRange(context, beginsAt, endsAt)}${utcWindow}</p>
    <p class="when">
      ${timelineState === 'future' && html`${renderRelativeTime(context, beginsAt)} · `}
      ${translator.t('maintenance.duration', { duration })}
      ${timelineState === 'future' && html` · <a href="${calendarUrl}">${translator.t('maintenance.calendar')}</a>`}
    </p>`;
}
