import { describe, expect, test } from '@jest/globals';
import { toPlainText } from '../../../../src/content/markdown/plain-text.js';
import { RenderCache } from '../../../../src/content/markdown/render-cache.js';
import { renderMarkdown, warmMarkdown } from '../../../../src/content/markdown/render.js';
import { toTextRuns } from '../../../../src/notifications/messages/text-runs.js';

describe('renderMarkdown', () => {
  test.each([
    ['We **look** into _it_.', '<p>We <strong>look</strong> into <em>it</em>.</p>'],
    ['a\n\nb', '<p>a</p>\n<p>b</p>'],
    ['1. one\n2. two', '<ol>\n<li>one</li>\n<li>two</li>\n</ol>'],
    ['4. four', '<ol start="4">\n<li>four</li>\n</ol>'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
    ['a < b & c', '<p>a &lt; b &amp; c</p>'],
    ['', ''],
  ])('renders %j as %j', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test.each([1, 2, 3, 4, 5, 6])('renders a heading of level %d below the headings of the page', level => {
    expect(renderMarkdown(`${'#'.repeat(level)} Title`)).toMatch(/^<h[456]>Title<\/h[456]>$/);
  });

  test.each([
    [
      'See https://example.com/a_b, please.',
      'See <a href="https://example.com/a_b">https://example.com/a_b</a>, please.',
    ],
    ['www.example.com', '<a href="http://www.example.com">www.example.com</a>'],
    ['(support@example.com)', '(<a href="mailto:support@example.com">support@example.com</a>)'],
    ['https://example.com/ä', '<a href="https://example.com/%C3%A4">https://example.com/ä</a>'],
    ['example.com and //example.com', 'example.com and //example.com'],
  ])('links addresses in %j', (text, html) => {
    expect(renderMarkdown(text).replaceAll(' rel="nofollow noopener noreferrer ugc"', '')).toBe(`<p>${html}</p>`);
  });

  test.each([
    ['~~a~~ and ~b~', '<p><del>a</del> and <del>b</del></p>'],
    ['~5 to ~10', '<p>~5 to ~10</p>'],
    ['- [ ] a\n- [x] b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ])('renders %j as GitHub does', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test('keeps the text of blocks that are nested too deeply', () => {
    const html = renderMarkdown(`${'> '.repeat(100)}deep **text**\n\nnext`);
    expect(html).toContain(' deep <strong>text</strong></p>');
    expect(html).toMatch(/<\/blockquote>\s<p>next<\/p>$/);
  });

  test('shows what follows the 5,000th line as text', () => {
    const html = renderMarkdown(`${'- *a*\n'.repeat(5_000)}- *b* <i>\n\n# c`);
    expect(html.match(/<li><em>a<\/em><\/li>/g)).toHaveLength(5_000);
    expect(html).toMatch(/<\/ul>\n<p>- \*b\* &lt;i&gt;\n\n# c<\/p>$/);
    expect(renderMarkdown(`${'\n'.repeat(4_999)}*last*\n\n\n`)).toBe('<p><em>last</em></p>');
  });

  test.each([400, 1_100, 7_000, 60_000])(
    'makes about nine times as much of quotes and lists at most, of %i characters',
    length => {
      for (const line of [`${'>'.repeat(16)}a\n\n`, '>\n\n', '- a\n', '- - - - - - a\n', '1. 1. 1. a\n']) {
        const text = line.repeat(length / line.length);
        expect(renderMarkdown(text).length).toBeLessThan(9 * text.length + 3_000);
      }
    },
  );

  test('shows a list of short items as a list', () => {
    const html = renderMarkdown('- API\n'.repeat(100));
    expect(html.match(/<li>/g)).toHaveLength(100);
  });

  test('shows what follows 6,000 quotes and items as text', () => {
    const html = renderMarkdown(`${`${'>'.repeat(14)}- *a*\n\n`.repeat(2_000)}# c`);
    expect(html.match(/<(?:blockquote|ul|li)>/g)!.length).toBeLessThan(6_100);
    expect(html).toMatch(/# c<\//);
  });

  test('counts the cells that the rows of a table leave out', () => {
    const tableOf = (columns: number, rows: number) =>
      `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'a\n'.repeat(rows)}\n`;
    expect(renderMarkdown(tableOf(70, 90)).match(/<td>/g)).toHaveLength(70 * 90);
    const html = renderMarkdown(`${tableOf(70, 90)}\n${tableOf(70, 90)}\n${tableOf(2, 1)}`);
    expect(html.match(/<td>/g)).toHaveLength(70 * 90 + 2);
    expect(renderMarkdown(tableOf(700, 90))).not.toContain('<td>');
    const heading = `Title\n---\n${'A line\n'.repeat(1_000)}\n`;
    expect(renderMarkdown(`${heading}${tableOf(70, 90)}`)).toContain('<td>');
    expect(renderMarkdown(`> ${tableOf(700, 90).replaceAll('\n', '\n> ')}`)).not.toContain('<td>');
  });

  test('shows the rows after the 7,000th cell of a table as text', () => {
    const html = renderMarkdown(`| a |\n|---|\n${'| *b* |\n'.repeat(3_498)}| *c* |\n\n# d`);
    expect(html.match(/<td><em>b<\/em><\/td>/g)).toHaveLength(3_497);
    expect(html).toMatch(/<p>\| \*b\* \|\n\| \*c\* \|\n\n# d<\/p>$/);
  });

  test.each(['*a* ', '<b>a</b> ', '~a~ ', '_a_ '])('shows paragraphs beyond 12,000 of %j as text', mark => {
    const html = renderMarkdown(`${mark.repeat(6_000)}\n\n${mark}`);
    expect(html.match(/<(em|b|del)>a/g)).toHaveLength(6_000);
    expect(html.endsWith(`<p>${mark.trim().replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)).toBe(true);
  });

  test('shows paragraphs beyond 12,000 brackets as text', () => {
    const html = renderMarkdown(
      `*a* ${'['.repeat(5_998)}\n\n*b* ${'['.repeat(5_998)}\n\n*c* [x](https://a.example)\n\n> # *d*`,
    );
    expect(html).toMatch(/^<p><em>a<\/em> \[{5998}<\/p>\n<p><em>b<\/em> \[{5998}<\/p>/);
    expect(html).toContain('<p>*c* [x](');
    expect(html).toContain('>*d*</h4>');
  });

  test.each([
    ['target', `[a]: https://a.example/${'x'.repeat(20_000)}\n\n${'[a] '.repeat(11_000)}`],
    ['title', `[a]: https://a.example "${'x'.repeat(20_000)}"\n\n${'[a] '.repeat(11_000)}`],
  ])('limits the output for a long %s that is referenced often', (_, text) => {
    const html = renderMarkdown(text);
    expect(html.length).toBeLessThan(2_000_000);
    expect(html.match(/>a</g)).toHaveLength(11_000);
  });

  test.each(['https://example.com/a?b=1&c=2', 'http://example.com', 'mailto:a@example.com'])(
    'renders a link to %s with rel attributes against spam',
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
  ])('renders a link to %s as its text', address => {
    expect(renderMarkdown(`[x](${address})`)).toBe('<p><span>x</span></p>');
    expect(renderMarkdown(`<a href="${address}">x</a>`)).toBe('<p><span>x</span></p>');
  });

  test('renders an image as its description', () => {
    expect(renderMarkdown('![A <chart>](https://elsewhere.example/x.png)')).toBe('<p><span>A &lt;chart&gt;</span></p>');
    expect(renderMarkdown('<img src=x onerror=alert(1)>')).not.toMatch(/img|onerror/);
  });

  describe('an image of a page', () => {
    const url = 'https://status.example/images/0123456789abcdef-40x30.png';
    const render = (mount: string) =>
      `<p><img src="${mount}images/0123456789abcdef-40x30.png" alt="A &lt;map&gt;" width="40" height="30" loading="lazy" /></p>`;

    test.each(['/', '/status/01234567/', 'https://status.example/'])('is loaded from %s, where the page is', mount => {
      expect(renderMarkdown(`![A <map>](${url})`, mount)).toBe(render(mount));
      expect(renderMarkdown(`![A <map>](${url.replace('status', 'tracker')})`, mount)).toBe(render(mount));
    });

    test('loses the attributes of HTML that somebody wrote', () => {
      const html = renderMarkdown(`<img src="${url}" width="9999" onload="x" srcset="//a/b 2x" alt='"'>`, '/');
      expect(html).toBe(
        '<img src="/images/0123456789abcdef-40x30.png" alt="&quot;" width="40" height="30" loading="lazy" />',
      );
    });

    test('is a link where images cannot be loaded, and its description with its URL in plain text', () => {
      expect(renderMarkdown(`![map](${url}) ![](${url})`, null)).toBe(
        `<p>${['map', url].map(text => `<a href="${url}" rel="nofollow noopener noreferrer ugc">${text}</a>`).join(' ')}</p>`,
      );
      expect(toPlainText(`![map](${url}) ![](${url}) ![chart](https://elsewhere.example/x.png)`)).toBe(
        `map (${url}) ${url} chart`,
      );
      expect(toTextRuns(`see ![map](${url})`).map(({ text, link }) => [text, link])).toEqual([
        ['see ', undefined],
        ['map', url],
      ]);
    });

    test.each([
      url.replace('.png', '.svg'),
      url.replace('https:', ''),
      url.replace('images/', 'brand/'),
      `${url}?visitor=1`,
      `https://elsewhere.example/?${url}`,
      url.replace('status.example', 'a@status.example'),
    ])('is only what has such a URL, not %s', source => {
      expect(renderMarkdown(`![map](${source})`, '/')).toBe('<p><span>map</span></p>');
    });
  });

  test('removes elements that are not allowed, and the content of scripts', () => {
    const html = renderMarkdown(
      '<script>alert(1)</script><style>*{}</style><iframe src=x></iframe><b class=x style=color:red onclick=alert(1)>bold</b><input checked>',
    );
    expect(html).toBe('<b>bold</b>');
  });

  test('removes empty headings and links', () => {
    expect(renderMarkdown('# \n\n[](https://example.com)')).not.toMatch(/<h|<a/);
  });

  test('renders an image within a link as a link with its description', () => {
    expect(renderMarkdown('[![chart](x.png)](https://example.com)')).toContain(
      '<a href="https://example.com" rel="nofollow noopener noreferrer ugc"><span>chart</span></a>',
    );
  });

  test.each([
    ['quotes in quotes', '>'.repeat(65_000)],
    ['brackets', '['.repeat(65_000)],
    ['emphasis', '*a_'.repeat(21_000)],
    ['tags', '<b>'.repeat(21_000)],
    ['table columns', `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${'|b\n'.repeat(20_000)}`],
  ])('limits the output for endless %s', (_, text) => {
    const html = renderMarkdown(text);
    expect(html.length).toBeLessThan(2_000_000);
    expect(Math.max(0, ...[...html.matchAll(/(?:<b>)+/g)].map(([run]) => run.length))).toBeLessThan(200);
  });

  test.each(['<b>', '<blockquote>', '<ul><li>', '<unknown><i>'])(
    'limits the nesting of HTML elements to 32: %s',
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
    '- ',
    '> ',
    'www.',
    'http://a.b/(',
    '|-|\n',
    '[a](',
    '<a b=c ',
  ])('renders 65,535 characters of %j in bounded time', piece => {
    const text = piece.repeat(Math.floor(65_535 / piece.length));
    const start = process.cpuUsage();
    renderMarkdown(text);
    const { user } = process.cpuUsage(start);
    // An idle machine needs a tenth of it.
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
  ])('preserves entities: %j', (text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  test('warmMarkdown renders texts that are not cached, and yields to the event loop after each', async () => {
    const texts = Array.from({ length: 5 }, (_, index) => `Text **${index}** to render.`);
    const countTurns = async (work: Promise<unknown>) => {
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
    expect(await countTurns(warmMarkdown(texts))).toBeGreaterThanOrEqual(4);
    expect(await countTurns(warmMarkdown(texts))).toBe(0);
    expect(renderMarkdown(texts[4]!)).toBe('<p>Text <strong>4</strong> to render.</p>');
  });

  test('a cache renders held texts once, also those that are larger than it together, until they are released', async () => {
    const rendered: string[] = [];
    const cache = new RenderCache(text => {
      rendered.push(text);
      return text.repeat(2);
    }, 3_000);
    const texts = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(100));
    const release = await cache.warm(texts);
    for (const text of texts) expect(cache.get(text)).toBe(text.repeat(2));
    expect(rendered).toEqual(texts);
    release();
    for (const text of texts) cache.get(text);
    expect(rendered.length).toBeGreaterThan(texts.length);
  });

  test('a cache holds no text after one of them could not be rendered', async () => {
    let rendered = 0;
    const cache = new RenderCache(text => {
      if (text === 'unreadable') throw new Error('It cannot be rendered.');
      rendered++;
      return text;
    }, 300);
    const large = 'x'.repeat(1_000);
    await expect(cache.warm([large, 'unreadable'])).rejects.toThrow('It cannot be rendered.');
    cache.get(large);
    expect(rendered).toBe(2);
  });
});
