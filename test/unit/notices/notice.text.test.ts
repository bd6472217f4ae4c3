import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pathOf, slugOf, synopsisOf } from '../../../src/notices/notice.text.js';

describe('the synopsis', () => {
  test('is empty without an update', () => expect(synopsisOf(null)).toBe(''));

  test.each([
    'We are looking into it.',
    'a < b & c',
    'a > b',
    '1.2.3 released',
    'snake_case_name',
    'one\ntwo',
    'one\n\ntwo',
    'one\n\n\n\ntwo',
    "\"quoted\" and 'quoted', it's said",
    '#1234 is failing',
    '+1 from us',
    '2 * 3 * 4 = 24',
    'I <3 you',
    'if x <y then',
    'see https://example.com/?a=1&b=2 please',
    'AT&T, R&D, &nosuch; and 100 %',
    'C:\\folder',
    '~5 to ~10 minutes',
    'Störung behoben: 障害 復旧 🎉',
  ])('of plain text is that text and a newline: %j', text => expect(synopsisOf(text)).toBe(`${text}\n`));

  test.each([
    ['ends in one newline only', 'done.\n\n', 'done.\n'],
    ['has line ends as the web has them', 'a\r\nb\r\n\r\nc', 'a\nb\n\nc\n'],
    ['drops emphasis', '**a** *b* __c__ _d_ ~~e~~', 'a b c d e\n'],
    ['keeps the text of headings', '# Big\n## Less ##\ntext\n\nThird\n=====', 'Big\nLess\ntext\n\nThird\n'],
    [
      'keeps the text of links',
      'see [the *page*](https://x.example "t") or <https://y.example>',
      'see the page or https://y.example\n',
    ],
    ['keeps the text of references', 'see [the page][1]\n\n[1]: https://x.example', 'see the page\n'],
    ['keeps what an image says', '![a "graph"](x.png) <img src="y.png" alt="R &amp; D">', 'a "graph" R & D\n'],
    [
      'keeps what follows an image',
      'a <img> b ![](x.png) c <img alt> d <img alt=""> e <img alt="f>" src=x onerror=y> g',
      'a  b  c  d  e f> g\n',
    ],
    ['keeps the text of code', 'run `a <b> && c`', 'run a <b> && c\n'],
    [
      'keeps blocks of code',
      '```js\nif (a < b && c) {\n\n  "<b>";\n}\n```\nafter',
      'if (a < b && c) {\n\n  "<b>";\n}\nafter\n',
    ],
    ['has one item of a list a line', '- a\n- b\n  - c\n  - d\n- e\n\nend', 'a\nb\nc\nd\ne\n\nend\n'],
    ['takes loose and numbered lists for lists', '1. a\n\n2. b', 'a\nb\n'],
    ['drops the boxes of tasks', '- [ ] a\n- [x] b', 'a\nb\n'],
    ['drops the marks of quotes', '> a\n> > b\n\nc', 'a\nb\n\nc\n'],
    ['has one row of a table a line', '| a | b |\n|---|---|\n| 1 | **2** |', 'a b\n1 2\n'],
    ['drops rules', 'a\n\n---', 'a\n'],
    ['keeps hard line ends', 'a  \nb\\\nc', 'a\nb\nc\n'],
    ['drops tags', 'an <b>important</b> <a href="javascript:x">word</a>', 'an important word\n'],
    ['begins a line where HTML does', '<p>a</p><p>b<br>c</p><ul><li>d</li><li>e</li></ul>', 'a\nb\nc\nd\ne\n'],
    ['drops scripts and styles whole', 'a <script>alert("x")</script><style>b{}</style>c', 'a c\n'],
    ['drops comments', 'a <!-- b --> c', 'a  c\n'],
    ['reads entities, once', '&amp;lt; &lt;b&gt; &copy; &#65; &quot;', '&lt; <b> © A "\n'],
    ['reads escapes', '\\*no emphasis\\*', '*no emphasis*\n'],
    ['of markup alone is the newline', '<!-- nothing -->', '\n'],
  ])('%s', (_what, content, synopsis) => expect(synopsisOf(content)).toBe(synopsis));

  test('is not shortened', () => {
    const words = `${'word, '.repeat(10_000)}end.`;
    expect(synopsisOf(words)).toBe(`${words}\n`);
    const paragraphs =
      'It **was** a [link](https://x.example) that failed, once; more (or less) often than not.\n\n'.repeat(700);
    expect(synopsisOf(paragraphs)).toBe(
      `${'It was a link that failed, once; more (or less) often than not.\n\n'.repeat(700).trimEnd()}\n`,
    );
  });

  test("loses no word, and leaves no word's markup, in a text beyond the bounds", () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `*word${index}*`);
    expect(synopsisOf(words.join(' '))).toBe(`${words.map(word => word.slice(1, -1)).join(' ')}\n`);
    const unbroken = words.join('');
    expect(synopsisOf(unbroken).match(/word\d+/g)).toEqual(unbroken.match(/word\d+/g));
  });

  test('of any text ends in one newline', () => {
    const markup = fc
      .array(fc.constantFrom(...'*_~`[]()<>!#-+|\\&;:\n\t "\'a1.=/\u0000\u200b\ud800'), { maxLength: 200 })
      .map(characters => characters.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), markup), content =>
        expect(synopsisOf(content)).toMatch(/^(?:[\s\S]*\S)?\n$/),
      ),
      { numRuns: 500 },
    );
  });

  test('of letters, digits and blanks is just those', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9äöü]{1,8}$/), { minLength: 1 }).map(list => list.join(' '));
    fc.assert(fc.property(words, content => expect(synopsisOf(content)).toBe(`${content}\n`)));
  });

  describe('comes to an end', () => {
    const length = 65_535;
    const filled = (unit: string, until = length) => unit.repeat(until / unit.length + 1).slice(0, until);
    const units = [
      ...['[', '*', '_', '<', '>', '`', '\\', '!', '!['],
      ...[
        '> ',
        '- ',
        '+ ',
        '1. ',
        '\n- ',
        '\n> - ',
        '| ',
        '|-|\n',
        'www.',
        '_1.',
        '**1.',
        '[~',
        '&_',
        '*a ',
        '_𝒳',
        '<b>',
        '<a ',
        '<!--',
        '<noscript>',
        '<iframe>',
      ],
    ];
    const steps = (step: (depth: number) => string) =>
      Array.from({ length: 400 }, (_, depth) => step(depth))
        .join('')
        .slice(0, length);
    const hostile: [string, string][] = [
      ...units.map((unit): [string, string] => [JSON.stringify(unit), filled(unit)]),
      ['opening brackets, then the closing ones', filled('[', 20_000) + filled('](b)', 40_000)],
      ['emphasis inside itself', filled('*_', 30_000) + filled('_*', 30_000)],
      ['the end of an address', filled('www.', 32_000) + filled(')', 32_000)],
      ['elements never closed', filled('<b>', 32_000) + filled('</p>', 32_000)],
      ['lists inside lists', steps(depth => `${'  '.repeat(depth)}- a\n`)],
      ['quotes inside quotes', steps(depth => `${'>'.repeat(depth)} a\n`)],
      [
        'a wide table with many short rows',
        `${filled('|a', 16_000)}\n${filled('|-', 16_000)}\n${filled('x\n', 32_000)}`,
      ],
      [
        'the same with the line ends of old',
        `${filled('|a', 8_000)}\r${filled('|-', 8_000)}\r${filled('x\r', 48_000)}`,
      ],
      ['many tables that are too wide', filled('|-|-|-|-\n', 32_000) + filled('x\n', 32_000)],
    ];

    test.each(hostile)('of %s', (_what, content) => {
      expect(synopsisOf(content)).toMatch(/\n$/);
    });
  });
});

