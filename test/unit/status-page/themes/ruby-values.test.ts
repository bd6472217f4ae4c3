import { describe, expect, test } from '@jest/globals';
import { ThemeRenderer } from '../../../../src/status-page/themes/renderer.js';

const variables = {
  nothing: null,
  yes: true,
  no: false,
  five: 5,
  text: 'Hello World',
  list: [3, 1, 2],
  letters: ['b', 'a', 'C'],
  map: { a: 1, b: 'two' },
  rows: [
    { name: 'x', n: 2, on: true },
    { name: 'a', n: 10, on: false },
    { name: 'M', n: 3 },
    { name: 'b', n: 3 },
  ],
};

function render(template: string): string {
  const templates = new Map([['status-page', template]]);
  const job = { variables, locale: 'en' as const, zone: 'Etc/UTC', now: '2026-11-29T06:00:00.000Z' };
  const assets = { path: '/theme/', origin: '', hashes: new Map<string, string>() };
  return new ThemeRenderer({ templates, locales: new Map(), assets: new Map() })
    .render({ ...job, assets })
    .templates.get('status-page')!;
}

/** What Liquid 5.4 of Ruby printed. */
const printed: Record<string, [template: string, expected: string][]> = {
  loops: [
    ['{% for x in list limit: 2 reversed %}{{ x }}{% endfor %}', '31'],
    ['{% for x in list reversed limit: 2 %}{{ x }}{% endfor %}', '13'],
    ['{% for x in list offset: 1 reversed %}{{ x }}{% endfor %}', '12'],
    ['{% for x in list limit: 0 %}{{ x }}{% else %}none{% endfor %}', 'none'],
    ['{% for x in list limit: -1 %}{{ x }}{% else %}none{% endfor %}', 'none'],
    ['{% for x in list offset: -1 %}{{ x }}{% endfor %}', '312'],
    ['{% for x in list offset: 10 %}{{ x }}{% else %}none{% endfor %}', 'none'],
    ['{% for x in list limit: missing %}{{ x }}{% endfor %}', '312'],
    ["{% for x in list limit: '2' %}{{ x }}{% endfor %}", '31'],
    ['{% for x in text offset: 1 %}{{ x }}{% endfor %}', 'Hello World'],
    ['{% for x in map limit: 1 %}{{ x[0] }}={{ x[1] }}{% endfor %}', 'a=1'],
    ['{% for x in list limit: 1 %}{{ x }}{% endfor %}|{% for x in list offset: continue %}{{ x }}{% endfor %}', '3|12'],
    ['{% for x in list %}{% endfor %}{% for x in list offset: continue %}{{ x }}{% else %}none{% endfor %}', 'none'],
    [
      '{% for x in list %}{% for y in (1..2) %}{{ forloop.parentloop.index }}{{ y }} {% endfor %}{% endfor %}',
      '11 12 21 22 31 32 ',
    ],
    ['{% for x in list %}{{ forloop.rindex }}{{ forloop.last }}{% break %}{% endfor %}', '3false'],
    ['{% for x in list %}{% for y in list %}{% break %}{% endfor %}{{ x }}{% endfor %}', '312'],
    [
      '{% tablerow x in list cols: 2 %}{{ x }}{% endtablerow %}',
      '<tr class="row1">\n<td class="col1">3</td><td class="col2">1</td></tr>\n<tr class="row2"><td class="col1">2</td></tr>\n',
    ],
    [
      '{% tablerow x in list cols: nil %}{{ tablerowloop.col_last }}{% endtablerow %}',
      '<tr class="row1">\n<td class="col1">false</td><td class="col2">false</td><td class="col3">false</td></tr>\n',
    ],
    [
      '{% assign none = "" | split: "" %}{% tablerow x in none %}{{ x }}{% endtablerow %}',
      '<tr class="row1">\n</tr>\n',
    ],
    ['{% tablerow x in nothing %}{{ x }}{% endtablerow %}', ''],
    ["{% cycle 'g': 'a', 'b' %}{% cycle 'g': 'c', 'd' %}{% cycle 'g': 'a', 'b' %}", 'ada'],
  ],
  comparisons: [
    ['{% if nothing == missing %}T{% endif %}{% if missing == nothing %}T{% endif %}', 'TT'],
    ['{% if nothing < 5 or nothing <= 5 or 5 > nothing or nothing <= nil %}T{% else %}F{% endif %}', 'F'],
    ['{% if no < five or yes <= 1 or no < yes %}T{% else %}F{% endif %}', 'F'],
    ["{% if 'a' < 'b' and 1.5 < 2 and five >= 5 %}T{% endif %}", 'T'],
  ],
  arithmetic: [
    [
      '{{ 0.1 | plus: 0.2 }} {{ 1 | minus: 0.9 }} {{ 0.1 | times: 3 }} {{ 3.7 | divided_by: 100 }}',
      '0.3 0.1 0.3 0.037',
    ],
    [
      '{{ 3600.0 | divided_by: 60 }} {{ 7.0 | minus: 1 }} {{ 2.0 | at_least: 1 }} {{ 4.0 | round: 2 }}',
      '60.0 6.0 2.0 4.0',
    ],
    ['{% assign x = 7.0 %}{{ x | divided_by: 2 }} {{ x }} {% assign y = 2.0 %}{{ 7 | divided_by: y }}', '3.5 7.0 3.5'],
    ['{{ 2.0 }} {{- 2.50 -}} {{ -3.0 | abs }} {{ 2.0 | append: "x" }}', '2.02.53.0 2.0x'],
    ['{{ 99.999 | round: 2 }} {{ 99.5 | round }} {{ 1234 | round: -2 }} {{ 2.675 | round: 2 }}', '100.0 100 1200 2.68'],
    [
      "{{ '7abc' | plus: 1 }} {{ '1,000' | plus: 1 }} {{ '.5' | plus: 1 }} {{ '1e2' | plus: 1 }} {{ ' 7 ' | plus: 1 }}",
      '8 2 1 2 8',
    ],
    [
      "{{ yes | plus: 1 }} {{ list | plus: 1 }} {{ nothing | plus: 1 }} {{ '7abc' | abs }} {{ '3.5' | ceil }}",
      '1 1 1 7 4',
    ],
    ['{{ -7 | modulo: 0.2 }} {{ -7.5 | modulo: 2 }} {{ -7 | modulo: 3 }} {{ 7 | divided_by: -2 }}', '0.0 0.5 2 -4'],
    ['{{ 1 | divided_by: 0 }}', 'Liquid error: divided by 0'],
    ['{{ 0.00001 | times: 1 }} {{ 1234567.0 | times: 1000000000000 }}', '1.0e-05 1.234567e+18'],
    ["{{ '2.5' | at_most: 2 }} {{ '2.5' | at_least: '3.0' }} {{ five | at_least: 'x' }}", '2 3.0 5'],
  ],
  texts: [
    [
      "{{ 'one two' | truncatewords: 2 }}|{{ 'one two three' | truncatewords: 2 }}|{{ '' | truncatewords: 1, '!' }}",
      'one two|one two...|',
    ],
    [
      "{{ ' a  b\n c ' | split: ' ' | join: '|' }} {{ 'a,,b,,' | split: ',' | size }} {{ '😀!' | split: '' | size }}",
      'a|b|c 3 2',
    ],
    ["{{ '😀!' | size }}", '2'],
    [
      "{{ '100%' | url_decode }} {{ '%zz%41+b' | url_decode }} {{ \"a!'()*b c\" | url_encode }}",
      '100% %zzA b a%21%27%28%29%2Ab+c',
    ],
    ["{{ '??>' | base64_url_safe_encode }} {{ 'Pz8-' | base64_url_safe_decode | size }}", 'Pz8- 3'],
    ["{{ list | join: nil }}{{ map | join: ', ' }}{{ map | append: '' }}", '312'],
  ],
  lists: [
    ["{{ rows | uniq: 'n' | map: 'name' | join: '|' }} {{ list | concat: list | uniq | join: '|' }}", 'x|a|M 3|1|2'],
    ["{{ rows | compact: 'on' | map: 'name' | join: '|' }}", 'x|a'],
    ["{{ rows | where: 'on', nil | map: 'name' | join: '|' }} {{ rows | where: 'n', missing | size }}", 'x 4'],
    ["{{ rows | where: 'n', 3 | map: 'name' | join: '|' }} {{ rows | where: 'on' | size }}", 'M|b 1'],
  ],
  markup: [
    [
      "{{ 'a\\nb' }} {{ 'a\\' }} {{ \"\\\" | append: 'x' }} {% assign s = 'c:\\temp' %}{{ s }}",
      'a\\nb a\\ \\x c:\\temp',
    ],
    ['[{{ }}{{- -}} {{ | upcase }}]', '[]'],
    ['{% if no %}a{% else if yes %}b{% endif no %}{% for x in list %}{{ x }}{% endfor list %}', 'b312'],
    [
      "{{ text || upcase }} {{ text | upcase downcase }} {{ text | append: '!' 'b' }} {{ five + 1 }}",
      'HELLO WORLD HELLO WORLD Hello World! 5',
    ],
    ['{% if yes && no %}T{% endif %}{% if !yes %}T{% endif %}{% assign a = text = 3 %}{{ a }}', 'TTHello World'],
    [
      '{% raw %}{{ }}{{ "\\n" }}{% else x %}{% endraw %}{% comment %}{% if %}{% else x %}{% endcomment %}',
      '{{ }}{{ "\\n" }}{% else x %}',
    ],
  ],
};

describe('prints what Liquid of Ruby prints', () => {
  for (const [subject, rows] of Object.entries(printed))
    test.each(rows)(`${subject}: %s`, (template, expected) => expect(render(template)).toBe(expected));
});

test('keeps the lines of what it rewrites', () => {
  const template = '{% if yes\n && no\n%}{% else\n x %}{% endif\n%}{{ five\n + 1 }}\n{% for %}';
  expect(() => render(template)).toThrow(/^"status-page.liquid", line 7: illegal tag/);
});
