import { describe, expect, test } from '@jest/globals';
import { noticePage } from '../../../../src/status-page/html/notice-page.js';
import { renderDocument, renderResponse, visibleText } from '../../../support/rendered-page.js';
import { createView, notice } from '../../../support/page-views.js';
import { incident, type SamplePage, buildSampleView } from '../../../support/sample-pages.js';

const view = buildSampleView(incident);
const findNotice = (subject: string) => view.notices.find(notice => notice.subject === subject)!;
const declinedNotice = findNotice('Some card payments are declined');
const renderNoticePage = (subject: string) =>
  renderDocument(view, noticePage, { path: { notice: findNotice(subject).path } });

describe('the page of a notice', () => {
  test('shows type, state, subject, times and components', () => {
    const html = renderNoticePage(declinedNotice.subject);
    const text = visibleText(html);
    expect(text).toContain(
      'Incident · Identified Some card payments are declined ' +
        'Started 20 Nov, 14:43 CET Duration so far: 47 minutes',
    );
    expect(html).toContain('href="/#c13"');
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
  });

  test('has links to follow it while it is open: a form about its components, and feeds with its updates', () => {
    const page = { ...view.page, subscriptionOptions: ['email' as const] };
    const render = ({ path }: { path: string }) =>
      renderDocument({ ...view, page }, noticePage, { path: { notice: path } });
    const html = render(declinedNotice);
    expect(html).toContain('<a href="/subscribe?by=email&amp;components=13">By e-mail</a>');
    expect(html).toContain(`<a href="/feed.atom?notice=${declinedNotice.path.slice(0, 16)}">Atom</a>`);
    expect(renderNoticePage(declinedNotice.subject)).not.toContain('By e-mail');
    expect(render(view.past[0]!)).not.toContain('Follow this notice');
  });

  test.each([
    ['asc', 'present', 'oldest'],
    ['desc', 'present', 'newest'],
    ['asc', 'past_recent', 'oldest'],
    ['desc', 'past_recent', 'newest'],
  ] as const)('with the order %s, a %s notice has its %s update first', (timelineSortOrder, timelineState, first) => {
    const ordered = {
      ...view,
      page: { ...view.page, timelineSortOrder },
      notices: view.notices.map(each => (each === declinedNotice ? { ...each, timelineState } : each)),
    };
    const text = visibleText(renderDocument(ordered, noticePage, { path: { notice: declinedNotice.path } }));
    expect(text.indexOf('About one card payment') < text.indexOf('The processor has found')).toBe(first === 'oldest');
  });

  test('has its state and subject as title and link preview', () => {
    const html = renderNoticePage('Quotes were slow');
    expect(html).toContain('<title>Resolved: Quotes were slow – Meridian Freight status</title>');
    expect(html).toContain('<meta property="og:title" content="Resolved: Quotes were slow – Meridian Freight status">');
    expect(html).toContain(
      '<meta name="description" content="Quotes take up to ten seconds. Bookings work as usual.">',
    );
    expect(html).toContain(
      `<link rel="canonical" href="https://status.meridian.example/notices/${findNotice('Quotes were slow').path}">`,
    );
  });

  test('shows the duration of a past notice, the window of maintenance, and when an announcement was published', () => {
    expect(visibleText(renderNoticePage('Quotes were slow'))).toContain('Duration: 2 hours');
    expect(visibleText(renderNoticePage('Sea positions: change of provider'))).toContain(
      'Monday, 23 November 2026, 14:30 – 16:00 UTC',
    );
    expect(visibleText(renderNoticePage('Parcel lockers in the Nordics'))).toContain(
      'Announcement Parcel lockers in the Nordics Published',
    );
  });

  test.each(['', '-an-older-subject', '-'])(
    'with the outdated slug %j redirects to the current URL in the same language',
    slug => {
      const german = buildSampleView(incident, { locale: 'de' });
      const response = renderResponse(german, noticePage, {
        path: { notice: declinedNotice.path.slice(0, 16) + slug },
      });
      expect(response).toMatchObject({ status: 301, headers: { Location: `/notices/${declinedNotice.path}?lang=de` } });
    },
  );

  test('has headings of its texts one level below the heading above them, and no level is left out', () => {
    const updates = ['# Found\n\n## Where\n\n`<h4>`'];
    const view = createView({ notices: [notice(1, 'unplanned', 'investigating', { updates })] });
    const body = renderDocument(view, noticePage, { path: { notice: view.notices[0]!.path } });
    const levels = [...body.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    expect(body).toContain('<h3>Found</h3>');
    expect(body).toContain('<h4>Where</h4>');
    expect(body).toContain('<code>&lt;h4&gt;</code>');
  });

  test('requires a notice that the snapshot lacks, or has without its older updates, by its token', () => {
    const findRequired = (notice: string, of = view) =>
      noticePage.requiredNotices!({ path: { notice }, query: {} }, of);
    expect(findRequired(declinedNotice.path)).toBeNull();
    expect(findRequired('token00000000099-any')).toEqual({ token: 'token00000000099' });
    const path = 'token00000000001-long';
    const withUpdates = (updateCount: number) =>
      createView({
        notices: [{ ...notice(1, 'unplanned', 'resolved', { path, updates: ['Hm', 'Hm'] }), updateCount }],
      });
    expect([2, 3].map(count => findRequired(path, withUpdates(count)))).toEqual([null, { token: 'token00000000001' }]);
  });

  test('is not found for a malformed token, which requires nothing', () => {
    const requiredNotices = (path: string) => noticePage.requiredNotices!({ path: { notice: path }, query: {} }, view);
    for (const path of [
      '',
      'short',
      'UPPERCASE0000000-x',
      `${'a'.repeat(17)}`,
      "a'or'1'='1aaaaaa-x",
      '../../etc/passwd',
    ]) {
      expect(requiredNotices(path)).toBeNull();
      expect(noticePage.render(view, { path: { notice: path }, query: {} })).toBeNull();
    }
  });

  test('is not found for an unknown token', () => {
    expect(noticePage.render(view, { path: { notice: `${'z'.repeat(16)}-x` }, query: {} })).toBeNull();
  });

  test('says that there are no updates yet', () => {
    const withoutUpdates: SamplePage = {
      ...incident,
      snapshot: { ...incident.snapshot, notices: incident.snapshot.notices.map(one => ({ ...one, updates: [] })) },
    };
    expect(
      visibleText(
        renderDocument(buildSampleView(withoutUpdates), noticePage, { path: { notice: declinedNotice.path } }),
      ),
    ).toContain('No updates yet');
  });
});
