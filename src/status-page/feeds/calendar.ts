import { extractToken } from '../../notices/notice-text.rules.js';
import { type CalendarEvent, renderCalendar } from '../../notices/icalendar.js';
import { getTranslator } from '../../i18n/translator.js';
import { findRequestedNotice, noticeUrl, requireRequestedNotice } from '../view/urls.js';
import type { PublicRoute } from '../routing/public-route.js';
import type { NoticeView, PageView } from '../view/view.js';

/** All maintenance of the snapshot, completed and cancelled included; or the one whose token is requested. */
export const calendar: PublicRoute = {
  path: 'calendar.ics',
  query: ['lang', 'notice'],
  requiredNotices: requireRequestedNotice,
  render: (view, parameters) => {
    const requested = findRequestedNotice(view, parameters);
    const notices = requested === undefined ? view.notices : requested ? [requested] : [];
    const events = notices.flatMap(notice => toEvents(notice, view));
    if (requested !== undefined && !events.length) return null;
    const { t } = getTranslator(view.locale);
    const name = t('feed.calendarTitle', { page: view.page.name });
    return {
      type: 'text/calendar; charset=utf-8',
      body: renderCalendar({ name, cancelled: t('state.cancelled'), events }),
      headers: { 'Content-Disposition': 'inline; filename="maintenance.ics"' },
    };
  },
};

/** One event for planned maintenance; none for other notices. */
function toEvents(notice: NoticeView, view: PageView): CalendarEvent[] {
  const { type, beginsAt, endsAt } = notice;
  if (type !== 'planned' || !beginsAt || !endsAt) return [];
  const { t, formatDateTime } = getTranslator(view.locale);
  const { nextUpdateBy } = notice;
  const nextUpdate = nextUpdateBy ? t('notice.nextUpdate', { time: formatDateTime(nextUpdateBy, view.page.zone) }) : '';
  const components = notice.named.map(({ name }) => name);
  const link = noticeUrl(view, notice);
  return [{ ...notice, beginsAt, endsAt, nextUpdate, components, token: extractToken(notice.path), link }];
}
