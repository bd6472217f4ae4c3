/** The files by path of a theme written like existing ones. */
export type ThemeFixture = Record<string, string | object>;

/** A layout, recursive includes, two languages, and a style sheet that is a template. */
export const timelineTheme: ThemeFixture = {
  'layouts/boilerplate.liquid': `<!DOCTYPE html>
<html lang="{{ page.locale }}">
<head>
  <meta charset="utf-8">
  <title>{% if page_title %}{{ page_title }} - {% endif %}{{ page.meta_title }}</title>
  {%- if page.meta_description != blank %}
  <meta name="description" content="{{ page.meta_description }}">
  {%- endif %}
  {%- unless page.visible_to_search %}
  <meta name="robots" content="noindex">
  {%- endunless %}
  <link rel="stylesheet" href="{{ 'style.css' | asset_url }}">
  <link rel="icon" href="{% if page.brand.favicon.url %}{{ page.brand.favicon.url }}{% else %}{{ 'favicon.png' | asset_url }}{% endif %}">
  {{ page.content_for_head }}
</head>
<body class="{{ template.name }} is-{{ page.state }}">
  {% include 'logo' page: page %}
  {{ content_for_layout }}
  {% include 'footer' %}
  {{ page.content_for_body }}
</body>
</html>`,
  'status-page.liquid': `{% assign page_title = 'titles.status' | t %}
{% include 'notices/list', notices: page.notices.present, heading: 'headings.present' %}
{% if page.notices.present == empty %}<p class="ok">{{ 'states.operational' | t: name: page.name }}</p>{% endif %}
<ul class="components">{% include 'components/list' components: page.components.roots %}</ul>
{% include 'notices/list', notices: page.notices.planned.future, heading: 'headings.future' %}
{% assign past = page.notices.past_recent | concat: page.notices.past_distant | sort: 'ended_at' | reverse %}
{% if past.size > 0 %}
<h2>{{ 'headings.past' | t: days: page.timeline_threshold_in_days }}</h2>
{% for notice in past %}{% include 'notices/timeline-notice' %}{% endfor %}
{% else %}<p>{{ 'past.nothing' | t | raw }}</p>{% endif %}`,
  'error-page.liquid': `<h1>{{ 'titles.error' | t }}</h1><img src="{{ 'logo.svg' | asset_url }}" alt="">`,
  'maintenance-page.liquid': `<h1>{{ 'titles.maintenance' | t }}</h1>
{% for notice in page.notices.planned.present %}<p>{{ notice.subject }}: {{ notice.expected_ended_at | date: '%R %Z' }}</p>{% endfor %}`,
  'includes/logo.liquid': `<a href="{{ page.link }}">{% if page.brand.logo.url %}<img src="{{ page.brand.logo.url }}" alt="{{ page.name }}">{% else %}{{ page.name }}{% endif %}</a>`,
  'includes/footer.liquid': `<footer>{% for link in page.support %}<a class="{{ link[0] }}" href="{% case link[0] %}{% when 'email' %}mailto:{{ link[1] }}{% when 'telephone' %}tel:{{ link[1] | remove: ' ' }}{% else %}{{ link[1] }}{% endcase %}">{{ link[0] | prepend: 'support.' | t }}</a>{% endfor %}
{% for network in page.social %}<a href="https://{{ network[0] }}/{{ network[1] }}">{{ network[0] }}</a>{% endfor %}
<small>{{ 'footer.zone' | t: zone: page.timezone }} {{ 'today' | date: '%Y' }}</small></footer>`,
  'includes/components/list.liquid': `{% for component in components %}<li class="{{ component.state }}">{{ component.name }}
{%- if component.description != blank %} <small>{{ component.description }}</small>{% endif %}
{%- if component.notices.present.size > 0 %} <a href="{{ component.notices.present.first.link }}">{{ component.notices.present.size }}</a>{% endif %}
{%- if component.children.size > 0 %}<ul>{% include 'components/list' components: component.children %}</ul>{% endif %}</li>{% endfor %}`,
  'includes/notices/list.liquid': `{% unless notices == empty %}<h2>{{ heading | t }}</h2>
{% for notice in notices %}<article id="notice-{{ notice.id }}" class="{{ notice.type }} {{ notice.state }}">
<h3><a href="{{ notice.link }}">{{ notice.subject }}</a></h3>
{% include './times' %}
{% for component in notice.components %}<span>{{ component.name }}</span>{% endfor %}
{% for update in notice.updates %}<div><time datetime="{{ update.created_at }}">{{ update.created_at | date: '%-d %B %Y %R %Z' }}</time>{{ update.content }}</div>{% else %}<p>{{ 'notices.no_updates' | t }}</p>{% endfor %}
</article>{% endfor %}{% endunless %}`,
  'includes/notices/times.liquid': `{% case notice.state %}{% when 'scheduled' %}{{ notice.begins_at | date: '%A, %-d %B %R' }} - {{ notice.ends_at | date: '%R %Z' }} ({{ notice.expected_duration | distance_of_time_in_words }}){% else %}{{ 'notices.since' | t: time: notice.began_at }} {{ notice.began_at | time_ago_in_words }}{% endcase %}`,
  'includes/notices/timeline-notice.liquid': `<section>{% ifchanged %}<h3>{{ notice.ended_at | date: '%A, %-d %B' }}</h3>{% endifchanged %}
<a href="{{ notice.link }}">{{ notice.subject | truncate: 40 }}</a>{% if notice.duration %} {{ notice.duration | distance_of_time_in_words }}{% endif %} {{ notice.state }}</section>`,
  'locales/en.json': {
    titles: { status: 'Status', error: 'Something went wrong', maintenance: 'Back soon' },
    headings: { present: 'Now', future: 'Planned', past: 'The last %{days} days' },
    states: { operational: '%{name} is up' },
    notices: { no_updates: 'No news yet', since: 'for' },
    past: { nothing: '<em>Nothing</em> happened' },
    support: { email: 'Write to us', telephone: 'Call us', url: 'Help' },
    footer: { zone: 'Times are in %{zone}.' },
  },
  'locales/de.json': { titles: { status: 'Lage' }, headings: { present: 'Jetzt' } },
  'assets/style.css': `body { background: {{ page.brand.color_body_background }} url("{{ 'logo.svg' | asset_url }}"); color: {{ page.brand.color_body_text }} }
{% if page.state == 'operational' %}.bar { color: {{ page.brand.color_state_ok }} }{% else %}.bar { color: {{ page.brand.color_state_warning }} }{% endif %}
@import url({{ 'print.css' | asset_url }});`,
  'assets/print.css': '@media print { nav { display: none } }',
  'assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/favicon.png': 'png',
  'assets/script.js': 'document.body.dataset.js = "{{ untouched }}"',
  'assets/terms.unknown': 'x',
};

