import { describe, expect, test } from '@jest/globals';
import { timeZones } from '../../../../src/pages/time-zones.js';
import { getZoneAbbreviation } from '../../../../src/status-page/themes/tz-abbreviations.js';
import { getOffsetMinutes } from '../../../../src/i18n/local-time.js';
import { samplePages } from '../../../../src/status-page/themes/sample-pages.js';
import { renderInline, ownHostMount, pathMount, renderTemplate } from '../../../support/theme-rendering.js';

const now = new Date('2026-11-20T14:02:03.045Z');

describe("date formats with Ruby's strftime directives, in the zone of the page", () => {
  test.each<[format: string, expected: string]>([
    ['%Y-%m-%d %H:%M:%S', '2026-11-20 15:02:03'],
    ['%F|%T|%R|%X|%x|%D', '2026-11-20|15:02:03|15:02|15:02:03|11/20/26|11/20/26'],
    ['%A %a %B %b %h', 'Friday Fri November Nov Nov'],
    ['%-d %e %d %-m %m %-H %-I %l %I %p %P %-M', '20 20 20 11 11 15 3  3 03 PM pm 2'],
    ['%j %U %W %V %G %g %u %w %C %y', '324 46 46 47 2026 26 5 5 20 26'],
    ['%Z %z %:z %::z', 'CET +0100 +01:00 +01:00:00'],
    ['%s %L %N %3N %6N', '1795183323 045 045000000 045 045000'],
    ['%c|%r|%v|%+', 'Fri Nov 20 15:02:03 2026|03:02:03 PM|20-NOV-2026|Fri Nov 20 15:02:03 CET 2026'],
    ['%^A %^b %#p %#a', 'FRIDAY NOV pm FRI'],
    ['%5d|%_5d|%-5d|%010Y|%10B|%^10B', '00020|   20|20|0000002026|  November|  NOVEMBER'],
    ['%%F 100%% %n%t|', '%F 100% \n\t|'],
    ['%Q %E %: 50% %', '%Q %E %: 50% %'],
    ['<%Y>', '&lt;2026&gt;'],
  ])('%s', (format, expected) => {
    expect(renderTemplate(`{{ 'now' | date: '${format}' }}`, { now, zone: 'Europe/Berlin' })).toBe(expected);
  });

  test.each<[value: string, expected: string]>([
    ["'now'", '2026-11-20 23:02'],
    ["'today'", '2026-11-20 23:02'],
    ['page.notices.unplanned.present.first.began_at', '2026-11-20 22:58'],
    ['1795183323', '2026-11-20 23:02'],
    ["'1795183323'", '2026-11-20 23:02'],
    ["'2026-07-01'", '2026-07-01 00:00'],
    ["'2026-07-01 12:30'", '2026-07-01 12:30'],
    ["'2026-07-01T12:30:15'", '2026-07-01 12:30'],
    ["'2026-07-01 12:30:15 +0000'", '2026-07-01 21:30'],
    ["'2026-07-01T12:30:15+02:00'", '2026-07-01 19:30'],
    ["'July 1, 2026 12:30 UTC'", '2026-07-01 21:30'],
    ["'no date'", 'no date'],
    ["'Hello 5'", 'Hello 5'],
    ["'9999999999999999'", '9999999999999999'],
    ["'300000000000'", '11476-08-15 14:20'],
    ['nil', ''],
    ['page.missing', ''],
    ["''", ''],
  ])('parses %s', (value, expected) => {
    expect(renderTemplate(`{{ ${value} | date: '%Y-%m-%d %H:%M' }}`, { now, zone: 'Asia/Tokyo' })).toBe(expected);
  });

  test('returns the value unchanged without a format', () => {
    expect(renderTemplate("{{ 'x' | date }}{{ 'now' | date: nil }}{{ 'now' | date: '' }}")).toBe('xnownow');
  });

  test('accepts the name of a format in the locales of the theme', () => {
    const files = {
      'locales/en.json': { date_formats: { default: '%-d %b', time: '%R %Z' } },
      'locales/de.json': { date_formats: { default: '%-d. %b' } },
    };
    const template =
      "{{ 'now' | date }}, {{ 'now' | date: 'time' }}, {{ 'now' | date: '%Y' }}, {{ 'now' | date: 'unknown' }}, {{ 'x' | date }}";
    expect(renderTemplate(template, { now, zone: 'Europe/Berlin' }, files)).toBe('20 Nov, 15:02 CET, 2026, unknown, x');
    expect(renderTemplate(template, { now, zone: 'Europe/Berlin', locale: 'de' }, files)).toBe(
      '20. Nov., 15:02 CET, 2026, unknown, x',
    );
  });

  test('uses the form of the language of the page for a key of a format that has no text', () => {
    const at = '2026-11-20T14:02:03Z';
    const template = `{% assign f = 'formats.long' | t %}{{ '${at}' | date: f }}|{{ '${at}' | date: 'formats.long' }}`;
    expect(renderTemplate(template, { zone: 'Europe/Berlin' })).toBe(
      '20 November 2026, 15:02 CET|20 November 2026, 15:02 CET',
    );
  });

  test('takes the first of two equal local times, and the time after the gap for a missing one', () => {
    const at = (time: string) => renderTemplate(`{{ '${time}' | date: '%T %Z' }}`, { zone: 'Europe/Berlin' });
    expect([at('2026-10-25 02:30'), at('2026-03-29 02:30')]).toEqual(['02:30:00 CEST', '03:30:00 CEST']);
  });

  test('distinguishes summer time from standard time', () => {
    const at = (time: string) => renderTemplate(`{{ '${time}' | date: '%R %Z' }}`, { zone: 'America/New_York' });
    expect([at('2026-07-01T12:00:00Z'), at('2026-01-01T12:00:00Z')]).toEqual(['08:00 EDT', '07:00 EST']);
  });
});

