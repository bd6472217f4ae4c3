import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { historyPage, currentHistoryPage } from '../../../../src/status-page/html/history-page.js';
import { toCalendarDay } from '../../../../src/status-page/view/days.js';
import { type HistoryState, historyStates } from '../../../../src/status-page/view/history-sweep.js';
import { buildMonth } from '../../../../src/status-page/view/months.js';
import type { PageView } from '../../../../src/status-page/view/view.js';
import { matchRoute } from '../../../../src/status-page/server/match-route.js';
import type { PageSnapshot, SnapshotNotice } from '../../../../src/status-page/view/snapshot.js';
import { renderDocument, visibleText } from '../../../support/rendered-page.js';
import { component, createView, minutesAgo, notice, now } from '../../../support/page-views.js';
import { createGeneration } from '../../../support/page-generations.js';
import { incident, buildSampleView } from '../../../support/sample-pages.js';

const view = buildSampleView(incident);
const renderMonth = (month: string, query: Record<string, string> = {}) =>
  renderDocument(view, historyPage, { path: { month }, query });
const listSubjects = (html: string) => [...html.matchAll(/<h4><a [^>]*>([^<]+)/g)].map(([, subject]) => subject);

describe('the history page', () => {
  test('lists the notices of the current month by day, newest first, without scheduled maintenance', () => {
    const html = renderDocument(view, currentHistoryPage);
    expect(visibleText(html)).toContain('History November 2026');
    expect(visibleText(html)).toContain('Parcel lockers in the Nordics Announcement We are working');
    expect(listSubjects(html)).toEqual([
      'Some card payments are declined',
      'Parcel lockers in the Nordics',
      'Quotes were slow',
      'Failed webhooks in monitoring',
      'Invoices move to a new database',
    ]);
  });

  test('is the same page as that of the current month, whose URL is canonical', () => {
    expect(listSubjects(renderMonth('2026-11'))).toEqual(listSubjects(renderDocument(view, currentHistoryPage)));
    expect(renderDocument(view, currentHistoryPage)).toContain(
      '<link rel="canonical" href="https://status.meridian.example/history/2026-11">',
    );
  });

  test('links to the previous and next month within the life of the page, with the same component and language', () => {
    const german = buildSampleView(incident, { locale: 'de' });
    const html = renderDocument(german, historyPage, { path: { month: '2026-10' }, query: { component: '9' } });
    expect(html).toContain('href="/history/2026-09?component=9&amp;lang=de" rel="prev"');
    expect(html).toContain('href="/history/2026-11?component=9&amp;lang=de" rel="next"');
    expect(renderMonth('2026-11')).not.toContain('rel="next"');
    expect(renderMonth('2026-02')).not.toContain('rel="prev"');
  });

  test('filters by a component with its ancestors and descendants', () => {
    const id = (name: string) =>
      String([...view.componentsById.values()].find(component => component.name === name)!.id);
    expect(listSubjects(renderMonth('2026-11', { component: id('Billing') }))).toEqual([
      'Some card payments are declined',
      'Parcel lockers in the Nordics',
      'Invoices move to a new database',
    ]);
    expect(renderMonth('2026-11', { component: id('Billing') })).toContain(
      `<option value="${id('Billing')}" selected="">Billing</option>`,
    );
    expect(listSubjects(renderMonth('2026-11', { component: '' }))).toHaveLength(5);
  });

  test('links back to the month of a back-dated notice', () => {
    const page = { ...incident.snapshot.page, historySince: '2025-06-10T08:00:00.000Z' };
    const older = buildSampleView({ ...incident, snapshot: { ...incident.snapshot, page } });
    const renderOlder = (month: string) => renderDocument(older, historyPage, { path: { month }, query: {} });
    expect(renderOlder('2026-02')).toContain('href="/history/2026-01" rel="prev"');
    expect(renderOlder('2025-06')).not.toContain('rel="prev"');
  });

  test('shows the days of the month as a bar with a text alternative', () => {
    expect(renderMonth('2026-11')).toContain('viewBox="0 0 30 28"');
    expect(renderMonth('2026-11')).toContain(
      'aria-label="November 2026: 2 days degraded, 1 day with maintenance and 10 days without data"',
    );
  });

  test('says that a month has no notices', () => {
    expect(visibleText(renderMonth('2026-06'))).toContain('No notices in this month');
  });

  test.each(['2026-12', '2026-13', '2026-00', '2026-1', '20261-1', 'x', '', '0000-01'])(
    'is not found for the month %j',
    name => {
      expect(historyPage.render(view, { path: { month: name }, query: {} })).toBeNull();
    },
  );

  test.each(['999', 'x', '-1', '01', "1' or 1=1"])('is not found for the component %j', component => {
    expect(historyPage.render(view, { path: { month: '2026-11' }, query: { component } })).toBeNull();
  });

  describe('requires', () => {
    const old = createView({
      page: { createdAt: '2026-03-31T12:00:00.000Z' },
      components: [component(1, 'Core'), component(2, 'API', 1), component(3, 'Search', 2), component(4, 'Site')],
    });
    const findRequired = (month: string, query: Record<string, string> = {}, of = old) =>
      historyPage.requiredNotices!({ path: { month }, query }, of);

    test('the notices of a month that the snapshot lacks, one page of them', () => {
      expect(findRequired('2026-05')).toEqual({ month: '2026-05', monthPage: 1, componentIds: null });
      expect(findRequired('2026-05', { page: '3' })).toEqual({ month: '2026-05', monthPage: 3, componentIds: null });
    });

    test('those that concern the component: that name it, an ancestor or a descendant', () => {
      expect(findRequired('2026-05', { component: '2' })).toMatchObject({ componentIds: [1, 2, 3] });
    });

    test('none that a complete snapshot has, and those of an incomplete one', () => {
      expect(findRequired('2026-10')).toBeNull();
      expect(findRequired('2026-10', {}, { ...old, isComplete: false })).toMatchObject({ month: '2026-10' });
    });

    test.each<[string, Record<string, string>]>([
      ['2026-02', {}],
      ['1970-01', {}],
      ['2026-12', {}],
      ['2026-05-01', {}],
      ['2026-05', { component: '9' }],
      ['2026-05', { page: '0' }],
      ['2026-05', { page: '1e3' }],
    ])('nothing for %s with %j, which is not found', (month, query) => {
      expect(findRequired(month, query)).toBeNull();
      expect(historyPage.render(old, { path: { month }, query })).toBeNull();
    });
  });

  test('is not found before the month in which the page was created or its first notice began', () => {
    const renderFrom = (historySince: string, month: string) =>
      historyPage.render(createView({ page: { historySince } }), { path: { month }, query: {} });
    expect(renderFrom('2026-03-31T12:00:00.000Z', '2026-02')).toBeNull();
    expect(renderFrom('2026-03-31T12:00:00.000Z', '2026-03')).not.toBeNull();
  });
});

