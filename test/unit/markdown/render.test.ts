import { describe, expect, test } from '@jest/globals';
import { renderMarkdown, warmMarkdown } from '../../../src/markdown/render.js';

describe('the Markdown of an update', () => {
  test.each([
    ['We **look** into _it_.', '<p>We <strong>look</strong> into <em>it</em>.</p>'],
    ['a\n\nb', '<p>a</p>\n<p>b</p>'],
    ['1. one\n2. two', '<ol>\n<li>one</li>\n<li>two</li>\n</ol>'],
    ['4. four', '<ol start="4">\n<li>four</li>\n</ol>'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
    ['a < b & c', '<p>a &lt; b &amp; c</p>'],
    ['', ''],
  ])('%j is %j', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test.each([1, 2, 3, 4, 5, 6])('a heading of level %d stands below the headings of the page', level => {
    expect(renderMarkdown(`${'#'.repeat(level)} Title`)).toMatch(/^<h[456]>Title<\/h[456]>$/);
  });

  test.each(['https://example.com/a?b=1&c=2', 'http://example.com', 'mailto:a@example.com'])(
    'a link to %s is followed with reserve',
    address => {
      const html = renderMarkdown(`[x](${address})`);
      expect(html).toBe(
        `<p><a href="${address.replace('&', '&amp;')}" rel="nofollow noopener noreferrer ugc">x</a></p>`,
      );
    },
  );

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,x',
    '//elsewhere.example',
    '/v1/pages',
    'vbscript:x',
    'ftp://a',
  ])('a link to %s is its text', address => {
    expect(renderMarkdown(`[x](${address})`)).toBe('<p><span>x</span></p>');
    expect(renderMarkdown(`<a href="${address}">x</a>`)).toBe('<p><span>x</span></p>');
  });

  test('a picture is its description: nothing is fetched from elsewhere', () => {
    expect(renderMarkdown('![A <chart>](https://elsewhere.example/x.png)')).toBe('<p><span>A &lt;chart&gt;</span></p>');
    expect(renderMarkdown('<img src=x onerror=alert(1)>')).not.toMatch(/img|onerror/);
  });

  test('what the list does not know is left out, and what stood in a script with it', () => {
    const html = renderMarkdown(
      '<script>alert(1)</script><style>*{}</style><iframe src=x></iframe><b class=x style=color:red onclick=alert(1)>bold</b><input checked>',
    );
    expect(html).toBe('<b>bold</b>');
  });

  test('a heading or link that says nothing is none', () => {
    expect(renderMarkdown('# \n\n[](https://example.com)')).not.toMatch(/<h|<a/);
  });

  test('a picture within a link is a link with its description', () => {
    expect(renderMarkdown('[![chart](x.png)](https://example.com)')).toContain(
      '<a href="https://example.com" rel="nofollow noopener noreferrer ugc"><span>chart</span></a>',
    );
  });

  test.each([
    ['quotes in quotes', '>'.repeat(65_000)],
    ['brackets', '['.repeat(65_000)],
    ['emphasis', '*a_'.repeat(21_000)],
    ['tags', '<b>'.repeat(21_000)],
    ['a table of columns', `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${'|b\n'.repeat(20_000)}`],
  ])('%s without end are bounded', (_, text) => {
    const html = renderMarkdown(text);
    expect(html.length).toBeLessThan(2_000_000);
    expect(Math.max(0, ...[...html.matchAll(/(?:<b>)+/g)].map(([run]) => run.length))).toBeLessThan(200);
  });

  test.each(['<b>', '<blockquote>', '<ul><li>', '<unknown><i>'])(
    'elements of the writer’s own stand inside each other 32 deep at most: %s',
    piece => {
      const html = renderMarkdown(piece.repeat(100));
      let depth = 0;
      const depths = [...html.matchAll(/<(\/?)[a-z]/g)].map(([, end]) => (depth += end ? -1 : 1));
      expect([depth, Math.max(...depths) <= 32]).toEqual([0, true]);
    },
  );

  test.each([
    '&',
    '<',
    '"',
    "'",
    '&<>"',
    '&lt;',
    '&#65;',
    '*a_ ',
    '[',
    '<b><i>',
    'a\n\n',
    '- a\n',
    '> a\n\n',
    '# a\n',
    '_a_ ',
    '~~a~~ ',
    'a@b.co ',
    '`a` ',
  ])('65,535 characters of %j hold nobody up for long', piece => {
    const text = piece.repeat(Math.floor(65_535 / piece.length));
    const start = process.cpuUsage();
    renderMarkdown(text);
    const { user } = process.cpuUsage(start);
    // A tenth of it where nothing else runs.
    expect(user / 1000).toBeLessThan(2_000);
  });

  test.each([
    ['"<b>&</b>"', '<p>"<b>&amp;</b>"</p>'],
    ["&#39;&quot;&amp;quot;'", `<p>'"&amp;quot;'</p>`],
    [
      '<a href="https://a.example/?&quot;&#39;&lt;">x</a>',
      `<p><a href="https://a.example/?&quot;'&lt;" rel="nofollow noopener noreferrer ugc">x</a></p>`,
    ],
    ['a\ufdd4b\ufdd1c', '<p>abc</p>'],
    [
      '<a href="https://a.example/&#xFDD4; onclick=x">x</a>',
      '<p><a href="https://a.example/&quot; onclick=x" rel="nofollow noopener noreferrer ugc">x</a></p>',
    ],
  ])('references stay what they were: %j', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test('many texts are made ready one by one, and others run in between; what is ready is not made again', async () => {
    const texts = Array.from({ length: 5 }, (_, index) => `Text **${index}** of those that are made ready.`);
    const turnsOf = async (work: Promise<void>) => {
      let turns = 0;
      let isDone = false;
      const turn = () => {
        turns++;
        if (!isDone) setImmediate(turn);
      };
      setImmediate(turn);
      await work;
      isDone = true;
      return turns;
    };
    expect(await turnsOf(warmMarkdown(texts))).toBeGreaterThanOrEqual(4);
    expect(await turnsOf(warmMarkdown(texts))).toBe(0);
    expect(renderMarkdown(texts[4]!)).toBe('<p>Text <strong>4</strong> of those that are made ready.</p>');
  });
});
