import { expect, test } from '@jest/globals';
import { htmlToMarkdown } from '../../../../src/transfer/importers/html-to-markdown.js';
import { toInternationalNumber } from '../../../../src/i18n/phone-countries.js';

test.each<[string, unknown]>([
  ['<p>One</p><ul><li>two</li></ul>', 'One\n\n*   two'],
  ['a <a href="https://example.com/">link</a> &amp; more', 'a [link](https://example.com/) & more'],
  ['<script>alert(1)</script><b>bold</b>', '**bold**'],
  ['<a href="javascript:alert(1)">no link</a><br>', 'no link'],
  ['<pre><code class="language-js">a &lt; b</code></pre>', '```js\na < b\n```'],
  [`${'<ul><li>'.repeat(1_500)}deep`, expect.stringContaining('deep')],
  ['**Markdown** & 1 < 2, a_b', '**Markdown** & 1 < 2, a_b'],
  ['<https://example.com/> is up', '<https://example.com/> is up'],
])('the text %j becomes %j', (text, markdown) => expect(htmlToMarkdown(text)).toEqual(markdown));

test.each([
  ['0171 2345678', 'DE', '+491712345678'],
  ['415 555 0100', 'us', '+14155550100'],
  ['06 1234 5678', 'IT', '+390612345678'],
  ['+44 7946 0000', 'DE', '+44 7946 0000'],
  ['0171', 'XX', '0171'],
])('the number %s of %s is %s', (number, country, expected) =>
  expect(toInternationalNumber(number, country)).toBe(expected),
);
