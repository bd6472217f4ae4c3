import { describe, expect, test } from '@jest/globals';
import type { PageSnapshot } from '../../../../src/status-page/view/snapshot.js';
import { samplePages, sampleTime } from '../../../../src/status-page/themes/sample-pages.js';
import { createVariables } from '../../../../src/status-page/themes/variables.js';
import { pathMount, renderTemplate, createView } from '../../../support/theme-rendering.js';

const {
  'all operational': well,
  'an incident': incident,
  'a maintenance': maintenance,
  'an empty page': empty,
} = samplePages;
const withPage = (snapshot: PageSnapshot, page: Partial<PageSnapshot['page']>): PageSnapshot => ({
  ...snapshot,
  page: { ...snapshot.page, ...page },
});
const listIds = (list: string, snapshot: PageSnapshot) =>
  renderTemplate(`{{ ${list} | map: 'id' | join: ' ' }}`, { snapshot });

describe('metrics', () => {
  test.each([
    ['page.metrics.size', '2'],
    ['page.metrics.first.name', 'Metric 1 &amp; &lt;others&gt;'],
    ['page.metrics.first.unit', 'ms'],
    ['page.metrics.first.color', '#3b82f6'],
    ['page.metrics.first.latest | round: page.metrics.first.decimal_places', '40'],
    ['page.metrics.first.day.lowest', '20'],
    ['page.metrics.first.day.average', '40'],
    ['page.metrics.first.day.highest', '60'],
    ['page.metrics.first.day.line', 'M392 33L396 4L400 18'],
    ['page.metrics.first.day.area', 'M392 76L392 33L396 4L400 18L400 76Z'],
    ['page.metrics.last.unit', ''],
    ['page.metrics.last.latest', ''],
    ['page.metrics.last.week.average', '40'],
  ])('%s is %s', (name, expected) => {
    expect(renderTemplate(`{{ ${name} }}`, { snapshot: well })).toBe(expected);
  });

  test('are nil without values, and empty where a page has none', () => {
    const template = '{% if page.metrics == empty %}none{% endif %}{% if page.metrics.first.day %}day{% endif %}';
    expect(renderTemplate(template, { snapshot: empty })).toBe('none');
    expect(renderTemplate(template, { snapshot: maintenance })).toBe('');
    expect(renderTemplate(template, { snapshot: well })).toBe('day');
  });
});

