import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createNoticePath, createSubject, toSlug, createSynopsis } from '../../../src/notices/notice-text.rules.js';

describe('createSynopsis', () => {
  test('returns an empty text without an update', () => expect(createSynopsis(null)).toBe(''));

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
  ])('returns plain text unchanged, with a newline: %j', text => expect(createSynopsis(text)).toBe(`${text}\n`));

  test.each([
    ['ends with one newline only', 'done.\n\n', 'done.\n'],
    ['normalizes line ends', 'a\r\nb\r\n\r\nc', 'a\nb\n\nc\n'],
    ['drops emphasis', '**a** *b* __c__ _d_ ~~e~~', 'a b c d e\n'],
    ['keeps the text of headings', '# Big\n## Less ##\ntext\n\nThird\n=====', 'Big\nLess\ntext\n\nThird\n'],
    [
      'keeps the text of links',
      'see [the *page*](https://x.example "t") or <https://y.example>',
      'see the page or https://y.example\n',
    ],
    ['keeps the text of reference links', 'see [the page][1]\n\n[1]: https://x.example', 'see the page\n'],
    [
      'keeps the alternative text of images',
      '![a "graph"](x.png) <img src="y.png" alt="R &amp; D">',
      'a "graph" R & D\n',
    ],
    [
      'keeps the text after an image',
      'a <img> b ![](x.png) c <img alt> d <img alt=""> e <img alt="f>" src=x onerror=y> g',
      'a  b  c  d  e f> g\n',
    ],
    ['keeps the text of inline code', 'run `a <b> && c`', 'run a <b> && c\n'],
    [
      'keeps code blocks',
      '```js\nif (a < b && c) {\n\n  "<b>";\n}\n```\nafter',
      'if (a < b && c) {\n\n  "<b>";\n}\nafter\n',
    ],
    ['puts each list item on a line', '- a\n- b\n  - c\n  - d\n- e\n\nend', 'a\nb\nc\nd\ne\n\nend\n'],
    ['accepts loose and numbered lists', '1. a\n\n2. b', 'a\nb\n'],
    ['drops task list checkboxes', '- [ ] a\n- [x] b', 'a\nb\n'],
    ['drops quote markers', '> a\n> > b\n\nc', 'a\nb\n\nc\n'],
    ['puts each table row on a line', '| a | b |\n|---|---|\n| 1 | **2** |', 'a b\n1 2\n'],
    ['drops horizontal rules', 'a\n\n---', 'a\n'],
    ['keeps hard line breaks', 'a  \nb\\\nc', 'a\nb\nc\n'],
    ['drops tags', 'an <b>important</b> <a href="javascript:x">word</a>', 'an important word\n'],
    ['starts a line at HTML block elements', '<p>a</p><p>b<br>c</p><ul><li>d</li><li>e</li></ul>', 'a\nb\nc\nd\ne\n'],
    ['drops scripts and styles with their content', 'a <script>alert("x")</script><style>b{}</style>c', 'a c\n'],
    ['drops comments', 'a <!-- b --> c', 'a  c\n'],
    ['decodes entities once', '&amp;lt; &lt;b&gt; &copy; &#65; &quot;', '&lt; <b> © A "\n'],
    ['resolves backslash escapes', '\\*no emphasis\\*', '*no emphasis*\n'],
    ['returns a newline for markup without text', '<!-- nothing -->', '\n'],
  ])('%s', (_what, content, synopsis) => expect(createSynopsis(content)).toBe(synopsis));

  test('does not truncate', () => {
    const words = `${'word, '.repeat(10_000)}end.`;
    expect(createSynopsis(words)).toBe(`${words}\n`);
    const paragraphs =
      'It **was** a [link](https://x.example) that failed, once; more (or less) often than not.\n\n'.repeat(700);
    expect(createSynopsis(paragraphs)).toBe(
      `${'It was a link that failed, once; more (or less) often than not.\n\n'.repeat(700).trimEnd()}\n`,
    );
  });

  test('keeps every word and drops its markup in a text beyond the parser limits', () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `*word${index}*`);
    expect(createSynopsis(words.join(' '))).toBe(`${words.map(word => word.slice(1, -1)).join(' ')}\n`);
    const unbroken = words.join('');
    expect(createSynopsis(unbroken).match(/word\d+/g)).toEqual(unbroken.match(/word\d+/g));
  });

  test('ends with one newline for any text', () => {
    const markup = fc
      .array(fc.constantFrom(...'*_~`[]()<>!#-+|\\&;:\n\t "\'a1.=/\u0000\u200b\ud800'), { maxLength: 200 })
      .map(characters => characters.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), markup), content =>
        expect(createSynopsis(content)).toMatch(/^(?:[\s\S]*\S)?\n$/),
      ),
      { numRuns: 500 },
    );
  });

  test('returns letters, digits and spaces unchanged', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9äöü]{1,8}$/), { minLength: 1 }).map(list => list.join(' '));
    fc.assert(fc.property(words, content => expect(createSynopsis(content)).toBe(`${content}\n`)));
  });

  describe('terminates', () => {
    const length = 65_535;
    const fill = (unit: string, until = length) => unit.repeat(until / unit.length + 1).slice(0, until);
    const units = [
      '[',
      '*',
      '_',
      '<',
      '>',
      '`',
      '\\',
      '!',
      '![',
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
    ];
    const repeatSteps = (step: (depth: number) => string) =>
      Array.from({ length: 400 }, (_, depth) => step(depth))
        .join('')
        .slice(0, length);
    const hostile: [string, string][] = [
      ...units.map((unit): [string, string] => [JSON.stringify(unit), fill(unit)]),
      ['opening brackets, then closing ones', fill('[', 20_000) + fill('](b)', 40_000)],
      ['nested emphasis', fill('*_', 30_000) + fill('_*', 30_000)],
      ['a URL followed by brackets', fill('www.', 32_000) + fill(')', 32_000)],
      ['unclosed elements', fill('<b>', 32_000) + fill('</p>', 32_000)],
      ['nested lists', repeatSteps(depth => `${'  '.repeat(depth)}- a\n`)],
      ['nested quotes', repeatSteps(depth => `${'>'.repeat(depth)} a\n`)],
      ['a wide table with many short rows', `${fill('|a', 16_000)}\n${fill('|-', 16_000)}\n${fill('x\n', 32_000)}`],
      [
        'a wide table with carriage returns as line ends',
        `${fill('|a', 8_000)}\r${fill('|-', 8_000)}\r${fill('x\r', 48_000)}`,
      ],
      ['many wide tables', fill('|-|-|-|-\n', 32_000) + fill('x\n', 32_000)],
    ];

    test.each(hostile)('for %s', (_what, content) => {
      expect(createSynopsis(content)).toMatch(/\n$/);
    });
  });
});

