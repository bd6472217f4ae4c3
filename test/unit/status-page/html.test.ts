import { expect, test } from '@jest/globals';
import { html, Markup, textOf } from '../../../src/status-page/html/html.js';

test('every value is escaped, in text and in attributes', () => {
  const hostile = `<b a="1" b='2'>&amp;`;
  expect(textOf(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;">&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;</p>',
  );
});

test('what is HTML already stays, however deep it lies', () => {
  expect(textOf(html`<ul>${['a', '<'].map(one => html`<li>${one}</li>`)}</ul>`)).toBe(
    '<ul><li>a</li><li>&lt;</li></ul>',
  );
  expect(textOf(html`${new Markup('<hr>')}${[[html`<br>`, '>']]}`)).toBe('<hr><br>&gt;');
});

test('what only looks like markup is text', () => {
  const imitation = { html: '<script>', toString: () => '<script>' } as never;
  expect(() => textOf(html`${imitation}`)).toThrow();
});

test('nothing is written of what is absent or false, and zero is a number', () => {
  expect(textOf(html`<p${false && ' x'}>${null}${undefined}${false}${0}</p>`)).toBe('<p>0</p>');
});

test('control characters are left out, and blanks are not', () => {
  expect(textOf(html`${'a\u0000\u0008\u001b\u007fb\tc\nd'}`)).toBe('ab\tc\nd');
});

test('lines of the template are joined, lines of a value are not', () => {
  expect(
    textOf(html`
      <p>
        ${'one\n  two'}
      </p>`),
  ).toBe('<p>one\n  two</p>');
});