describe('page', () => {
  test.each([
    ['name', 'Example &amp; Company'],
    ['link', 'https://status.example.com'],
    ['locale', 'en'],
    ['timezone', 'Berlin'],
    ['state', 'degraded'],
    ['visible_to_search', 'true'],
    ['meta_title', 'How Example is'],
    ['meta_description', 'Whether our services run'],
    ['website_url', 'https://example.com'],
    ['terms_url', 'https://example.com/terms'],
    ['privacy_url', 'https://example.com/privacy'],
    ['copyright', '© Example &amp; Company'],
    ['timeline_threshold_in_days', '14'],
    ['content_for_head', ''],
    ['content_for_body', ''],
    ['support.email', 'help@example.com'],
    ['support.telephone', '+49 30 123456'],
    ['support.url', 'https://example.com/help'],
    ['support.size', '3'],
    ['support.first[0]', 'email'],
    ['social.size', '0'],
    ['social.first', ''],
    ['subscription_options.size', '0'],
    ['brand.color_state_ok', '#27ae60'],
    ['brand.color_state_warning', '#e67e22'],
    ['brand.color_navbar_background', 'rgba(0,0,0,0.01)'],
    ['brand.color_navbar_links', '#2c3e50'],
    ['brand.color_navbar_button_background', '#2980b9'],
    ['brand.color_header_background', '#F7F8F9'],
    ['brand.color_header_links', '#2980b9'],
    ['brand.color_header_text', '#2c3e50'],
    ['brand.color_body_background', '#FFFFFF'],
    ['brand.color_body_links', '#2980b9'],
    ['brand.color_body_text', '#2c3e50'],
    ['brand.color_state_info', '#2980b9'],
    ['brand.color_state_alert', '#e67e22'],
    ['brand.color_navbar_button_text', '#000000'],
    ['timeline_sort_order', 'asc'],
    ['notices.present.first.description', 'Subject of &quot;unplanned&quot; &amp; &lt;others&gt;'],
    ['brand.logo.url', ''],
    ['brand.favicon.url', ''],
    ['brand.favicon.content_type', ''],
    ['brand.header_background.url', ''],
  ])('%s is "%s"', (name, expected) => {
    expect(renderTemplate(`{{ page.${name} }}`)).toBe(expected);
  });

  test.each([
    ['a threshold below 7 days', 3 * 86_400, '7'],
    ['a threshold of 7 days', 7 * 86_400, '7'],
    ['a threshold with a part of a day', 10.5 * 86_400, '10'],
  ])('has the days that its lists of past notices cover as timeline_threshold_in_days: %s', (_, seconds, expected) => {
    const snapshot = withPage(well, { timelineThresholdSeconds: seconds });
    expect(renderTemplate('{{ page.timeline_threshold_in_days }}', { snapshot })).toBe(expected);
  });

  test('has its name as default title, and nil for what is not set', () => {
    expect(
      renderTemplate('{{ page.meta_title }}|{{ page.meta_description }}|{{ page.state }}', { snapshot: empty }),
    ).toBe('Example &amp; Company||operational');
    expect(
      renderTemplate('{% if page.support == empty %}none{% endif %}{% for each in page.support %}x{% endfor %}', {
        snapshot: empty,
      }),
    ).toBe('none');
  });

  test('has a noindex tag in content_for_head when it is hidden from search engines', () => {
    expect(renderTemplate('{{ page.content_for_head }}', { snapshot: empty, extras: { head: '<x>' } })).toBe(
      '<meta name="robots" content="noindex, nofollow"><x>',
    );
    expect(renderTemplate('{{ page.content_for_head }}', { extras: { head: '<x>' } })).toBe('<x>');
  });

  test.each(['logo', 'favicon', 'header_background'])('has nil as its %s', picture => {
    expect(renderTemplate(`{% if page.brand.${picture} %}there{% else %}none{% endif %}`)).toBe('none');
  });

  test('has links below the path where it is mounted', () => {
    expect(renderTemplate('{{ page.link }} {{ page.notices.present.first.link }}', { mount: pathMount })).toBe(
      'https://all-clear.example/status/ab12cd34 https://all-clear.example/status/ab12cd34/notices/aaaaaaaaaaaaaaa6-subject',
    );
  });

  test('has its subscription options as pairs', () => {
    const extras = { subscriptionOptions: { email: { url: '/subscribe', icon: 'mail' } } };
    expect(
      renderTemplate(
        '{% for way in page.subscription_options %}{{ way[0] }} {{ way[1].url }} {{ way[1].icon }}{% endfor %}',
        {
          extras,
        },
      ),
    ).toBe('email /subscribe mail');
  });

  test('has no current subscriber', () => {
    expect(renderTemplate('{% if current_subscriber == nil %}nobody{% endif %}')).toBe('nobody');
  });

  test('comes with the name of the template', () => {
    expect(renderTemplate('{{ template.name }}')).toBe('status-page');
  });
});

