import { expect, test } from '@jest/globals';
import { SvgTooComplex, sanitizeSvg } from '../../../../src/pages/branding/svg.js';

const wrap = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${content}</svg>`;

test('keeps what draws', () => {
  const svg = wrap(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>' +
      '<style>.a{fill:url(#g)}</style><g class="a" transform="scale(2)"><path d="M0 0h1v1z"></path></g>' +
      '<use href="#p" xlink:href="#p"></use><text x="1">A &amp; B</text>',
  );
  expect(sanitizeSvg(svg)).toBe(svg);
});

test('drops the prolog, comments and the markup of editors', () => {
  const prolog = '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><!-- made by hand -->';
  expect(sanitizeSvg(prolog + wrap('<metadata><i>x</i></metadata><sodipodi:view id="1"/><path d="M0 0"/>'))).toBe(
    wrap('<path d="M0 0"></path>'),
  );
});

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['HTML', '<foreignObject><p>text</p><img src="x" onerror="alert(1)"/></foreignObject>'],
  ['an animation', '<set attributeName="href" to="javascript:alert(1)"/>'],
  ['an import in a style sheet', '<style>@import "https://evil.example/a.css";</style>'],
  ['a reference in a style sheet', '<style>.a{fill:url(https://evil.example/a.svg#a)}</style>'],
  ['an escaped reference', '<style>.a{fill:\\75rl(https://evil.example)}</style>'],
  ['markup in a style sheet', '<style>&lt;script&gt;alert(1)&lt;/script&gt;</style>'],
  ['markup in a section of a style sheet', '<style><![CDATA[</style><script>alert(1)</script>]]></style>'],
])('removes %s', (_, content) => {
  const clean = sanitizeSvg(wrap(`${content}<path d="M0 0"/>`))!;
  expect(clean).toContain('<path d="M0 0">');
  expect(clean).not.toMatch(/alert|evil|onerror|javascript|foreignObject|<set/);
});

test.each([
  ['an event handler', 'onload="alert(1)"'],
  ['a script URL', 'href="javascript:alert(1)"'],
  ['another document', 'href="https://evil.example/a.svg#a"'],
  ['another document in XLink', 'xlink:href=" https://evil.example/a.svg#a"'],
  ['a style that loads', 'style="background:url(https://evil.example)"'],
  ['a style that loads in another form', `style="background:image-set('https://evil.example' 1x)"`],
  ['a fill of another document', 'fill="url(https://evil.example#a)"'],
])('removes an attribute with %s', (_, attribute) => {
  expect(sanitizeSvg(wrap(`<use ${attribute} x="1"></use>`))).toBe(wrap('<use x="1"></use>'));
});

test('removes elements of other vocabularies, with a prefix, too', () => {
  expect(sanitizeSvg(wrap('<s:script xmlns:s="http://www.w3.org/2000/svg">a</s:script><html:p/>'))).toBe(wrap('a'));
});

test.each(['', 'GIF89a', '<html><p>text</p></html>', '<!-- svg -->'])('refuses %j', text => {
  expect(sanitizeSvg(text)).toBeNull();
});

test('reads no further than 100 nested elements, and no more than 10,000', () => {
  const nest = (count: number) => '<g>'.repeat(count) + '</g>'.repeat(count);
  expect(sanitizeSvg(wrap(nest(99)))).toBe(wrap(nest(99)));
  expect(() => sanitizeSvg(wrap(nest(100)))).toThrow('has elements in more than 100 others');
  // What comes after that, such as a document that closes nothing, is not looked at.
  expect(() => sanitizeSvg(wrap(`${'<g>'.repeat(100)}<script>`))).toThrow(SvgTooComplex);
  expect(sanitizeSvg(wrap('<g></g>'.repeat(9_999)))).toBe(wrap('<g></g>'.repeat(9_999)));
  expect(() => sanitizeSvg(wrap('<g/>'.repeat(10_000)))).toThrow('has more than 10000 elements');
});
