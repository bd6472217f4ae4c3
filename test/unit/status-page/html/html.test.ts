import { expect, test } from '@jest/globals';
import { html, Markup, renderToString } from '../../../../src/status-page/html/html.js';

test('html escapes values in text and in attributes', () => {
  const hostile = `<b a="1" b='2'>&amp;`;
  expect(renderToString(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;">&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;</p>',
  );
});

test('html does not escape markup again, also in nested lists', () => {
  expect(renderToString(html`<ul>${['a', '<'].map(one => html`<li>${one}</li>`)}</ul>`)).toBe(
    '<ul><li>a</li><li>&lt;</li></ul>',
  );
  expect(renderToString(html`${new Markup('<hr>')}${[[html`<br>`, '>']]}`)).toBe('<hr><br>&gt;');
});

test('html rejects an object that imitates markup', () => {
  const imitation = { html: '<script>', toString: () => '<script>' } as never;
  expect(() => renderToString(html`${imitation}`)).toThrow();
});

test('html renders null, undefined and false as nothing, and 0 as a number', () => {
  expect(renderToString(html`<p${false && ' x'}>${null}${undefined}${false}${0}</p>`)).toBe('<p>0</p>');
});

test('html removes control characters and keeps white space', () => {
  expect(renderToString(html`${'a\u0000\u0008\u001b\u007fb\tc\nd'}`)).toBe('ab\tc\nd');
});

test('html joins the lines of the template and keeps those of values', () => {
  expect(
    renderToString(html`
      <p>
        ${'one\n  two'}
      </p>`),
  ).toBe('<p>one\n  two</p>');
});

test('html keeps words on two lines apart, also at inline elements and before a value', () => {
  const count = 3;
  expect(
    renderToString(html`
      <p>
        Ask for
        ${count} links, or
        <a href="/">begin
        again</a>
        now.
      </p>
      <p>Next</p>`),
  ).toBe('<p>Ask for 3 links, or <a href="/">begin again</a> now.</p><p>Next</p>');
});

test('html removes the indentation of its lines, and keeps an attribute on a new line apart', () => {
  const tag = html`<ul>
    <li id="${1}"
      class="${2}" data-of="3">${'a'}</li>
  </ul>`;
  expect(renderToString(tag)).toBe('<ul><li id="1" class="2" data-of="3">a</li></ul>');
});