describe('the lists of notices', () => {
  test('present contains open notices in the order of the page', () => {
    expect([
      listIds('page.notices.present', incident),
      listIds('page.notices.unplanned.present', incident),
      listIds('page.notices.planned.present', incident),
    ]).toEqual(['6 5', '6 5', '']);
    expect([
      listIds('page.notices.present', maintenance),
      listIds('page.notices.planned.present', maintenance),
      listIds('page.notices.unplanned.present', maintenance),
    ]).toEqual(['8', '8', '']);
  });

  test('future contains scheduled maintenance', () => {
    expect([listIds('page.notices.future', maintenance), listIds('page.notices.planned.future', maintenance)]).toEqual([
      '7',
      '7',
    ]);
  });

  test('past_recent and past_distant split at 7 days and end at the threshold of the page', () => {
    expect([listIds('page.notices.past_recent', well), listIds('page.notices.past_distant', well)]).toEqual([
      '3 1 2',
      '4',
    ]);
    const short = withPage(well, { timelineThresholdSeconds: 86_400 });
    expect([listIds('page.notices.past_recent', short), listIds('page.notices.past_distant', short)]).toEqual([
      '3 1 2',
      '',
    ]);
  });

  test('have legacy names, whose notices have closed_at', () => {
    expect([listIds('page.apologies.current', incident), listIds('page.apologies.recent', incident)]).toEqual([
      '6 5',
      '3 1 2',
    ]);
    expect(
      renderTemplate(
        '{% for a in page.apologies.recent %}{% if a.closed_at == a.ended_at %}{{ a.closed_at }} {% endif %}{% endfor %}',
        { snapshot: well },
      ),
    ).toBe('2026-11-19T14:30:00.000Z 2026-11-18T15:30:00.000Z 2026-11-15T15:20:00.000Z ');
  });

  test('have legacy names, whose notices have the time when they began as created_at', () => {
    const backDated = { ...well.notices[0]!, createdAt: '2026-11-20T09:00:00.000Z' };
    const scheduled = { ...incident.notices[0]!, beganAt: null };
    const snapshot = { ...well, notices: [backDated, scheduled] };
    const times = '{{ n.created_at }} {{ a.created_at }};';
    const template = `{% assign n = page.notices.past_recent.first %}{% assign a = page.apologies.recent.first %}${times}
{%- assign n = page.notices.present.first %}{% assign a = page.apologies.current.first %}${times}`;
    expect(renderTemplate(template, { snapshot })).toBe(
      `2026-11-20T09:00:00.000Z ${backDated.beganAt};2026-11-20T13:58:00.000Z 2026-11-20T13:58:00.000Z;`,
    );
  });

  test('are empty without notices', () => {
    const lists = [
      'present',
      'future',
      'past_recent',
      'past_distant',
      'planned.present',
      'planned.future',
      'unplanned.present',
    ];
    const template = lists
      .map(list => `{% if page.notices.${list} == empty and page.notices.${list}.size == 0 %}0{% endif %}`)
      .join('');
    expect(renderTemplate(template, { snapshot: empty })).toBe('0000000');
  });
});

describe('a notice', () => {
  const readNotice = (notice: string, snapshot: PageSnapshot) => {
    const names =
      'id type state timeline_state subject synopsis link began_at ended_at begins_at ends_at expected_ended_at closed_at duration expected_duration next_update_by silent_since created_at'.split(
        ' ',
      );
    const text = renderTemplate(
      `{% assign n = ${notice} %}${names.map(name => `${name}={{ n.${name} | strip }}`).join('\n')}`,
      {
        snapshot,
      },
    );
    return Object.fromEntries(text.split('\n').map(line => line.split(/=(.*)/).slice(0, 2)));
  };
  const link = (id: string) => `https://status.example.com/notices/${id.padStart(16, 'a')}-subject`;
  const synopsis = 'What happened, and what is done about it.';

  test('has the variables of an open incident', () => {
    const [notice] = incident.notices;
    const snapshot = { ...incident, notices: [{ ...notice!, nextUpdateBy: '2026-11-20T15:00:00.000Z' }] };
    expect(readNotice('page.notices.present.first', snapshot)).toEqual({
      id: '6',
      type: 'unplanned',
      state: 'identified',
      timeline_state: 'present',
      subject: 'Subject of &quot;unplanned&quot; &amp; &lt;others&gt;',
      synopsis,
      link: link('6'),
      began_at: '2026-11-20T13:58:00.000Z',
      ended_at: '',
      begins_at: '',
      ends_at: '',
      expected_ended_at: '',
      closed_at: '',
      duration: '',
      expected_duration: '',
      created_at: '2026-11-20T13:58:00.000Z',
      next_update_by: '2026-11-20T15:00:00.000Z',
      silent_since: '',
    });
  });

  test('has the time of its last update, once it is stale', () => {
    const read = (staleAfterMinutes: number) =>
      readNotice('page.notices.present.first', withPage(incident, { staleAfterMinutes })).silent_since;
    expect([1, 0, 10_080].map(read)).toEqual(['2026-11-20T13:58:00.000Z', '', '']);
  });

  test('has the variables of completed maintenance', () => {
    expect(readNotice("page.notices.past_recent | where: 'id', 2 | first", well)).toEqual({
      id: '2',
      type: 'planned',
      state: 'complete',
      timeline_state: 'past_recent',
      subject: 'Subject of &quot;planned&quot; &amp; &lt;others&gt;',
      synopsis,
      link: link('2'),
      began_at: '2026-11-15T14:30:00.000Z',
      ended_at: '2026-11-15T15:20:00.000Z',
      closed_at: '2026-11-15T15:20:00.000Z',
      begins_at: '2026-11-15T14:30:00.000Z',
      ends_at: '2026-11-15T15:30:00.000Z',
      expected_ended_at: '2026-11-15T15:30:00.000Z',
      duration: '3000',
      expected_duration: '3600',
      created_at: '2026-11-15T14:30:00.000Z',
      next_update_by: '',
      silent_since: '',
    });
  });

  test('has state closed as an announcement', () => {
    expect(
      renderTemplate("{{ page.notices.past_recent | where: 'type', 'general' | map: 'state' }}", { snapshot: well }),
    ).toBe('closed');
  });

  test('has its updates in the order of the page, each with a link', () => {
    const each =
      '{% for u in page.notices.present.first.updates %}{{ u.id }} {{ u.created_at }} {{ u.link }};{% endfor %}';
    const [one, two] = [61, 62].map(id => `${id} 2026-11-20T13:58:00.000Z ${link('6')}#update-${id};`);
    expect(renderTemplate(each)).toBe(`${one}${two}`);
    expect(renderTemplate(each, { snapshot: withPage(incident, { timelineSortOrder: 'desc' }) })).toBe(`${two}${one}`);
  });

  test('has its components with their children', () => {
    const snapshot = { ...incident, notices: [{ ...incident.notices[0]!, componentIds: [2] }] };
    const tree = {
      'includes/tree.liquid':
        "{% for c in list %}{{ c.name }}/{{ c.state }}({% include 'tree' list: c.children %}){% endfor %}",
    };
    expect(renderTemplate("{% include 'tree' list: page.notices.present.first.components %}", { snapshot }, tree)).toBe(
      'Regions/partially-degraded(Europe/partially-degraded(Database/degraded())America/operational())',
    );
  });
});

