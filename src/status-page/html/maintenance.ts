import { showsUtc } from '../../i18n/dates.js';
import { extractToken } from '../../notices/notice-text.rules.js';
import type { NoticeView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';
import { renderRelativeTime, renderTimeRange } from './time.js';
import { renderAffectedComponents, renderNextUpdate, renderNoticeLink, renderNoticeStatus } from './notice-card.js';
import { renderUpdates } from './notice-updates.js';
import { renderMoreLink } from './pager.js';

export function renderUpcomingMaintenance(context: RenderContext): Markup | null {
  const { view, translator } = context;
  if (!view.future.length) return null;
  return html`
    <section aria-labelledby="maintenance">
      <h2 id="maintenance">${translator.t('maintenance.title')}</h2>
      ${groupByShownText(view.future).map(
        ([notice, ...further]) => html`
        <article class="card">
          ${renderNoticeStatus(context, notice)}
          <h3>${renderNoticeLink(context, notice)}</h3>
          ${renderMaintenanceWindow(context, notice)}
          ${renderFurtherDates(context, further)}
          ${renderNextUpdate(context, notice)}
          ${renderAffectedComponents(context, notice)}
          ${renderUpdates(context, notice)}
        </article>`,
      )}
      ${renderMoreLink(context, view.omitted.future, 'notices')}
    </section>`;
}

type Equals = [first: NoticeView, ...further: NoticeView[]];

/** Notices that differ only in their dates, such as those of a recurring maintenance: one card shows them all. */
const groupByShownText = (notices: readonly NoticeView[]): Equals[] =>
  [...Map.groupBy(notices, toShownText).values()] as Equals[];

/** What the card of a notice says, its window left out. */
const toShownText = ({ beginsAt, endsAt, ...notice }: NoticeView): string =>
  JSON.stringify([
    notice.subject,
    notice.state,
    notice.nextUpdateBy,
    notice.silentSince,
    beginsAt && endsAt && endsAt.getTime() - beginsAt.getTime(),
    notice.components.map(({ id }) => id),
    notice.updates.map(({ content, state }) => [content, state]),
  ]);

/** "Further dates: 5", which unfolds to a link to the notice of each. */
function renderFurtherDates(context: RenderContext, notices: readonly NoticeView[]): Markup | null {
  const { translator, urlFor } = context;
  if (!notices.length) return null;
  return html`
    <details class="fold">
      <summary>${translator.t('maintenance.furtherDates', { dates: translator.formatNumber(notices.length) })}</summary>
      <ul>
        ${notices.map(
          ({ path, beginsAt, endsAt }) => html`
        <li class="when">
          <a href="${urlFor(`notices/${path}`)}">${beginsAt && endsAt && renderTimeRange(context, beginsAt, endsAt)}</a>
        </li>`,
        )}
      </ul>
    </details>`;
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
