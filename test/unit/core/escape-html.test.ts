import { expect, test } from '@jest/globals';
import { escapeHtml, escapeMarkup } from '../../../src/core/escape-html.js';

test('escapeMarkup replaces the five special characters, and no others', () => {
  expect(escapeMarkup(`<a b="1" c='2'>&amp; é`)).toBe('&lt;a b=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp; é');
});

test('escapeHtml also removes control characters, and keeps white space', () => {
  expect(escapeHtml('<a\u0000\u0008\u000b\u001b\u007f\u0085b\tc\nd')).toBe('&lt;ab\tc\nd');
});

test('escapeHtml normalizes line breaks', () => {
  expect(escapeHtml('a\r\nb\rc')).toBe('a\nb\nc');
});

test('escapeHtml replaces halves of surrogate pairs, which cannot be encoded', () => {
  expect(escapeHtml('a\ud800b 😀')).toBe('a\ufffdb 😀');
});
