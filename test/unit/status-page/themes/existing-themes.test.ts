import { describe, expect, test } from '@jest/globals';
import { samplePages } from '../../../../src/status-page/themes/sample-pages.js';
import { apologyTheme, tableTheme, timelineTheme } from '../../../support/existing-themes.js';
import { renderInline, pathMount, renderTemplate } from '../../../support/theme-rendering.js';

const {
  'all operational': well,
  'an incident': incident,
  'a maintenance': maintenance,
  'an empty page': empty,
} = samplePages;
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

describe('a theme with a layout, includes and languages', () => {
  test('shows an incident', () => {
    const page = flat(renderInline(timelineTheme)['status-page']!);
    expect(page).toMatch(
      /^<!DOCTYPE html> <html lang="en"> <head> <meta charset="utf-8"> <title>Status - How Example is<\/title> <meta name="description"/,
    );
    expect(page).toContain(
      '<body class="status-page is-degraded"> <a href="https://status.example.com">Example &amp; Company</a>',
    );
    expect(page).toContain('<h2>Now</h2> <article id="notice-6" class="unplanned identified">');
    expect(page).toContain(
      '>Subject of &quot;unplanned&quot; &amp; &lt;others&gt;</a></h3> for 32 minutes <span>Database</span>',
    );
    expect(page).toContain(
      '<time datetime="2026-11-20T13:58:00.000Z">20 November 2026 14:58 CET</time><p>Update <strong>1</strong>',
    );
    expect(page).toContain('<p>No news yet</p>');
    expect(page).not.toContain('is up');
    expect(page).toContain(
      '<li class="partially-degraded">Regions<ul><li class="partially-degraded">Europe <small>What Europe is for</small><ul><li class="degraded">Database <a',
    );
    expect(page).toContain('<h2>The last 14 days</h2>');
    expect(page).toContain('<section><h3>Thursday, 19 November</h3>');
    expect(page).toContain(
      '<a class="telephone" href="tel:+4930123456">Call us</a><a class="url" href="https://example.com/help">Help</a>',
    );
    expect(page).toContain('<small>Times are in Berlin. 2026</small>');
  });

  test('shows maintenance that is underway and scheduled', () => {
    const page = flat(renderInline(timelineTheme, { snapshot: maintenance })['status-page']!);
    expect(page).toContain('class="planned underway"');
    expect(page).toContain('<h2>Planned</h2> <article id="notice-7" class="planned scheduled">');
    expect(page).toContain('Sunday, 22 November 15:30 - 16:30 CET (about 1 hour)');
  });

  test('shows an operational and an empty page', () => {
    expect(renderInline(timelineTheme, { snapshot: well })['status-page']).toContain(
      '<p class="ok">Example &amp; Company is up</p>',
    );
    const page = renderInline(timelineTheme, { snapshot: empty })['status-page']!;
    expect(page).toContain('<p><em>Nothing</em> happened</p>');
    expect(page.split('name="robots"')).toHaveLength(3);
  });

  test('uses the language of the page, and English for missing texts', () => {
    const page = flat(renderInline(timelineTheme, { locale: 'de' })['status-page']!);
    expect(page).toContain('<title>Lage - How Example is</title>');
    expect(page).toContain('20 November 2026 14:58 CET');
    expect(page).toContain('<h3>Donnerstag, 19 November</h3>');
    expect(page).toContain('<h2>Jetzt</h2>');
    expect(page).toContain('for 32 Minuten');
    expect(page).toContain('No news yet');
  });

  test('renders its style sheets with the state of the page and the URLs of its assets', () => {
    const renderStylesheet = (snapshot: typeof well) => renderInline(timelineTheme, { snapshot })['assets/style.css'];
    expect(renderStylesheet(well)).toMatch(
      /^body \{ background: #FFFFFF url\("\/theme\/hash\/logo\.svg\?v=1"\); color: #2c3e50 \}\n\.bar \{ color: #27ae60 \}\n@import url\(\/theme\/[0-9a-f]{16}\/print\.css\?v=1\);$/,
    );
    expect(renderStylesheet(incident)).toContain('.bar { color: #e67e22 }');
  });

  test('renders the error page and the maintenance page', () => {
    const rendered = renderInline(timelineTheme, { snapshot: maintenance });
    expect(rendered['error-page']).toContain(
      '<h1>Something went wrong</h1><img src="https://status.example.com/theme/hash/logo.svg?v=1" alt="">',
    );
    expect(rendered['error-page']).toContain('<body class="error-page is-degraded">');
    expect(flat(rendered['maintenance-page']!)).toContain(
      '<h1>Back soon</h1> <p>Subject of &quot;planned&quot; &amp; &lt;others&gt;: 16:30 CET</p>',
    );
  });

  test('refers to its assets below the path of the page', () => {
    const rendered = renderInline(timelineTheme, { mount: pathMount });
    expect(rendered['status-page']).toMatch(/href="\/status\/ab12cd34\/theme\/[0-9a-f]{16}\/style\.css\?v=1"/);
    expect(rendered['assets/style.css']).toContain('url("/status/ab12cd34/theme/hash/logo.svg?v=1")');
  });
});

test('a theme of one file with legacy variable names renders', () => {
  const page = flat(renderInline(apologyTheme)['status-page']!);
  expect(page).toContain('<title>Example &amp; Company</title>');
  expect(page).toContain('<h2>Subject of &quot;unplanned&quot; &amp; &lt;others&gt;</h2> <p>Update <strong>2</strong>');
  expect(page).toContain(
    'Nov 18, 16:30: Subject of &quot;unplanned&quot; &amp; &lt;others&gt; Example &amp; Company </body></html>',
  );
  expect(renderInline(apologyTheme, { snapshot: empty })['status-page']).toContain('<h2>All is well</h2>');
});

test('a theme that uses the whole Liquid language renders', () => {
  const subject = (type: string) => `Subject of &quot;${type}&quot; &amp; &lt;others&gt;`;
  const name = 'Example &amp; Company';
  const page = flat(renderInline(tableTheme)['status-page']!);
  expect(page).toContain(
    `<p>${subject('unplanned')}, ${subject('unplanned')}</p> {{ as it is }} <table><tr class="row1"> <td class="col1">Website</td>`,
  );
  expect(page).toContain(
    `[6 ${subject('unplanned')} ${name} 1][5 ${subject('unplanned')} ${name} 2] [3 ${subject('general')} ${name} ] [2 ${subject('planned')} ${name} ] a0b1a2`,
  );
  expect(page).toContain(
    '<a href="https://status.example.com">Example &amp; Company</a>! general 1 unplanned 1 planned 1',
  );
});

describe('include and render', () => {
  const files = {
    'includes/a.liquid': '{{ x }}{{ y }}{% assign z = "z" %}',
    'includes/deep/b.liquid': "b{% include './c' %}{% include '../a' %}",
    'includes/deep/c.liquid': 'c{{ x }}',
    'includes/with.liquid': '{{ with }}{{ for }}',
  };

  test.each<[template: string, expected: string]>([
    ['{% assign x = 1 %}{% include "a" y: 2 %}{{ z }}{{ y }}', '12z'],
    ['{% assign x = 1 %}{% include "a", y: 2, x: 3 %}{{ x }}', '321'],
    ['{% assign x = 1 %}{% render "a", y: 2 %}{{ z }}', '2'],
    ['{% assign name = "a" %}{% include name x: 5 %}', '5'],
    ['{% include "a.liquid" x: 5 %}', '5'],
    ['{% include "deep/b" x: 7 %}', 'bc77'],
    ['{% include "a" with "w" as x %}', 'w'],
    [
      "{% assign list = 'p,q' | split: ',' %}{% include 'a' with list as x y: 1 %} {% render 'a' with list as x y: 1 %}",
      'p1q1 pq1',
    ],
    ['{% include "with" with: 1, for: 2 %}', '12'],
    ['{% assign l = "1,2" | split: "," %}{% include "a" for l as x %}', '12'],
    ['{% include "a" with page.name as x y: "<" %}', 'Example &amp; Company&lt;'],
  ])('%s', (template, expected) => {
    expect(renderTemplate(template, {}, files)).toBe(expected);
  });

  test.each([
    ['{% include "nowhere" %}', '"status-page.liquid", line 1: there is no "includes/nowhere.liquid"'],
    ['\n{% include "../../../etc/passwd" %}', '"status-page.liquid", line 2: there is no "../../../etc/passwd.liquid"'],
    ['{% include "../status-page" %}', '"status-page.liquid", line 1: there is no "../status-page.liquid"'],
    ['{% include "/etc/passwd" %}', '"status-page.liquid", line 1: there is no "includes//etc/passwd.liquid"'],
    ['{% include page.nowhere %}', '"status-page.liquid", line 1: there is no "includes/.liquid"'],
    ['{% include %}', '"status-page.liquid", line 1: the name of a file is missing'],
    [
      '{% include "deep/b" %}{% include "deep/d" %}',
      '"includes/deep/d.liquid", line 3: there is no "includes/x.liquid"',
    ],
    ['{% layout "boilerplate" %}', '"status-page.liquid", line 1: tag "layout" not found'],
  ])('%s fails with file and line', (template, message) => {
    expect(() => renderTemplate(template, {}, { ...files, 'includes/deep/d.liquid': '\n\n{% render "x" %}' })).toThrow(
      message,
    );
  });

  test('fail when they recurse endlessly', () => {
    expect(() => renderTemplate("{% include 'me' %}", {}, { 'includes/me.liquid': "{% include 'me' %}" })).toThrow(
      '"includes/me.liquid", line 1: "me" is included within itself more than 100 times',
    );
    expect(() => renderTemplate("{% render 'me' %}", {}, { 'includes/me.liquid': "{% render 'me' %}" })).toThrow(
      'more than 100 times',
    );
  });
});

describe('a theme whose locales lack the states of notices', () => {
  const theme = {
    'status-page.liquid': `{% for notice in page.notices.present %}{% include 'notice' placement: 'header' %}{% endfor %}
      {% for notice in page.notices.past_recent %}{% include 'notice' placement: 'body' %}{% endfor %}
      {% for component in page.components.roots %}{{ 'page.components.states.' | append: component.state | t }};{% endfor %}
      {% for option in page.subscription_options %}{{ 'page.subscribe.' | append: option[0] | append: '.name' | t }}{% endfor %}
      <p>{{ 'page.no-more-notices' | t: days: page.timeline_threshold_in_days }}</p>`,
    'includes/notice.liquid': `{% assign duration = notice.duration | distance_of_time_in_words %}
      <h4>[{{ 'page.body.states.' | append: notice.state | t }}] {{ notice.subject }}</h4>
      <small>{{ 'page.' | append: placement | append: '.timeliness.' | append: notice.type | append: '.' | append: notice.state | t: duration: duration }}</small>`,
    'locales/en.json': {
      page: {
        'no-more-notices': 'No further notices from the past %{days} days.',
        body: { states: { complete: 'Done' }, timeliness: { planned: { complete: 'It took %{duration}.' } } },
      },
    },
  };
  const extras = { subscriptionOptions: { email: { url: '/subscribe', icon: 'fa fa-envelope' } } };
  const render = (locale: 'en' | 'de') => flat(renderInline(theme, { locale, extras })['status-page']!);
  const listStates = (page: string) =>
    [...page.matchAll(/\[([^\]]*)\].*?<small>(.*?)<\/small>/g)].map(([, state, time]) => `${state}: ${time}`);

  test('shows them in the language of the page', () => {
    expect(listStates(render('en'))).toEqual([
      'Identified: Identified',
      'Investigating: Investigating',
      'Closed: Closed',
      'Resolved: Resolved',
      'Done: It took about 1 hour.',
    ]);
    expect(listStates(render('de')).slice(0, 4)).toEqual([
      'Ursache erkannt: Ursache erkannt',
      'Wird untersucht: Wird untersucht',
      'Geschlossen: Geschlossen',
      'Behoben: Behoben',
    ]);
  });

  test('never shows a key', () => {
    expect(render('en')).toContain(
      'Operational;Partially degraded; Name <p>No further notices from the past 14 days.</p>',
    );
    for (const locale of ['en', 'de'] as const) expect(render(locale)).not.toMatch(/\w\.\w/);
  });
});
