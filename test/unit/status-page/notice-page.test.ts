import { describe, expect, test } from '@jest/globals';
import { permalink } from '../../../src/status-page/html/notice-page.js';
import { documentOf, drawn, wordsOf } from '../../support/rendered-page.js';
import { incident, type Situation, viewOfSituation } from '../../support/sample-pages.js';

const view = viewOfSituation(incident);
const noticeOf = (subject: string) => view.notices.find(notice => notice.subject === subject)!;
const declined = noticeOf('Some card payments are declined');
const pageOf = (subject: string) => documentOf(view, permalink, { path: { notice: noticeOf(subject).path } });

describe('the address of a notice', () => {
  test('tells all of it', () => {
    const html = pageOf(declined.subject);
    const words = wordsOf(html);
    expect(words).toContain(
      'Incident · Identified Some card payments are declined Started 20 November 2026, 14:43 CET Duration so far: 47 minutes',
    );
    expect(html).toContain('href="/#c13"');
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
  });

  test.each(['asc', 'desc'] as const)('tells the updates in the order of the page: %s', timelineSortOrder => {
    const ordered = { ...view, page: { ...view.page, timelineSortOrder } };
    const words = wordsOf(documentOf(ordered, permalink, { path: { notice: declined.path } }));
    expect(words.indexOf('About one card payment') < words.indexOf('The processor has found')).toBe(
      timelineSortOrder === 'asc',
    );
  });

  test('is called by its state and subject where it is shared', () => {
    const html = pageOf('Quotes were slow');
    expect(html).toContain('<title>Resolved: Quotes were slow – Meridian Freight status</title>');
    expect(html).toContain('<meta property="og:title" content="Resolved: Quotes were slow – Meridian Freight status">');
    expect(html).toContain(
      '<meta name="description" content="Quotes take up to ten seconds. Bookings work as usual.">',
    );
    expect(html).toContain(
      `<link rel="canonical" href="https://status.meridian.example/notices/${noticeOf('Quotes were slow').path}">`,
    );
  });

  test('tells of what is over how long it took, of maintenance its window, and of an announcement that it is in development', () => {
    expect(wordsOf(pageOf('Quotes were slow'))).toContain('Duration: 2 hours');
    expect(wordsOf(pageOf('Sea positions: change of provider'))).toContain(
      'Monday, 23 November 2026, 14:30 – 16:00 UTC',
    );
    expect(wordsOf(pageOf('Parcel lockers in the Nordics'))).toContain(
      'Announcement Parcel lockers in the Nordics In development',
    );
  });

  test.each(['', '-an-older-subject', '-'])(
    'with another slug (%j) leads to the present one, in the language that was chosen',
    slug => {
      const german = viewOfSituation(incident, { locale: 'de' });
      const drawing = drawn(german, permalink, { path: { notice: declined.path.slice(0, 16) + slug } });
      expect(drawing).toMatchObject({ status: 301, headers: { Location: `/notices/${declined.path}?lang=de` } });
    },
  );

  test('is asked for by its token, and by nothing that could not be one', () => {
    const needs = (notice: string) => permalink.needs!({ path: { notice }, query: {} });
    expect(needs(declined.path)).toEqual({ token: declined.path.slice(0, 16) });
    for (const path of [
      '',
      'short',
      'UPPERCASE0000000-x',
      `${'a'.repeat(17)}`,
      "a'or'1'='1aaaaaa-x",
      '../../etc/passwd',
    ]) {
      expect(needs(path)).toBeNull();
      expect(permalink.draw(view, { path: { notice: path }, query: {} })).toBeNull();
    }
  });

  test('that nobody has is not there', () => {
    expect(permalink.draw(view, { path: { notice: `${'z'.repeat(16)}-x` }, query: {} })).toBeNull();
  });

  test('says so when there is no update yet', () => {
    const bare: Situation = {
      ...incident,
      snapshot: { ...incident.snapshot, notices: incident.snapshot.notices.map(one => ({ ...one, updates: [] })) },
    };
    expect(wordsOf(documentOf(viewOfSituation(bare), permalink, { path: { notice: declined.path } }))).toContain(
      'No updates yet',
    );
  });
});