describe('date uses the language of the page for months and days', () => {
  test.each([
    ['de', 'Freitag, 20. November 2026|November|Fr|Nov'],
    ['cs', 'pátek, 20. listopadu 2026|listopad|pá|lis'],
    ['ru', 'пятница, 20. ноября 2026|ноябрь|пт|нояб.'],
    ['ja', '金曜日, 20. 11月 2026|11月|金|11月'],
    ['ar', 'الجمعة, 20. نوفمبر 2026|نوفمبر|الجمعة|نوفمبر'],
    ['pt-BR', 'sexta-feira, 20. novembro 2026|novembro|sex.|nov.'],
  ] as const)('%s', (locale, expected) => {
    expect(
      renderTemplate(
        `{{ 'now' | date: '%A, %-d. %B %Y' }}|{{ 'now' | date: '%B' }}|{{ 'now' | date: '%a' }}|{{ 'now' | date: '%b' }}`,
        { now, locale },
      ),
    ).toBe(expected);
  });
});

describe('%Z is the abbreviation of the tz database', () => {
  test.each([
    ['Europe/Berlin', 'CET', 'CEST'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['America/New_York', 'EST', 'EDT'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Etc/UTC', 'UTC', 'UTC'],
    ['Asia/Tashkent', '+05', '+05'],
    ['Asia/Kathmandu', '+0545', '+0545'],
    ['America/Sao_Paulo', '-03', '-03'],
    ['Atlantic/Azores', '-01', '+00'],
  ])('%s: %s in January, %s in July', (zone, january, july) => {
    const at = (day: string) => renderTemplate(`{{ '${day}T12:00:00Z' | date: '%Z' }}`, { zone });
    expect([at('2026-01-01'), at('2026-07-01')]).toEqual([january, july]);
  });

  test('has letters for all seasons of a zone or for none', () => {
    const seasons = Array.from({ length: 60 }, (_, month) => new Date(Date.UTC(2025, month, 10)));
    const mixed = [...new Set(timeZones.map(({ zone }) => zone))].filter(zone => {
      const names = seasons.map(instant => getZoneAbbreviation(zone, getOffsetMinutes(instant, zone)));
      return names.some(name => /\d/.test(name)) && names.some(name => /[A-Z]/.test(name));
    });
    expect(mixed).toEqual([]);
  });
});

describe('t', () => {
  const files = {
    'locales/en.json': {
      a: { b: 'English', only: 'only English', n: 5 },
      days: '%{days} days, %{name} %{unknown}',
      hits: { zero: 'none', one: 'one', other: '%{count}' },
    },
    'locales/pt.json': { a: { b: 'português' } },
    'locales/pt-BR.json': { a: { c: 'brasileiro' } },
    'locales/ru.json': { hits: { one: '%{count} раз', few: '%{count} раза', many: '%{count} раз' } },
  };
  const translate = (template: string, locale: 'en' | 'pt' | 'pt-BR' | 'ru' = 'en') =>
    renderTemplate(template, { locale }, files);

  test('finds a text in the language of the page, without its country, in English, or in another language', () => {
    const keys = "{{ 'a.c' | t }}, {{ 'a.b' | t }}, {{ 'a.only' | t }}";
    expect([translate(keys, 'pt-BR'), translate(keys, 'pt'), translate(keys)]).toEqual([
      'brasileiro, português, only English',
      'brasileiro, português, only English',
      'brasileiro, English, only English',
    ]);
  });

  test.each<[key: string, english: string, german: string]>([
    ['body.states.false_alarm', 'False alarm', 'Fehlalarm'],
    ['components.states.partially-degraded', 'Partially degraded', 'Teilweise beeinträchtigt'],
    ['components.states.partially_degraded', 'Partially degraded', 'Teilweise beeinträchtigt'],
    ['components.states.partiallyDegraded', 'Partially degraded', 'Teilweise beeinträchtigt'],
    ['body..timeliness.unplanned.Investigating', 'Investigating', 'Wird untersucht'],
    ['states.closed', 'Closed', 'Geschlossen'],
    ['underway', 'In progress', 'Im Gange'],
    ['page.under_maintenance', 'Maintenance', 'Wartung'],
  ])('prints the name of the state for a key without a text that ends in one: %s', (key, english, german) => {
    const template = `{{ '${key}' | t }}`;
    expect([renderTemplate(template, { locale: 'en' }), renderTemplate(template, { locale: 'de' })]).toEqual([
      english,
      german,
    ]);
  });

  test.each<[key: string, expected: string]>([
    ['a.nowhere', 'Nowhere'],
    ['header.all-systems-are-go', 'All systems are go'],
    ['body.noMore_notices', 'No more notices'],
    ['social-links.google_plus', 'Google plus'],
    ['a', 'A'],
    ['a.b.c', 'C'],
    ['hits', 'Hits'],
    ['a.', 'A'],
    ['a..x', 'X'],
    ['...', ''],
    ['', ''],
    ['a.toString', 'To string'],
    ['a.__proto__', 'Proto'],
    ['constructor.name', 'Name'],
    ['A text. With spaces', 'A text. With spaces'],
    ['a.<b>', '&lt;b&gt;'],
  ])('prints the last step of any other key without a text, readable: %s', (key, expected) => {
    expect(translate(`{{ '${key}' | t }}`)).toBe(expected);
    expect(translate(`[{{ '${key}' | t | raw }}]`)).toBe(`[${expected}]`);
  });

  test('prints a key without a text as a text in other filters', () => {
    expect(translate("{{ 'a.no_text' | t | append: '<' | upcase }}")).toBe('NO TEXT&lt;');
  });

  test('inserts named arguments', () => {
    expect(translate("{{ 'days' | t: days: 7, name: page.name }}")).toBe('7 days, Example &amp; Company %{unknown}');
    expect(translate("{% assign key = 'days' %}{{ key | t: days: page.timeline_threshold_in_days, name: nil }}")).toBe(
      '14 days,  %{unknown}',
    );
  });

  test('chooses the plural form by count', () => {
    expect(translate("{{ 'hits' | t: count: 0 }} {{ 'hits' | t: count: 1 }} {{ 'hits' | t: count: 2 }}")).toBe(
      'none one 2',
    );
    expect(translate("{{ 'hits' | t: count: 3 }}, {{ 'hits' | t: count: 5 }}", 'ru')).toBe('3 раза, 5 раз');
  });

  test('inserts a captured argument as HTML, whose values stay escaped', () => {
    const captured = '{% capture a %}<time title="{{ page.name }}">now</time>{% endcapture %}';
    const time = '<time title="Example &amp; Company">now</time>';
    expect(translate(`${captured}{{ 'days' | t: days: a, name: page.name }}`)).toBe(
      `${time} days, Example &amp; Company %{unknown}`,
    );
    expect(
      renderTemplate(`${captured}{{ 'own' | t: a: a }}`, {}, { 'locales/en.json': { own: '<b>%{a}</b> & 50%' } }),
    ).toBe(`&lt;b&gt;${time}&lt;/b&gt; &amp; 50%`);
    expect(
      renderTemplate(
        `${captured}{{ 'own' | t: a: a | append: '<' | strip }}{{ 'own' | t: a: a | raw }}`,
        {},
        { 'locales/en.json': { own: '<b>%{a}</b>' } },
      ),
    ).toBe(`&lt;b&gt;${time}&lt;/b&gt;&lt;<b>${time}</b>`);
  });

  test('finds a last step with - for _ and the other way round', () => {
    const files = {
      'locales/en.json': {
        'of-states': { partially_degraded: 'affected', 'false-alarm': 'nothing', a_b: 'own', 'a-b': 'other' },
      },
    };
    const keys =
      "{{ 'of-states.partially-degraded' | t }} {{ 'of-states.false_alarm' | t }} {{ 'of-states.a_b' | t }} {{ 'of_states.a_b' | t }}";
    expect(renderTemplate(keys, {}, files)).toBe('affected nothing own A b');
  });

  test('prints a number as text', () => {
    expect(translate("{{ 'a.n' | t }}")).toBe('5');
  });
});

describe('operators, arithmetic and comments of Liquid', () => {
  test.each([
    ["{% if page.state <> 'operational' %}other{% else %}same{% endif %}", 'other'],
    ["{% if page.support contains 'email' %}yes{% endif %}{% if page.support contains 'fax' %}no{% endif %}", 'yes'],
    ["{{ page.social | default: 'none' }}", 'none'],
    [
      "{{ 7205 | divided_by: 60 }} {{ 7205 | divided_by: 60.0 | round: 2 }} {{ -7 | divided_by: 2 }} {{ '7' | divided_by: '2' }} {{ 7 | divided_by: '2.0' }}",
      '120 120.08 -4 3 3.5',
    ],
    [
      '{{ 4 | times: 1.0 }} {{ 4 | times: 2 }} {{ 5 | times: 1.0 | divided_by: 2 }} {{ 1.5 | plus: 1.5 }} {{ 3.0 | minus: 1.5 | ceil }}',
      '4.0 8 2.5 3.0 2',
    ],
    [
      '{% assign half = 3 | divided_by: 2.0 %}{% if half > 1 and half < 2 %}{{ half }}{% endif %} {{ half | json }} {{ half | round }}',
      '1.5 1.5 2',
    ],
    [
      '{% assign minutes = 7205 | divided_by: 60 %}{{ minutes | divided_by: 60 }} h {{ minutes | modulo: 60 }} min',
      '2 h 0 min',
    ],
    ['a{% comment %}b{% comment %}c{% endcomment %}{{ d }}{% endcomment %}e', 'ae'],
  ])('%s', (template, expected) => {
    const incident = samplePages['an incident'];
    const snapshot = { ...incident, page: { ...incident.page, supportEmail: 'a@b.example' } };
    expect(renderTemplate(template, { snapshot })).toBe(expected);
  });
});

describe('distance_of_time_in_words and time_ago_in_words', () => {
  test.each([
    ['{{ 7200 | distance_of_time_in_words }}', 'about 2 hours'],
    ['{{ page.notices.planned.present.first.expected_duration | distance_of_time_in_words }}', 'about 2 hours'],
    ["{{ '2026-11-20T13:00:00Z' | time_ago_in_words }}", 'about 2 hours'],
    ['{{ page.notices.planned.present.first.began_at | time_ago_in_words }}', '29 minutes'],
    ["{{ '2026-11-20T13:00:00Z' | distance_of_time_in_words: '2026-11-20T15:00:00Z' }}", 'about 2 hours'],
    ["{{ '2026-11-20T15:00:00Z' | distance_of_time_in_words: '2026-11-20T13:00:00Z', 'x' }}", 'about 2 hours'],
    ["{{ 7200 | distance_of_time_in_words: 'x' }}", 'about 2 hours'],
    [
      '{{ nil | distance_of_time_in_words }}{{ page.missing | time_ago_in_words }}{{ "x" | distance_of_time_in_words }}',
      '',
    ],
  ])('%s', (template, expected) => {
    expect(renderTemplate(template, { snapshot: samplePages['a maintenance'] })).toBe(expected);
  });

  test('use the language of the page', () => {
    expect(renderTemplate('{{ 172800 | distance_of_time_in_words }}', { locale: 'de' })).toBe('2 Tage');
  });
});

describe('asset_url', () => {
  const files = {
    'assets/logo.svg': '<svg/>',
    'assets/größe 1.png': '',
    'assets/a.css': 'a',
    'error-page.liquid': "{{ 'logo.svg' | asset_url }}",
  };

  test('is a URL of the page with the hash of the file', () => {
    expect(
      renderTemplate("{{ 'logo.svg' | asset_url }} {{ 'größe 1.png' | asset_url }}", { mount: ownHostMount }, files),
    ).toBe('/theme/hash/logo.svg?v=1 /theme/hash/gr%C3%B6%C3%9Fe%201.png?v=1');
    expect(renderTemplate("{{ 'logo.svg' | asset_url }}", { mount: pathMount }, files)).toBe(
      '/status/ab12cd34/theme/hash/logo.svg?v=1',
    );
  });

  test('is a URL that answers 404 for an unknown file', () => {
    expect(renderTemplate("{{ '../x\"' | asset_url }}{{ nil | asset_url }}", {}, files)).toBe(
      '/theme/none/..%2Fx%22?v=1/theme/none/?v=1',
    );
  });

  test('is absolute in the error page, which other sites show', () => {
    expect(renderInline({ 'status-page.liquid': '', ...files })['error-page']).toBe(
      'https://status.example.com/theme/hash/logo.svg?v=1',
    );
  });

  test('of a style sheet changes with the content of any style sheet', () => {
    const urlFor = (style: string) =>
      renderTemplate(
        "{{ 'a.css' | asset_url }}",
        {},
        { 'assets/a.css': style, 'assets/b.css': "{{ 'a.css' | asset_url }}" },
      );
    expect(urlFor('a')).toBe(urlFor('a'));
    expect(urlFor('a')).not.toBe(urlFor('b'));
    const rendered = renderInline({
      'status-page.liquid': "{{ 'a.css' | asset_url }}",
      'assets/a.css': 'a',
      'assets/b.css': "{{ 'a.css' | asset_url }}",
    });
    expect(rendered['assets/b.css']).toBe(rendered['status-page']);
  });
});

describe('standard filters of Liquid', () => {
  test.each([
    ["{{ page.notices.past_recent | sort: 'ended_at' | map: 'id' | join: ' ' }}", '2 1 3'],
    ["{{ page.notices.past_recent | where: 'type', 'planned' | map: 'id' }}", '2'],
    [
      "{% assign g = page.notices.past_recent | group_by: 'type' %}{{ g | map: 'name' | join }}",
      'general unplanned planned',
    ],
    ["{{ page.notices.past_recent | where_exp: 'n', 'n.id > 1' | size }}", '2'],
    ["{{ 'a,b' | split: ',' | reverse | join: '-' | upcase }}", 'B-A'],
    [
      '{{ page.support | size }} {{ page.support | first | join: "=" }} {{ page.support | last | first }}',
      '3 email=help@example.com url',
    ],
    ["{{ 'abc' | first }}{{ 'abc' | last }}{{ nil | first }}{{ 5 | size }}", 'ac0'],
    ["{{ 'aGk=' | base64_decode }} {{ 'hi' | base64_encode }}", 'hi aGk='],
    ['{{ 7 | divided_by: 2.0 | round }} {{ 5 | plus: 2 | times: 3 }}', '4 21'],
    ["{{ 'x' | unknown_filter: 'a', b: page.name | upcase }}", 'X'],
    [
      '{{ nowhere.at.all }}{{ page.nowhere.at.all | upcase }}{{ page.constructor }}{{ page.__proto__ }}{{ constructor.name }}',
      '',
    ],
    ['{{ page }}{{ page.brand }}', ''],
    ['{{ page.components.roots | map: "name" }}', 'WebsiteRegions'],
    ['{% for i in (1..3) %}{% ifchanged %}{{ i | divided_by: 2, true }}{% endifchanged %}{% endfor %}', '01'],
  ])('%s', (template, expected) => {
    expect(renderTemplate(template)).toBe(expected);
  });
});