test('a notice that begins at midnight counts on the new day only', () => {
  const page = { createdAt: '2026-11-01T00:00:00.000Z' };
  const times = { beganAt: '2026-11-11T00:00:00.000Z', endedAt: '2026-11-11T01:00:00.000Z' };
  const { days } = buildMonth(createView({ page, notices: [notice(1, 'unplanned', 'resolved', times)] }), '2026-11');
  expect(days.slice(9, 12).map(({ date, state }) => [date, state])).toEqual([
    ['2026-11-10', 'operational'],
    ['2026-11-11', 'degraded'],
    ['2026-11-12', 'operational'],
  ]);
});

describe('the bar of a month', () => {
  const at = (day: number, hour: number) => new Date(Date.UTC(2026, 10, day, hour)).toISOString();
  const span = (day: number) => ({ beganAt: at(day, 9), endedAt: at(day, 10) });
  const components = [component(1, 'API'), component(2, 'Payments', 1)];
  const page = { createdAt: '2026-01-01T00:00:00.000Z' };
  const notices = [
    notice(1, 'unplanned', 'resolved', { ...span(17), componentIds: [1] }),
    notice(2, 'unplanned', 'resolved', span(18)),
    notice(3, 'planned', 'complete', { ...span(19), componentIds: [1] }),
  ];
  const fixture = createView({
    page,
    components: components.map(one => ({ ...one, createdAt: page.createdAt })),
    notices,
  });
  const listMonthStates = (of: PageView, id?: number) =>
    buildMonth(of, '2026-11', id === undefined ? undefined : of.componentsById.get(id)).days.map(({ state }) => state);
  const selectNovember = (of: PageView, id: number) =>
    of.componentsById.get(id)!.history.flatMap(({ date, state }) => (date.startsWith('2026-11') ? [state] : []));

  test('of a component equals its bar on the front page', () => {
    for (const id of [1, 2]) expect(listMonthStates(fixture, id).slice(0, 20)).toEqual(selectNovember(fixture, id));
    expect(listMonthStates(fixture, 2).slice(16, 19)).toEqual(['partially-degraded', 'operational', 'operational']);
  });

  test('of the page has the worst state of all components, or that of the notices that name none', () => {
    expect(listMonthStates(fixture).slice(16, 20)).toEqual(['degraded', 'degraded', 'maintenance', 'operational']);
    const both = createView({
      page,
      components,
      notices: [
        notice(1, 'planned', 'complete', { ...span(17), componentIds: [1] }),
        notice(2, 'unplanned', 'resolved', span(17)),
        notice(3, 'planned', 'complete', span(18)),
      ],
    });
    expect(listMonthStates(both).slice(16, 18)).toEqual(['degraded', 'maintenance']);
  });

  test('has no data after today, and before the page or the component was created', () => {
    const young = createView({
      page: { createdAt: at(10, 12) },
      components: [{ ...component(1, 'API'), createdAt: at(15, 12) }],
    });
    const countStates = (states: string[]) => [
      states.indexOf('operational') + 1,
      states.lastIndexOf('operational') + 1,
      new Set(states).size,
    ];
    expect(countStates(listMonthStates(young))).toEqual([10, 20, 2]);
    expect(countStates(listMonthStates(young, 1))).toEqual([15, 20, 2]);
  });

  test('does not count a notice on the day that begins when it ends', () => {
    const midnight = createView({
      page,
      components,
      notices: [notice(1, 'unplanned', 'resolved', { beganAt: at(10, 23), endedAt: at(11, 0), componentIds: [1] })],
    });
    for (const id of [undefined, 1])
      expect(listMonthStates(midnight, id).slice(9, 11)).toEqual(['degraded', 'operational']);
  });

  test('agrees with the front page, component by component, for arbitrary trees and notices', () => {
    const severity = (state: HistoryState) => historyStates.indexOf(state);
    const arbitraryNotice = fc.record({
      hoursAgo: fc.integer({ min: 1, max: 25 * 24 }),
      hours: fc.integer({ min: 0, max: 72 }),
      type: fc.constantFrom('planned' as const, 'unplanned' as const, 'general' as const),
      isFalseAlarm: fc.boolean(),
      named: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
        fc.array(arbitraryNotice, { maxLength: 6 }),
        fc.constantFrom('Etc/UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'),
        (parents, generated, zone) => {
          const tree = parents.map((pick, index) => ({
            ...component(index + 1, `Component ${index + 1}`, pick % 3 === 0 || !index ? null : (pick % index) + 1),
            createdAt: page.createdAt,
          }));
          const all = generated.map(({ hoursAgo, hours, type, isFalseAlarm, named }, index) => {
            const from = minutesAgo(hoursAgo * 60);
            const to = minutesAgo((hoursAgo - hours) * 60);
            const isOpen = to > now.toISOString() && type !== 'general';
            const ended = {
              planned: 'complete',
              unplanned: isFalseAlarm ? 'false_alarm' : 'resolved',
              general: null,
            } as const;
            const open = { planned: 'underway', unplanned: 'investigating', general: null } as const;
            return notice(index + 1, type, isOpen ? open[type] : ended[type], {
              beganAt: from,
              endedAt: isOpen ? null : type === 'general' ? from : to,
              componentIds: named.filter(id => id <= tree.length),
            });
          });
          const view = createView({ page: { ...page, zone }, components: tree, notices: all });
          const listedDays = buildMonth(view, '2026-11').days.map(({ date }) => date);
          const today = toCalendarDay(now, zone);
          const bars = tree.map(({ id }) => {
            const history = new Map(view.componentsById.get(id)!.history.map(({ date, state }) => [date, state]));
            const bar = listMonthStates(view, id);
            expect(bar).toEqual(listedDays.map(date => (date > today ? 'none' : history.get(date))));
            return bar;
          });
          // The naive reference: the days on which a notice that names no component was open, hour by hour.
          const unnamed = new Map<string, HistoryState>();
          for (const { type, state, beganAt, endedAt, componentIds } of all) {
            if (componentIds.length || type === 'general' || state === 'false_alarm') continue;
            const from = Date.parse(beganAt!);
            const to = endedAt ? Date.parse(endedAt) : now.getTime();
            for (let moment = from; moment < to || moment === from; moment += 30 * 60_000) {
              const day = toCalendarDay(new Date(moment), zone);
              if (type === 'unplanned' || !unnamed.has(day))
                unnamed.set(day, type === 'unplanned' ? 'degraded' : 'maintenance');
            }
          }
          expect(listMonthStates(view)).toEqual(
            listedDays.map((date, index) =>
              date > today
                ? 'none'
                : [...bars.map(bar => bar[index]!), unnamed.get(date) ?? 'operational'].reduce((worst, state) =>
                    severity(state) > severity(worst) ? state : worst,
                  ),
            ),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the month in which the 90 days of a snapshot begin', () => {
  // 90 days before now is in August, so the snapshot has a part of August only.
  const { page, brand } = createView({ page: { createdAt: '2020-01-01T00:00:00.000Z' } });
  const resolvedNotice = (id: number, day: string) =>
    notice(id, 'unplanned', 'resolved', { beganAt: `${day}T09:00:00.000Z`, endedAt: `${day}T10:00:00.000Z` });
  const createSnapshot = (...notices: SnapshotNotice[]): PageSnapshot => ({
    readAt: now.toISOString(),
    page,
    brand,
    components: [],
    notices,
    themeVersion: null,
  });
  const early = resolvedNotice(1, '2026-08-03');
  const late = resolvedNotice(2, '2026-08-28');
  const later = resolvedNotice(3, '2026-09-02');
  const renderHistory = async (month: string) => {
    const required: unknown[] = [];
    const generation = createGeneration(createSnapshot(later, late), {
      now,
      loadNotices: async (_page, notices) => {
        required.push(notices);
        return { notices: [late, early], total: 2 };
      },
    });
    const response = await generation.render('host', matchRoute(`history/${month}`, '')!);
    return { required, subjects: listSubjects(response!.variants.identity.body.toString()) };
  };

  test('loads all of its notices', async () => {
    expect(await renderHistory('2026-08')).toEqual({
      required: [{ month: '2026-08', monthPage: 1, componentIds: null }],
      subjects: ['Notice 2', 'Notice 1'],
    });
  });

  test('loads nothing for later months', async () => {
    expect(await renderHistory('2026-09')).toEqual({ required: [], subjects: ['Notice 3'] });
  });
});
