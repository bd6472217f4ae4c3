import { describe, expect, test } from '@jest/globals';
import { marked, type Tokens } from 'marked';
import { indexMarkdown } from '../../../src/status-page/text/index-markdown.js';
import { llms } from '../../../src/status-page/text/llms.js';
import { robots } from '../../../src/status-page/seo/robots.js';
import { sitemap } from '../../../src/status-page/seo/sitemap.js';
import { ago, bodyOf, component, draw, hostileTexts, notice, now, place, viewFor } from '../../support/page-views.js';
import { named, parseXml, textOf } from '../../support/xml-tree.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1)];
const view = viewFor({
  components,
  notices: [
    notice(7, 'unplanned', 'identified', {
      subject: 'Payments *fail*',
      componentIds: [2],
      updates: ['We look.', 'Found it:\n\n# not a title'],
    }),
    notice(8, 'planned', 'scheduled', { subject: 'New disks' }),
    notice(9, 'general', null, { subject: 'Hello' }),
    notice(6, 'unplanned', 'resolved', { subject: 'Slow search' }),
  ],
});

describe('index.md', () => {
  test('says what the page says, in its order', async () => {
    expect(await bodyOf(indexMarkdown, view)).toBe(`# Acme

**Checkout is degraded**

Last updated 20 November 2026, 14:30 UTC

## Current notices

### [Payments \\*fail\\*](https://status.example.com/notices/token00000000007-payments-fail)

- Incident
- Identified
- Affected components: Checkout
- Started 20 November 2026, 14:20 UTC

**20 November 2026, 14:20 UTC**

> We look.

**20 November 2026, 14:21 UTC**

> Found it:
>
> # not a title

## Components

- Shop: Partially degraded
  - Checkout: Degraded

## Upcoming maintenance

### [New disks](https://status.example.com/notices/token00000000008-new-disks)

- Maintenance
- Scheduled
- Window: Friday, 20 November 2026, 15:30 – 16:30 UTC

## Announcements

### [Hello](https://status.example.com/notices/token00000000009-hello)

- Announcement
- In development
- Published 20 November 2026, 14:20 UTC

## Past notices

- Friday, 20 November 2026: [Slow search](https://status.example.com/notices/token00000000006-slow-search) – Resolved

[View history](https://status.example.com/history)

[Feeds](https://status.example.com/feed.atom) · [Calendar](https://status.example.com/calendar.ics)
`);
  });

  test('says since when it could not be brought up to date', async () => {
    expect(await bodyOf(indexMarkdown, { ...viewFor(), staleSince: now })).toContain(
      'could not be brought up to date since 20 November 2026, 14:30 UTC',
    );
  });

  test.each(hostileTexts)('its outline is its own, whatever the texts hold: %j', async text => {
    const hostile = viewFor({
      page: { name: text },
      components: [{ ...component(1, text), description: text }],
      notices: [
        notice(1, 'unplanned', 'investigating', {
          subject: text,
          componentIds: [1],
          updates: [`# ${text}\r\n---\r## ${text}`],
        }),
      ],
    });
    const body = await bodyOf(indexMarkdown, hostile);
    const outline = marked.lexer(body).filter(({ type }) => type === 'heading') as Tokens.Heading[];
    expect(outline.map(({ depth }) => depth)).toEqual([1, 2, 3, 2, 2]);
    expect(body).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(body.isWellFormed()).toBe(true);
  });

  test('an old line end begins a line too', async () => {
    const body = await bodyOf(
      indexMarkdown,
      viewFor({ notices: [notice(1, 'unplanned', 'investigating', { updates: ['one\rtwo'] })] }),
    );
    expect(body).toContain('> one\n> two\n');
  });

  test.each(['- dash', '1. number', '# hash', '> more', '+ plus', '12) twelve'])(
    'a name is no list, title or quotation: %j',
    async name => {
      const body = await bodyOf(indexMarkdown, viewFor({ components: [component(1, name)] }));
      const list = marked.lexer(body).find(({ type }) => type === 'list') as Tokens.List;
      expect(list.items.map(({ tokens }) => tokens.map(({ type }) => type))).toEqual([['text']]);
      expect(marked.parseInline(list.items[0]!.text)).toBe(`${name.replace('>', '&gt;')}: Operational`);
    },
  );

  test('says its type and its charset', async () => {
    expect(await draw(indexMarkdown, view)).toMatchObject({ type: 'text/markdown; charset=utf-8' });
  });
});

describe('llms.txt', () => {
  test('says how things are, and where to read on', async () => {
    const body = await bodyOf(llms, view);
    expect(body).toMatch(/^# Acme\n\n> Checkout is degraded\n\n/);
    expect(body).toContain('](https://status.example.com/index.md)');
    expect(body).toContain('](https://status.example.com/api/v2/summary.json)');
    expect(await draw(llms, view)).toMatchObject({ type: 'text/plain; charset=utf-8' });
  });
});

describe('robots.txt', () => {
  test('lets search engines in and shows them the way', async () => {
    expect(await bodyOf(robots, view)).toBe(
      'User-agent: *\nAllow: /\n\nSitemap: https://status.example.com/sitemap.xml\n',
    );
  });

  test('keeps them out of a page that does not want to be found', async () => {
    expect(await bodyOf(robots, viewFor({ page: { visibleToSearch: false } }))).toBe('User-agent: *\nDisallow: /\n');
  });
});

describe('sitemap.xml', () => {
  test('names the page, its history and its notices by their public addresses, wherever it is served', async () => {
    const elsewhere = { ...place, origin: 'https://example.net', path: '/status/a1b2c3d4/' };
    const one = viewFor({ notices: [notice(7, 'unplanned', 'identified', { subject: 'Payments' })], place: elsewhere });
    const urls = named(parseXml(await bodyOf(sitemap, one)), 'url').map(url => [
      textOf(url, 'loc'),
      textOf(url, 'lastmod'),
    ]);
    expect(urls).toEqual([
      ['https://status.example.com/', ago(4)],
      ['https://status.example.com/history', ago(4)],
      ['https://status.example.com/notices/token00000000007-payments', ago(4)],
    ]);
    expect(await draw(sitemap, one)).toMatchObject({ type: 'application/xml; charset=utf-8' });
  });

  test('there is none of a page that does not want to be found', async () => {
    expect(await sitemap.draw(viewFor({ page: { visibleToSearch: false } }), { path: {}, query: {} })).toBeNull();
  });
});