describe('createSubject', () => {
  const words = (count: number) => 'word '.repeat(count).trim();

  test.each([
    ['is the first line', 'Payments fail.\nWe look.\n\nMore later.', 'Payments fail.'],
    [
      'has no markup',
      '\n## **Payments** fail for [some](https://x.example) <b>cards</b>\ntext',
      'Payments fail for some cards',
    ],
    ['is the first item of a list', '- one\n- two', 'one'],
    ['keeps 100 characters', `${words(19)} lastx`, `${words(19)} lastx`],
    ['is cut at the end of a word', `${words(20)} longer`, words(20)],
    ['is cut before a word that is too long', `${words(19)} longest`, words(19)],
    ['has no punctuation where it was cut', `${words(19)}, longest`, words(19)],
    ['is cut between characters in a text without blanks', '障害'.repeat(60), '障害'.repeat(50)],
    ['keeps characters of two code units whole', '🎉'.repeat(120), '🎉'.repeat(100)],
    ['is empty for a comment of markup alone', '<!-- nothing -->', ''],
    ['is empty for an empty comment', '', ''],
  ])('%s', (_what, comment, subject) => expect(createSubject(comment)).toBe(subject));

  test('has at most 100 characters and no line break, for any comment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), comment => {
        const subject = createSubject(comment);
        expect([...subject].length).toBeLessThanOrEqual(100);
        expect(subject).not.toContain('\n');
        expect(subject === '').toBe(createSynopsis(comment).trim() === '');
      }),
    );
  });
});

describe('toSlug', () => {
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
  ])('converts %j to %j', (subject, slug) => expect(toSlug(subject)).toBe(slug));

  test('returns up to 100 characters, without a hyphen at the end', () => {
    expect(toSlug('a'.repeat(300))).toBe('a'.repeat(100));
    expect(toSlug(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99));
    expect(toSlug(`!${'a'.repeat(100)}`)).toBe('a'.repeat(100));
  });

  test('returns words of a-z and 0-9 separated by single hyphens for any subject', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), subject => {
        expect(toSlug(subject)).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(toSlug(toSlug(subject))).toBe(toSlug(subject));
      }),
      { numRuns: 500 },
    );
  });
});

describe('createNoticePath', () => {
  test('joins the token and the slug', () =>
    expect(createNoticePath('k3j9x0q2m5n8b7v1', 'Checkout fails')).toBe('k3j9x0q2m5n8b7v1-checkout-fails'));
  test('returns the token alone if the slug is empty', () =>
    expect(createNoticePath('k3j9x0q2m5n8b7v1', '障害')).toBe('k3j9x0q2m5n8b7v1'));
});