describe('components', () => {
  test('are a tree in order', () => {
    const line =
      '{{ c.id }} {{ c.name }} {{ c.description }} {{ c.state }} {{ c.children.size }} {{ c.notices.present | map: "id" }};';
    const tree = {
      'includes/tree.liquid': `{% for c in list %}${line}{% include 'tree' list: c.children %}{% endfor %}`,
    };
    expect(renderTemplate("{% include 'tree' list: page.components.roots %}", {}, tree)).toBe(
      '1 Website What Website is for operational 0 ;2 Regions  partially-degraded 2 ;3 Europe What Europe is for partially-degraded 1 ;' +
        '4 Database  degraded 0 6;5 America What America is for operational 0 ;',
    );
  });

  test('are empty on an empty page', () => {
    expect(renderTemplate('{% if page.components.roots == empty %}none{% endif %}', { snapshot: empty })).toBe('none');
  });

  test('have 50 levels at most, which recursive templates can handle', () => {
    const components = Array.from({ length: 300 }, (_, index) => ({
      ...incident.components[0]!,
      id: index + 1,
      parentId: index || null,
    }));
    const tree = { 'includes/tree.liquid': "{% for c in list %}.{% include 'tree' list: c.children %}{% endfor %}" };
    const notices = [{ ...incident.notices[0]!, componentIds: [1] }];
    const dots = renderTemplate(
      "{% include 'tree' list: page.components.roots %}|{% include 'tree' list: page.notices.present.first.components %}",
      { snapshot: { ...incident, components, notices } },
      tree,
    );
    expect(dots.split('|').map(each => each.length)).toEqual([300, 300]);
  });
});

test('variables are plain data without cycles, and shared objects stay shared', () => {
  for (const snapshot of Object.values(samplePages)) {
    const variables = createVariables(createView({ snapshot, now: sampleTime }));
    expect(structuredClone(variables)).toEqual(JSON.parse(JSON.stringify(variables)));
  }
  const { page } = createVariables(createView()) as {
    page: {
      notices: { present: { updates: unknown }[]; unplanned: { present: unknown[] } };
      apologies: { current: { updates: unknown }[] };
    };
  };
  expect(page.notices.unplanned.present[0]).toBe(page.notices.present[0]);
  expect(page.apologies.current[0]!.updates).toBe(page.notices.present[0]!.updates);
});