describe('the slug', () => {
  test.each([
    ['Checkout is failing', 'checkout-is-failing'],
    ['  --Checkout--  ', 'checkout'],
    ['Störung: Zürich & Genève (2/3)', 'storung-zurich-geneve-2-3'],
    ['Straße ÆØŁĐÞŒ', 'strasse-aeoldthoe'],
    ['STRAẞE', 'strasse'],
    ['İstanbul Diyarbakır', 'istanbul-diyarbakir'],
    ['ﬁle ℌ ½', 'file-h-1-2'],
    ['e\u0301te\u0301', 'ete'],
    ['a_b.c', 'a-b-c'],
    ['障害', ''],
    ['障害 API', 'api'],
    ['!!!', ''],
    ['', ''],
  ])('of %j is %j', (subject, slug) => expect(slugOf(subject)).toBe(slug));

  test('has at most 100 characters, and no hyphen where it is cut', () => {
    expect(slugOf('a'.repeat(300))).toBe('a'.repeat(100));
    expect(slugOf(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99));
    expect(slugOf(`!${'a'.repeat(100)}`)).toBe('a'.repeat(100));
  });

  test('of any subject is words of a-z and 0-9 between single hyphens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), subject => {
        expect(slugOf(subject)).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(slugOf(slugOf(subject))).toBe(slugOf(subject));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the path of a notice', () => {
  test('is its token and its slug', () =>
    expect(pathOf('k3j9x0q2m5n8b7v1', 'Checkout fails')).toBe('k3j9x0q2m5n8b7v1-checkout-fails'));
  test('is its token alone where no slug is left', () =>
    expect(pathOf('k3j9x0q2m5n8b7v1', '障害')).toBe('k3j9x0q2m5n8b7v1'));
});
