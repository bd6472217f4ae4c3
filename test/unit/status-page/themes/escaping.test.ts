import { describe, expect, test } from '@jest/globals';
import { samplePages } from '../../../../src/status-page/themes/sample-pages.js';
import { renderInline, renderTemplate } from '../../../support/theme-rendering.js';

const incident = samplePages['an incident'];
const name = `<b>"A" & 'B'</b>; {x}`;
const escaped = '&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;; {x}';
const snapshot = { ...incident, page: { ...incident.page, name } };
const texts = { 'locales/en.json': { bold: '<b>own</b>', filled: '<i>%{name}</i>' } };
const content = incident.notices[0]!.updates[0]!;
const html =
  /<p>Update <strong>1<\/strong>, with <a href="https:\/\/example.com\/" rel="[^"]*">a link<\/a> and<\/p>\s<ul>\s<li>a list<\/li>\s<\/ul>/
    .source;

describe('a text is escaped exactly once', () => {
  test.each<[template: string, expected: string]>([
    ['{{ page.name }}', escaped],
    ['{{ page.name | escape }}', escaped],
    ['{{ page.name | h }}', escaped],
    ['{{ page.name | xml_escape }}', escaped],
    ['{{ page.name | escape_once }}', escaped],
    ['{{ page.name | escape | escape | h | escape_once }}', escaped],
    ['{{ page.name | raw }}', escaped],
    ['{{ page.name | escape | raw }}', escaped],
    ['{% echo page.name %}', escaped],
    ['{% liquid echo page.name %}', escaped],
    ['{% cycle page.name %}', escaped],
    ['{% assign a = page.name %}{{ a }}', escaped],
    ['{% capture a %}{{ page.name }}{% endcapture %}{{ a }}', escaped],
    ['{% capture a %}{{ page.name }}{% endcapture %}{{ a | escape }}', escaped],
    ['{% capture a %}{{ page.name }}{% endcapture %}{% echo a %}', escaped],
    ['{% for a in page.name %}{{ a }}{% endfor %}', escaped],
    ['{{ page.name | upcase | downcase | capitalize | append: "" }}', escaped.toLowerCase().replace('{x', '{x')],
    ['{{ page.name | default: "x" }}', escaped],
    ['{{ "" | default: page.name }}', escaped],
    ['{{ "" | append: page.name }}', escaped],
    ['{{ page.name | split: "" | join: "" }}', escaped],
    ['{{ page.name | newline_to_br }}', escaped],
    ['{{ page.name | unknown_filter: 1 }}', escaped],
    ['{{ "<i>" }}', '&lt;i&gt;'],
    ['{{ page.name | json }}', `&quot;${escaped.replaceAll('&quot;', '\\&quot;')}&quot;`],
    ['{{ "a &amp; b" | escape }}', 'a &amp;amp; b'],
    ['{{ "a &amp; b <" | escape_once }}', 'a &amp; b &lt;'],
    ['{{ "a\nb<" | newline_to_br }}', 'a<br />\nb&lt;'],
    ['{{ "<p>a</p> &amp;" | strip_html }}', 'a &amp;amp;'],
    ['{{ "bold" | t }}', '&lt;b&gt;own&lt;/b&gt;'],
    ['{{ "filled" | t: name: page.name }}', `&lt;i&gt;${escaped}&lt;/i&gt;`],
    ['{{ "<nothing>" | t | raw }}', '&lt;nothing&gt;'],
  ])('%s', (template, expected) => {
    expect(renderTemplate(template, { snapshot }, texts)).toBe(expected);
  });
});

describe('raw prints texts of the locales unescaped, but not their arguments', () => {
  test.each<[template: string, expected: string]>([
    ['{{ "bold" | t | raw }}', '<b>own</b>'],
    ['{{ "filled" | t: name: page.name | raw }}', `<i>${escaped}</i>`],
    ['{% assign a = "bold" | t %}{{ a | raw }}', '<b>own</b>'],
    ['{% assign a = "bold" | t | raw %}{{ a }}', '<b>own</b>'],
    ['{{ "bold" | t | append: page.name | raw }}', `&lt;b&gt;own&lt;/b&gt;${escaped}`],
    ['{{ "bold" | t | raw | append: page.name }}', `<b>own</b>${escaped}`],
    ['{{ "filled" | t: name: page.missing | raw }}', '<i></i>'],
    ['{% assign a = "bold" | t %}{{ "filled" | t: name: a | raw }}', '<i>&lt;b&gt;own&lt;/b&gt;</i>'],
  ])('%s', (template, expected) => {
    expect(renderTemplate(template, { snapshot }, texts)).toBe(expected);
  });
});

