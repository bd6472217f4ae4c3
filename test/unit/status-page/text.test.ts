import { describe, expect, test } from '@jest/globals';
import MarkdownIt from 'markdown-it';
import { indexMarkdown } from '../../../src/status-page/text/index-markdown.js';
import { escapeMarkdown, quoteMarkdown } from '../../../src/status-page/text/markdown-text.js';
import { llms } from '../../../src/status-page/text/llms.js';
import { robots } from '../../../src/status-page/seo/robots.js';
import { sitemap } from '../../../src/status-page/seo/sitemap.js';
import {
  minutesAgo,
  renderBody,
  component,
  renderRoute,
  hostileTexts,
  notice,
  now,
  defaultMount,
  createView,
} from '../../support/page-views.js';
import { childrenNamed, parseXml, childText } from '../../support/xml-tree.js';

const markdown = new MarkdownIt({ html: true });
const components = [component(1, 'Shop'), component(2, 'Checkout', 1)];
const view = createView({
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
  test('has the content of the page in the same order', async () => {
    expect(await renderBody(indexMarkdown, view)).toBe(`# Acme

**Degraded: Checkout**

Last updated 20 November 2026, 14:26 UTC

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
- Published 20 November 2026, 14:20 UTC

## Past notices

- Friday, 20 November 2026: [Slow search](https://status.example.com/notices/token00000000006-slow-search) – Resolved

[View history](https://status.example.com/history)

[Feeds](https://status.example.com/feed.atom) · [Calendar](https://status.example.com/calendar.ics)
`);
  });

  test('says since when the page is out of date', async () => {
    expect(await renderBody(indexMarkdown, { ...createView(), staleSince: now })).toContain(
      'has not been updated since 20 November 2026, 14:30 UTC',
    );
  });

  test.each(hostileTexts)('keeps its own headings with the hostile text %j', async text => {
    const hostile = createView({
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
    const body = await renderBody(indexMarkdown, hostile);
    const headings = markdown.parse(body, {}).filter(({ type, level }) => type === 'heading_open' && level === 0);
    expect(headings.map(({ tag }) => tag)).toEqual(['h1', 'h2', 'h3', 'h2']);
    expect(body).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(body.isWellFormed()).toBe(true);
  });

  test('quotes each line of a text with CR line ends', async () => {
    const body = await renderBody(
      indexMarkdown,
      createView({ notices: [notice(1, 'unplanned', 'investigating', { updates: ['one\rtwo'] })] }),
    );
    expect(body).toContain('> one\n> two\n');
  });

  test.each(['- dash', '1. number', '# hash', '> more', '+ plus', '12) twelve'])(
    'escapes Markdown in the name %j',
    async name => {
      const body = await renderBody(indexMarkdown, createView({ components: [component(1, name)] }));
      const tokens = markdown.parse(body, {});
      const [start, end] = ['bullet_list_open', 'bullet_list_close'].map(each =>
        tokens.findIndex(({ type }) => type === each),
      );
      const items = tokens.slice(start! + 1, end);
      expect(items.map(({ type }) => type)).toEqual([
        'list_item_open',
        'paragraph_open',
        'inline',
        'paragraph_close',
        'list_item_close',
      ]);
      expect(markdown.renderInline(items[2]!.content)).toBe(`${name.replace('>', '&gt;')}: Operational`);
    },
  );

  test('has its content type with a charset', async () => {
    expect(await renderRoute(indexMarkdown, view)).toMatchObject({ type: 'text/markdown; charset=utf-8' });
  });
});

describe('llms.txt', () => {
  test('has the state of the page and links to its other formats', async () => {
    const body = await renderBody(llms, view);
    expect(body).toMatch(/^# Acme\n\n> Degraded: Checkout\n\n/);
    expect(body).toContain('](https://status.example.com/index.md)');
    expect(body).toContain('](https://status.example.com/api/v2/summary.json)');
    expect(await renderRoute(llms, view)).toMatchObject({ type: 'text/plain; charset=utf-8' });
  });
});

describe('robots.txt', () => {
  test('allows search engines and names the sitemap', async () => {
    expect(await renderBody(robots, view)).toBe(
      'User-agent: *\nAllow: /\n\nSitemap: https://status.example.com/sitemap.xml\n',
    );
  });

  test('disallows search engines on a page that is hidden from them', async () => {
    expect(await renderBody(robots, createView({ page: { isVisibleToSearch: false } }))).toBe(
      'User-agent: *\nDisallow: /\n',
    );
  });
});

describe('sitemap.xml', () => {
  test('lists the canonical URLs of the page, its history and its notices at any mount', async () => {
    const otherMount = { ...defaultMount, origin: 'https://example.net', path: '/status/a1b2c3d4/' };
    const one = createView({
      notices: [notice(7, 'unplanned', 'identified', { subject: 'Payments' })],
      mount: otherMount,
    });
    const urls = childrenNamed(parseXml(await renderBody(sitemap, one)), 'url').map(url => [
      childText(url, 'loc'),
      childText(url, 'lastmod'),
    ]);
    expect(urls).toEqual([
      ['https://status.example.com/', minutesAgo(4)],
      ['https://status.example.com/history', minutesAgo(4)],
      ['https://status.example.com/notices/token00000000007-payments', minutesAgo(4)],
    ]);
    expect(await renderRoute(sitemap, one)).toMatchObject({ type: 'application/xml; charset=utf-8' });
  });

  test('is not found for a page that is hidden from search engines', async () => {
    expect(
      await sitemap.render(createView({ page: { isVisibleToSearch: false } }), { path: {}, query: {} }),
    ).toBeNull();
  });
});

test('line and paragraph separators of Unicode do not end a line, and so begin no heading', () => {
  expect(escapeMarkdown('Payments\u2028# fail\u2029')).toBe('Payments \\# fail');
  expect(quoteMarkdown('We look.\u2028# Title\u2029\nNext')).toBe('> We look.# Title\n> Next');
});
