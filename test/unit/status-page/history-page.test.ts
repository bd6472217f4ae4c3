import { describe, expect, test } from '@jest/globals';
import { history, presentHistory } from '../../../src/status-page/html/history-page.js';
import { monthView } from '../../../src/status-page/view/months.js';
import { routeOf } from '../../../src/status-page/server/request-target.js';
import { Site } from '../../../src/status-page/server/page-revision.js';
import type { PageSnapshot, SnapshotNotice } from '../../../src/status-page/view/snapshot.js';
import { Dresser } from '../../../src/status-page/themes/theme-service.js';
import { documentOf, wordsOf } from '../../support/rendered-page.js';
import { notice, now, viewFor } from '../../support/page-views.js';
import { incident, viewOfSituation } from '../../support/sample-pages.js';

const view = viewOfSituation(incident);
const month = (name: string, query: Record<string, string> = {}) =>
  documentOf(view, history, { path: { month: name }, query });
const subjects = (html: string) => [...html.matchAll(/<h4><a [^>]*>([^<]+)/g)].map(([, subject]) => subject);

describe('the history', () => {
  test('shows the present month by day, the newest first, and nothing that is only planned', () => {
    const html = documentOf(view, presentHistory);
    expect(wordsOf(html)).toContain('History November 2026');
    expect(wordsOf(html)).toContain('Announcement Parcel lockers in the Nordics In development');
    expect(subjects(html)).toEqual([
      'Some card payments are declined',
      'Parcel lockers in the Nordics',
      'Quotes were slow',
      'Failed webhooks in monitoring',
      'Invoices move to a new database',
    ]);
  });

  test('says the same at the address of the month, which is the one that search engines are told', () => {
    expect(subjects(month('2026-11'))).toEqual(subjects(documentOf(view, presentHistory)));
    expect(documentOf(view, presentHistory)).toContain(
      '<link rel="canonical" href="https://status.meridian.example/history/2026-11">',
    );
  });

  test('leads to the months beside it, none of them in the future nor before the page, and keeps what was chosen', () => {
    const german = viewOfSituation(incident, { locale: 'de' });
    const html = documentOf(german, history, { path: { month: '2026-10' }, query: { component: '9' } });
    expect(html).toContain('href="/history/2026-09?component=9&amp;lang=de" rel="prev"');
    expect(html).toContain('href="/history/2026-11?component=9&amp;lang=de" rel="next"');
    expect(month('2026-11')).not.toContain('rel="next"');
    expect(month('2026-02')).not.toContain('rel="prev"');
  });

  test('narrows to a component and those above and below it', () => {
    const id = (name: string) =>
      String([...view.componentsById.values()].find(component => component.name === name)!.id);
    expect(subjects(month('2026-11', { component: id('Billing') }))).toEqual([
      'Some card payments are declined',
      'Parcel lockers in the Nordics',
      'Invoices move to a new database',
    ]);
    expect(month('2026-11', { component: id('Billing') })).toContain(
      `<option value="${id('Billing')}" selected="">Billing</option>`,
    );
    expect(subjects(month('2026-11', { component: '' }))).toHaveLength(5);
  });

  test('leads back over quiet months to what was written down of a time before the page', () => {
    const page = { ...incident.snapshot.page, historySince: '2025-06-10T08:00:00.000Z' };
    const older = viewOfSituation({ ...incident, snapshot: { ...incident.snapshot, page } });
    const asked = (name: string) => documentOf(older, history, { path: { month: name }, query: {} });
    expect(asked('2026-02')).toContain('href="/history/2026-01" rel="prev"');
    expect(asked('2025-06')).not.toContain('rel="prev"');
  });

  test('shows the days of the month as a bar with a sentence', () => {
    expect(month('2026-11')).toContain('viewBox="0 0 30 28"');
    expect(month('2026-11')).toContain(
      'aria-label="November 2026: 2 days degraded, 1 day with maintenance and 10 days without data"',
    );
  });

  test('of a quiet month says that it was one', () => {
    expect(wordsOf(month('2026-06'))).toContain('No notices in this month');
  });

  test.each(['2026-12', '2026-13', '2026-00', '2026-1', '20261-1', 'x', '', '0000-01'])('is not there for %j', name => {
    expect(history.draw(view, { path: { month: name }, query: {} })).toBeNull();
  });

  test.each(['999', 'x', '-1', '01', "1' or 1=1"])('is not there for a component %j', component => {
    expect(history.draw(view, { path: { month: '2026-11' }, query: { component } })).toBeNull();
  });

  test('asks for the notices of its month, and for none of what is no month', () => {
    expect(history.needs!({ path: { month: '2026-10' }, query: {} })).toEqual({ month: '2026-10' });
    expect(history.needs!({ path: { month: '2026-10-01' }, query: {} })).toBeNull();
  });
});

test('a notice that begins as a day ends colours the next day alone', () => {
  const page = { createdAt: '2026-11-01T00:00:00.000Z' };
  const times = { beganAt: '2026-11-11T00:00:00.000Z', endedAt: '2026-11-11T01:00:00.000Z' };
  const { days } = monthView(viewFor({ page, notices: [notice(1, 'unplanned', 'resolved', times)] }), '2026-11');
  expect(days.slice(9, 12).map(({ date, state }) => [date, state])).toEqual([
    ['2026-11-10', 'operational'],
    ['2026-11-11', 'degraded'],
    ['2026-11-12', 'operational'],
  ]);
});

describe('of the month that the 90 days begin in, of which a page knows a part', () => {
  // 90 days before that moment are within August.
  const { page, brand } = viewFor({ page: { createdAt: '2020-01-01T00:00:00.000Z' } });
  const over = (id: number, day: string) =>
    notice(id, 'unplanned', 'resolved', { beganAt: `${day}T09:00:00.000Z`, endedAt: `${day}T10:00:00.000Z` });
  const snapshotOf = (...notices: SnapshotNotice[]): PageSnapshot => ({
    readAt: now.toISOString(),
    page,
    brand,
    components: [],
    notices,
    themeVersion: null,
  });
  const [early, late, later] = [over(1, '2026-08-03'), over(2, '2026-08-28'), over(3, '2026-09-02')];
  const site = new Site(snapshotOf(later, late), 0, null, new Dresser(() => null, null), now);
  const shown = async (month: string) => {
    const asked: unknown[] = [];
    const packed = await site.draw('host', routeOf(`history/${month}`, '')!, async needs => {
      asked.push(needs);
      return snapshotOf(late, early);
    });
    return { asked, subjects: subjects(packed!.forms.identity.body.toString()) };
  };

  test('the whole is read', async () => {
    expect(await shown('2026-08')).toEqual({ asked: [{ month: '2026-08' }], subjects: ['Notice 2', 'Notice 1'] });
  });

  test('and nothing is of the months after it', async () => {
    expect(await shown('2026-09')).toEqual({ asked: [], subjects: ['Notice 3'] });
  });
});
