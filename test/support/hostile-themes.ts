type Files = Record<string, string | object>;

const x = (count: number, text = 'x') => text.repeat(count);
const nested = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
const page = (template: string, more: Files = {}): Files => ({ 'status-page.liquid': template, ...more });
/** A list of a million numbers, created without a range. */
const million = `{% assign l = '${x(1000, '1,')}' | split: ',' %}{% for a in (1..10) %}{% assign l = l | concat: l %}{% endfor %}`;
const doubled = (times: number) =>
  `{% assign s = 'xxxxxxxxxxxxxxxx' %}{% for a in (1..${times}) %}{% assign s = s | append: s %}{% endfor %}`;

const doubling = (levels: number): Files =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `includes/a${level}.liquid`,
      `{% include 'a${level + 1}' %}{% render 'a${level + 1}' %}`,
    ]),
  );

/** Themes that try to exhaust time or memory, to stop the service, or to read data that is not theirs. */
export const hostileThemes: [description: string, files: Files][] = [
  // Loops and ranges.
  ['a loop over a hundred million', page('{% for a in (1..100000000) %}{% endfor %}')],
  ['a loop beyond the safe integers', page('{% for a in (1..9007199254740993) %}{% endfor %}')],
  ['a range of two hundred million', page('{% assign l = (-100000000..100000000) %}{{ l | size }}')],
  ['a range without end', page('{% assign n = 10 | divided_by: 0 %}{% for a in (1..n) %}x{% endfor %}')],
  ['loops in loops', page(nested('{% for a in (1..1000) %}', '{% endfor %}', 4))],
  ['loops in loops that print', page(`${'{% for a in (1..100) %}'.repeat(5)}x${'{% endfor %}'.repeat(5)}`)],
  ['a table of a million cells', page('{% tablerow a in (1..5000000) cols: 1 %}x{% endtablerow %}')],
  ['a table in a loop', page('{% for a in (1..3000) %}{% tablerow b in (1..3000) %}x{% endtablerow %}{% endfor %}')],
  [
    'a loop with a huge offset',
    page('{% for a in (1..3000000) offset: 2999999 limit: 99999999999 %}{{ a }}{% endfor %}'),
  ],
  [
    'a cycle in loops',
    page("{% for a in (1..3000) %}{% for b in (1..3000) %}{% cycle 'a', 'b' %}{% endfor %}{% endfor %}"),
  ],

  // Growing texts.
  ['a text that doubles forty times', page(doubled(40))],
  ['a text that doubles and is only measured', page(`${doubled(25)}{{ s | size }}`)],
  [
    'a text that is escaped repeatedly',
    page("{% assign s = '&&&&&&&&' %}{% for a in (1..40) %}{% assign s = s | url_encode %}{% endfor %}"),
  ],
  [
    'a text that is encoded repeatedly',
    page(`${doubled(12)}{% for a in (1..90) %}{% assign s = s | base64_encode %}{% endfor %}`),
  ],
  [
    'a text that is replaced into itself',
    page("{% assign s = 'aa' %}{% for a in (1..30) %}{% assign s = s | replace: 'a', s %}{% endfor %}"),
  ],
  ['every letter replaced by a long text', page(`${doubled(12)}{{ s | replace: 'x', s }}`)],
  ['an empty search text replaced by a long text', page(`${doubled(12)}{{ s | replace: '', s }}`)],
  [
    'an empty search text replaced repeatedly',
    page(`${doubled(16)}{% for a in (1..5000) %}{% assign s = s | replace_first: '', 'yyyyyyyyyy' %}{% endfor %}`),
  ],
  [
    'a text of line breaks',
    page(
      `${doubled(18).replace('xxxxxxxxxxxxxxxx', '\n\n\n\n\n\n\n\n')}{{ s | newline_to_br | newline_to_br | newline_to_br }}`,
    ),
  ],
  ['a long text, printed repeatedly', page(`${doubled(14)}{% for a in (1..1000) %}{{ s }}{% endfor %}`)],
  ['a long text of special characters, escaped', page(`${doubled(20).replace('xxxxxxxxxxxxxxxx', '<<<<<<<<')}{{ s }}`)],
  [
    'a long text in upper case',
    page(
      `${doubled(19).replace('xxxxxxxxxxxxxxxx', 'ßßßßßßßß')}{% for a in (1..200) %}{% assign t = s | upcase %}{% endfor %}`,
    ),
  ],
  ['a list joined by a long text', page(`${doubled(14)}{{ (1..100000) | join: s }}`)],
  ['a text of five megabytes', page(`${doubled(18)}{{ s }}{{ s }}`)],

  // Growing lists, and filters that iterate over them.
  ['a list that doubles', page(`${million}{% for a in (1..10) %}{% assign l = l | concat: l %}{% endfor %}`)],
  [
    'a list in itself',
    page(
      "{% assign l = 'a' | split: ',' %}{% for a in (1..40) %}{% assign l = l | push: l | push: l %}{% endfor %}{{ l | json }}",
    ),
  ],
  [
    'a list in itself, printed',
    page("{% assign l = 'a' | split: ',' %}{% for a in (1..30) %}{% assign l = l | push: l %}{% endfor %}{{ l }}"),
  ],
  [
    'lists compared with each other',
    page(
      "{% assign l = 'a' | split: ',' %}{% assign m = l %}{% for a in (1..30) %}{% assign l = l | push: l | push: l %}{% assign m = m | push: m | push: m %}{% endfor %}{% if l == m %}x{% endif %}",
    ),
  ],
  ['where_exp over a million', page(`${million}{{ l | where_exp: 'a', 'a == 1 or a == 2 or a == 3' | size }}`)],
  [
    'where_exp within where_exp',
    page('{% assign l = (1..2000) %}{{ l | where_exp: \'a\', "(1..3000) contains a" | size }}'),
  ],
  ['find_exp over a million', page(`${million}{{ l | find_exp: 'a', 'a == 2' }}`)],
  ['group_by_exp over a million', page(`${million}{{ l | group_by_exp: 'a', 'a | append: a' | size }}`)],
  ['map over a million', page(`${million}{{ l | map: 'a.b.c.d.e.f' | size }}`)],
  ['where over a million', page(`${million}{{ l | where: 'a', 1 | size }}`)],
  ['sort over a million', page(`${million}{% for a in (1..50) %}{% assign m = l | sort %}{% endfor %}`)],
  ['sort_natural over a million', page(`${million}{{ l | sort_natural | size }}`)],
  [
    'uniq and reverse over a million',
    page(`${million}{% for a in (1..500) %}{% assign m = l | uniq | reverse | compact %}{% endfor %}`),
  ],
  ['sample of a million', page(`${million}{% for a in (1..50) %}{% assign m = l | sample: 1000000 %}{% endfor %}`)],
  ['a million in a sentence', page(`${million}{{ l | array_to_sentence_string | size }}`)],
  [
    'a repeated search in a long list',
    page(`${million}{% for a in (1..100000) %}{% if l contains 'no' %}{% endif %}{% endfor %}`),
  ],

  // Inputs for regular expressions.
  ['a text split into its letters', page(`${doubled(20)}{% assign l = s | split: '' %}{{ l | size }}`)],
  ['a text split at every letter', page(`${doubled(20)}{% assign l = s | split: 'x' %}{{ l | size }}`)],
  [
    'unclosed tags',
    page(`${doubled(18).replace('xxxxxxxxxxxxxxxx', '<script <a <!--')}{{ s | strip_html | strip_html | size }}`),
  ],
  [
    'many opening brackets',
    page(`${doubled(19).replace('xxxxxxxxxxxxxxxx', '<<<<<<<<<<<<<<<<')}{{ s | strip_html | size }}`),
  ],
  [
    'endless blanks',
    page(
      `${doubled(19).replace('xxxxxxxxxxxxxxxx', '                ')}{{ s | strip | append: s | strip_newlines | normalize_whitespace | squish | truncatewords: 5 | size }}`,
    ),
  ],
  [
    'endless words',
    page(
      `${doubled(19).replace('xxxxxxxxxxxxxxxx', 'a a a a a a a a ')}{{ s | truncatewords: 999999999 | number_of_words: 'cjk' }}`,
    ),
  ],
  [
    'invalid entities',
    page(`${doubled(18).replace('xxxxxxxxxxxxxxxx', '&&&&&&&&&aaaaaaa')}{{ s | escape_once | size }}`),
  ],

  // Formats and keys.
  [
    'a format of a million directives',
    page(`${doubled(16).replace('xxxxxxxxxxxxxxxx', '%A%B%c%+%^10B')}{{ 'now' | date: s | size }}`),
  ],
  [
    'absurd widths in a format',
    page("{{ 'now' | date: '%999999999999999d%-_0^#999Y%:::::z%%%%%' }}{{ 'now' | date: '%999A' | size }}"),
  ],
  [
    'a format full of flags',
    page(`${doubled(18).replace('xxxxxxxxxxxxxxxx', '%-0^#_-0^#_-0^#_')}{{ 'now' | date: s | size }}`),
  ],
  [
    'absurd dates',
    page("{% for a in (1..100000) %}{{ a | times: 99999999 | date: '%c' }}{{ '9999-99-99' | date: '%F' }}{% endfor %}"),
  ],
  [
    'a key of a million steps',
    page(`${doubled(18).replace('xxxxxxxxxxxxxxxx', 'a.a.a.a.a.a.a.a.')}{{ s | t | size }}`, {
      'locales/en.json': { a: { a: 'x' } },
    }),
  ],
  [
    'a text filled with itself',
    page("{% assign s = 'k' | t: a: 'xxxx' %}{% for i in (1..40) %}{% assign s = 'k' | t: a: s %}{% endfor %}", {
      'locales/en.json': { k: '%{a}%{a}' },
    }),
  ],

  // Partials.
  ['a partial that includes itself', page("{% include 'a' %}", { 'includes/a.liquid': "{% include 'a' %}" })],
  [
    'a partial that includes itself twice',
    page("{% include 'a' %}", { 'includes/a.liquid': "x{% include 'a' %}{% include 'a' %}" }),
  ],
  [
    'partials in a circle',
    page("{% render 'a' %}", { 'includes/a.liquid': "{% include 'b' %}", 'includes/b.liquid': "{% render 'a' %}" }),
  ],
  [
    'a partial for each of a million',
    page("{% include 'a' for l as b %}{% render 'a' for (1..5000000) as b %}", { 'includes/a.liquid': 'x' }),
  ],
  ['partials that double at each of fifty levels', page("{% include 'a0' %}", doubling(50))],
  [
    'a layout that prints its content repeatedly',
    page(`${doubled(16)}{{ s }}`, {
      'layouts/boilerplate.liquid': '{% for a in (1..1000) %}{{ content_for_layout }}{% endfor %}',
    }),
  ],

  // Templates that are expensive to parse.
  ['conditions nested thousands deep', page(nested('{% if true %}', '{% endif %}', 30_000))],
  ['loops nested thousands deep', page(nested('{% for a in (1..2) %}', '{% endfor %}', 20_000))],
  ['captures nested thousands deep', page(nested('{% capture a %}', '{% endcapture %}', 20_000))],
  ['unclosed cases', page('{% case a %}'.repeat(50_000))],
  ['brackets nested thousands deep', page(`{{ ${nested('a[', ']', 200_000)} }}`)],
  ['a chain of a hundred thousand filters', page(`{{ 'a'${' | append: "a"'.repeat(60_000)} }}`)],
  ['a condition of a hundred thousand parts', page(`{% if a${' or a == 1'.repeat(90_000)} %}{% endif %}`)],
  ['a path of a hundred thousand steps', page(`{{ page${'.a'.repeat(400_000)} }}`)],
  ['a flood of raw', page('{% raw %}{{ {% endraw %}'.repeat(40_000))],
  ['an unclosed raw', page(`{% raw %}${'{% endraw '.repeat(90_000)}`)],
  ['a flood of tags', page('{{a}}'.repeat(200_000))],
  ['a flood of opened braces', page('{{'.repeat(500_000))],
  ['a flood of comments', page('{% comment %}{% endcomment %}'.repeat(30_000))],
  ['unclosed quotes', page(`{{ ${x(900_000, "'\\")} }}`)],
  ['a number of a million digits', page(`{{ ${x(900_000, '9')} | plus: 1 }}`)],
  ['blanks to be trimmed', page(`${x(300_000, ' ')}{%- if a -%}${x(300_000, ' ')}{%- endif -%}${x(300_000, ' ')}`)],

  // Style sheets, which are templates too.
  ['a style sheet in loops', page('', { 'assets/a.css': '{% for a in (1..100000000) %}{% endfor %}' })],
  ['a style sheet that grows', page('', { 'assets/a.css': `${doubled(40)}` })],
  ['a style sheet that does not parse', page('', { 'assets/a.css': '{% if %}' })],

  // Access to data outside of the theme.
  [
    'access to prototypes',
    page(
      '{{ page.__proto__.constructor.constructor }}{{ page.constructor | json }}{% assign __proto__ = page %}{{ "".constructor }}',
    ),
  ],
  [
    'access to objects of the engine',
    page(
      '{{ forloop.constructor }}{% for a in (1..2) %}{{ forloop.constructor }}{{ forloop.__proto__.next }}{% endfor %}',
    ),
  ],
  [
    'variables named like members of Object',
    page(
      "{% assign toString = 1 %}{% assign valueOf = 2 %}{% increment constructor %}{{ hasOwnProperty }}{{ toString }}{% include 'a' __proto__: page, constructor: 1 %}",
      { 'includes/a.liquid': '{{ constructor }}' },
    ),
  ],
  [
    'all variables as JSON',
    page('{{ page | json }}{{ page | inspect }}{{ template | json }}{{ page.notices | jsonify: 99999 }}'),
  ],
  ['a file by an absolute path', page("{% include '/etc/passwd' %}")],
  ['a file above the theme', page("{% render '../../../../etc/passwd' %}")],
  ['a file by its URL', page("{% include 'file:///etc/passwd' %}")],
  [
    'a file by a computed name',
    page(
      "{% assign a = '../' %}{% for i in (1..5) %}{% assign a = a | append: a %}{% endfor %}{% assign a = a | append: 'etc/passwd' %}{% include a %}",
    ),
  ],
];