describe('an HTML value', () => {
  const update = '{% assign u = page.notices.unplanned.present.first.updates.first %}';
  const whole = new RegExp(`^${html}$`);

  test.each([
    '{{ u.content }}',
    '{{ u.content | raw }}',
    '{{ u.content | strip }}',
    '{{ u.content | default: "x" }}',
    '{% echo u.content %}',
    '{% assign a = u.content %}{{ a }}',
    '{% capture a %}{{ u.content }}{% endcapture %}{{ a }}',
  ])('stays as it is in %s', template => {
    expect(renderTemplate(update + template)).toMatch(whole);
  });

  test.each(['escape', 'h', 'xml_escape', 'escape_once'])(
    'becomes text by %s, which is safe in an attribute',
    filter => {
      const note = {
        ...incident.notices[0]!,
        updates: [{ ...content, content: '" onmouseover="alert(1)" [A & "B"](https://example.com/)' }],
      };
      const options = { snapshot: { ...incident, notices: [note] } };
      const printed = renderTemplate(`${update}{{ u.content | ${filter} | ${filter} }}`, options);
      expect(printed).not.toMatch(/[<>"']|&amp;(amp|quot|lt);/);
      expect(
        renderTemplate(`${update}{% capture a %}{{ u.content }}{% endcapture %}{{ a | ${filter} }}`, options),
      ).toBe(printed);
      expect(printed.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toMatch(
        /^<p>&quot; onmouseover=&quot;alert\(1\)&quot; <a href=&quot;.*A &amp; &quot;B&quot;<\/a>/,
      );
    },
  );

  test('loses a whole tag by remove and replace, but no part of a tag', () => {
    expect(renderTemplate(`${update}{{ u.content | remove: '<strong>' | remove: '</strong>' }}`)).toMatch(
      /^<p>Update 1, with <a href/,
    );
    expect(renderTemplate(`${update}{{ u.content | replace: '<strong>', '<b>' }}`)).toMatch(
      /^<p>Update &lt;b&gt;1<\/strong>/,
    );
    for (const part of ['<', '"', '<p', 'p>', '<p>Update'])
      expect(renderTemplate(`${update}{{ u.content | remove: '${part}' }}`)).toMatch(whole);
  });

  test('becomes text by strip_html', () => {
    const note = {
      ...incident.notices[0]!,
      updates: [{ ...content, content: 'Tom & "Jerry" <script>alert(1)</script>' }],
    };
    const options = { snapshot: { ...incident, notices: [note] } };
    expect(renderTemplate(`${update}{{ u.content | strip_html | strip }}`, options)).toBe(
      'Tom &amp; &quot;Jerry&quot;',
    );
  });

  test('becomes escaped text when it is cut, since a cut may be inside a tag', () => {
    expect(renderTemplate(`${update}{{ u.content | slice: 0, 12 }}`)).toBe('&lt;p&gt;Update &lt;s');
    expect(renderTemplate(`${update}{{ u.content | truncate: 15 }}`)).toBe('&lt;p&gt;Update &lt;s...');
    expect(renderTemplate(`${update}{{ u.content | split: '' | first }}`)).toBe('&lt;');
  });

  test('gets escaped arguments', () => {
    const put = `${update}{{ u.content | append: page.name | prepend: page.name | replace: 'Update', page.name }}`;
    expect(renderTemplate(put, { snapshot })).not.toMatch(/<b>/);
    expect(renderTemplate(put, { snapshot }).split(escaped)).toHaveLength(4);
  });

  test('stays HTML when a list of them is joined or printed', () => {
    expect(
      renderTemplate('{{ page.notices.unplanned.present.first.updates | map: "content" | join: page.name }}', {
        snapshot,
      }),
    ).toMatch(new RegExp(`^${html}${escaped}<p>`));
    expect(renderTemplate('{{ page.notices.unplanned.present.first.updates | map: "content" }}')).toMatch(
      new RegExp(`^${html}<p>`),
    );
  });

  test('is what a layout wraps, and content_for_head and content_for_body', () => {
    const files = {
      'layouts/boilerplate.liquid':
        '[{{ page.content_for_head }}|{{ content_for_layout }}|{{ page.content_for_body }}]',
    };
    expect(
      renderTemplate(
        '<i>{{ page.name }}</i>',
        { snapshot, extras: { head: '<meta>', body: '<script></script>' } },
        files,
      ),
    ).toBe(`[<meta>|<i>${escaped}</i>|<script></script>]`);
  });

  test('that was captured is compared and measured as the text that it shows', () => {
    const capture = '{% capture a %}{{ page.name }}{% endcapture %}';
    expect(
      renderTemplate(
        `${capture}{% if a == page.name %}same{% endif %}{% if page.name == a %} same{% endif %} {{ a | size }} {{ a.size }}`,
        { snapshot },
      ),
    ).toBe(`same same ${name.length} ${name.length}`);
    expect(
      renderTemplate(
        '{% capture a %} {% endcapture %}{% if a == blank %}blank{% endif %}{% if a != empty %}, not empty{% endif %}',
      ),
    ).toBe('blank, not empty');
    expect(
      renderTemplate(
        `${capture}{% case a %}{% when page.name %}case{% endcase %}{% if a contains '&' %}, contains{% endif %}`,
        {
          snapshot,
        },
      ),
    ).toBe('case, contains');
    expect(renderTemplate(`${capture}{{ a | truncate: 8, '' }}`, { snapshot })).toBe('&lt;b&gt;&quot;A&quot; &amp;');
  });
});

describe('simple_format creates paragraphs', () => {
  test.each([
    ["{{ 'a' | simple_format }}", '<p>a</p>'],
    ['{{ page.name | simple_format }}', `<p>${escaped}</p>`],
    ['{{ "x" | append: newline | simple_format }}', '<p>x</p>'],
    ['{% capture a %}<b>own</b>{% endcapture %}{{ a | simple_format }}', '<b>own</b>'],
  ])('%s', (template, expected) => {
    expect(renderTemplate(template, { snapshot })).toBe(expected);
  });

  test('from the lines of a text', () => {
    expect(
      renderTemplate(
        '{{ "lines" | t | strip_html | simple_format }}',
        {},
        { 'locales/en.json': { lines: 'a\nb\r\n\r\nc <d' } },
      ),
    ).toBe('<p>a<br />\nb</p>\n<p>c &lt;d</p>');
  });
});

describe('an SVG asset with Liquid', () => {
  const renderSvg = (svg: string) =>
    renderInline(
      { 'status-page.liquid': '', 'assets/a.svg': svg, 'assets/b.SVG': '{% comment %}{% endcomment %}', ...texts },
      { snapshot },
    );

  test.each<[svg: string, expected: string]>([
    ['<svg fill="{{ page.brand.color_body_text }}"/>', '<svg fill="#2c3e50"/>'],
    ['<svg><title>{{ page.name }}</title></svg>', `<svg><title>${escaped.replace('; {x}', ' x')}</title></svg>`],
    ['<svg><image href="{{ \'b.SVG\' | asset_url }}"/></svg>', '<svg><image href="/theme/HASH/b.SVG?v=1"/></svg>'],
  ])('%s', (svg, expected) => {
    expect(renderSvg(svg)['assets/a.svg']!.replace(/[0-9a-f]{16}/, 'HASH')).toBe(expected);
  });

  test('stays well-formed whatever a value contains', () => {
    const name = 'A\u0001\u000b}<x>"\\;\ufffe';
    const hostile = { ...snapshot, page: { ...snapshot.page, name, isVisibleToSearch: false } };
    const svg = '<svg><style>a{content:"{{ page.name }}"}</style><desc>{{ page.content_for_head }}</desc></svg>';
    expect(renderInline({ 'status-page.liquid': '', 'assets/a.svg': svg }, { snapshot: hostile })['assets/a.svg']).toBe(
      '<svg><style>a{content:"A&lt;x&gt;&quot;"}</style><desc>&lt;meta name=&quot;robots&quot; content=&quot;noindex, nofollow&quot;&gt;</desc></svg>',
    );
  });

  test('is not rendered when it does not parse', () => {
    for (const svg of ['<svg>{% nonsense %}</svg>', '<svg><style>a{%}</style></svg>', '<svg>{{ "</svg>'])
      expect(Object.keys(renderSvg(svg))).toEqual(['status-page', 'assets/b.SVG']);
  });

  test('is not rendered when it contains no Liquid', () => {
    expect(Object.keys(renderSvg('<svg fill="{ }"/>'))).toEqual(['status-page', 'assets/b.SVG']);
  });
});

describe('a value in a style sheet loses the characters that could end it', () => {
  const renderStylesheet = (style: string) =>
    renderInline(
      { 'status-page.liquid': '', 'assets/a.css': style, "assets/it's (1).svg": '', ...texts },
      { snapshot },
    )['assets/a.css'];

  test.each<[style: string, expected: string]>([
    ['a { content: "{{ page.name }}" }', 'a { content: "bA & B/b x" }'],
    ['{{ "</style><script>{}\\";" }}', '/stylescript'],
    ['a { content: "{{ "a\\\\" }}"; color: red }', 'a { content: "a"; color: red }'],
    ['{{ page.name | raw }}', 'bA & B/b x'],
    ['{{ page.name | escape }}', 'bA & B/b x'],
    ['{% capture a %}p { color: {{ page.brand.color_body_text }}; }{% endcapture %}{{ a }}', 'p { color: #2c3e50; }'],
    ['{{ "filled" | t: name: page.name }}', 'ibA & B/b x/i'],
    ['{{ page.notices.unplanned.present.first.updates.first.content | strip_html | truncate: 8, "" }}', 'Update 1'],
    ['url({{ "it\'s (1).svg" | asset_url }})', 'url(/theme/hash/it%27s%20%281%29.svg?v=1)'],
    ['b { color: rgba(0,0,0,0.01) } /* "as" it {is}; */', 'b { color: rgba(0,0,0,0.01) } /* "as" it {is}; */'],
  ])('%s', (style, expected) => {
    expect(renderStylesheet(style)).toBe(expected);
  });
});