/** A single file that uses the legacy variable names. */
export const apologyTheme: ThemeFixture = {
  'status-page.liquid': `<html><head><title>{{ page.name | escape }}</title>{{ page.content_for_head }}</head><body>
{% if page.apologies.current.size > 0 %}{% for apology in page.apologies.current %}<h2>{{ apology.subject | h }}</h2>
{% assign newest = apology.updates | last %}{{ newest.content }}{% endfor %}
{% else %}<h2>All is well</h2>{% endif %}
{% assign recent = page.apologies.recent | where: 'type', 'unplanned' | sort: 'closed_at' %}
{% for apology in recent reversed %}{{ apology.closed_at | date: "%b %-d, %R" }}: {{ apology.subject }}{% unless forloop.last %};{% endunless %}{% endfor %}
{% if current_subscriber %}{{ current_subscriber.email }}{% endif %}{{ page.old_setting }}{{ page.name | old_filter: 'x' }}
{{ page.content_for_body }}</body></html>`,
};

/** `render`, tables, counters, and the rest of the Liquid language. */
export const tableTheme: ThemeFixture = {
  'status-page.liquid': `{%- liquid
  assign open = page.notices.present | map: 'subject' | join: ', '
  if open == blank
    assign open = 'nothing'
  endif
-%}
<p>{{ open }}</p>
{% comment %} {{ page.name }} {% endcomment %}{% raw %}{{ as it is }}{% endraw %}
<table>{% tablerow component in page.components.roots cols: 2 %}{{ component.name }}{% endtablerow %}</table>
{% render 'row' for page.notices.present as notice %}
{% render 'row', notice: page.notices.past_recent.first %}
{% include 'row' with page.notices.past_recent.last as notice %}
{% for i in (1..3) %}{% cycle 'a', 'b' %}{% increment n %}{% if i == 2 %}{% continue %}{% endif %}{% endfor %}
{% capture link %}<a href="{{ page.link }}">{{ page.name }}</a>{% endcapture %}{{ link }}{% if link contains 'href' %}!{% endif %}
{% assign groups = page.notices.past_recent | group_by: 'type' %}{% for group in groups %}{{ group.name }} {{ group.items.size }} {% endfor %}`,
  'includes/row.liquid': `[{{ notice.id }} {{ notice.subject }} {{ page.name }} {{ forloop.index }}]`,
};
