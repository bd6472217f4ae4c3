import { tokenOf } from '../../notices/notice.text.js';
import { calendarOf } from '../../notices/icalendar.js';
import { textsOf } from '../../i18n/translator.js';
import { noticeAddress } from '../view/urls.js';
import type { Asked, Face } from '../server/public-route.js';
import type { NoticeView, PageView } from '../view/view.js';

/** Every maintenance of the snapshot, also what is over or was cancelled; or the one whose token is asked for. */
export const calendar: Face = {
  path: 'calendar.ics',
  query: ['lang', 'notice'],
  needs: asked => (isToken(asked.query.notice) ? { token: asked.query.notice } : null),
  draw: (view, asked) => {
    const notices = asked.query.notice === undefined ? view.notices : one(view, asked);
    const events = notices.flatMap(notice => eventOf(notice, view));
    if (asked.query.notice !== undefined && !events.length) return null;
    const body = calendarOf({ name: textsOf(view.locale).t('feed.calendarTitle', { page: view.page.name }), events });
    return {
      type: 'text/calendar; charset=utf-8',
      body,
      headers: { 'Content-Disposition': 'inline; filename="maintenance.ics"' },
    };
  },
};

function isToken(token: string | undefined): token is string {
  return token !== undefined && /^[a-z0-9]{16}$/.test(token);
}

function one(view: PageView, { query: { notice: token } }: Asked): NoticeView[] {
  return isToken(token) ? view.notices.filter(({ path }) => tokenOf(path) === token) : [];
}

function eventOf(notice: NoticeView, view: PageView) {
  const { type, beginsAt, endsAt } = notice;
  if (type !== 'planned' || !beginsAt || !endsAt) return [];
  const components = notice.components.map(({ name }) => name);
  return [{ ...notice, beginsAt, endsAt, components, token: tokenOf(notice.path), link: noticeAddress(view, notice) }];
}
