import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { atomFeed } from '../../../../src/status-page/feeds/atom.js';
import { jsonFeed } from '../../../../src/status-page/feeds/json-feed.js';
import { rssFeed } from '../../../../src/status-page/feeds/rss.js';
import type { PageView } from '../../../../src/status-page/view/view.js';
import { relaxNgErrors } from '../../../support/relax-ng.js';
import { jsonFeedSchema } from '../../../support/json-feed-schema.js';
import {
  minutesAgo,
  renderBody,
  component,
  renderRoute,
  hostileTexts,
  notice,
  createView,
} from '../../../support/page-views.js';
import { samplePages, buildSampleView } from '../../../support/sample-pages.js';
import { matchRoute } from '../../../../src/status-page/server/match-route.js';
import { childrenNamed, parseXml, childText } from '../../../support/xml-tree.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = notice(7, 'unplanned', 'identified', {
  subject: 'Payments fail',
  componentIds: [2],
  tags: ['cards'],
  updates: ['We look into *it*.', 'Found it.'],
  updatedAt: minutesAgo(2),
});
const maintenance = notice(8, 'planned', 'scheduled', {
  subject: 'New disks',
  componentIds: [3],
  updates: ['Quiet night.'],
  createdAt: minutesAgo(12),
});
const announcement = notice(9, 'general', null, { subject: 'Hello', createdAt: minutesAgo(11) });
const view = createView({ components, notices: [incident, maintenance, announcement] });
const hostile = createView({
  page: { name: hostileTexts.join('') },
  components: hostileTexts.map((text, index) => component(index + 1, text)),
  notices: hostileTexts.map((text, index) =>
    notice(index + 1, 'unplanned', 'investigating', {
      subject: text,
      synopsis: text,
      tags: [text],
      updates: [text],
      componentIds: [index + 1],
    }),
  ),
});

/** Each has 60,000 characters. Only the last two changed lately. */
const longNotices = Array.from({ length: 50 }, (_, index) => {
  const createdAt = minutesAgo(index < 48 ? 1_000 + index : 100 + index);
  const long = notice(index + 1, 'unplanned', 'identified', {
    subject: `Long ${index + 1}`,
    createdAt,
    beganAt: createdAt,
  });
  const [update] = notice(0, 'unplanned', 'identified', { updates: ['&'.repeat(60_000)] }).updates;
  return { ...long, updates: [{ ...update!, createdAt }] };
});

const sampleViews = Object.values(samplePages).map(samplePage => buildSampleView(samplePage));

test('a feed has the notices that changed last, as many as have 500,000 characters together', async () => {
  const body = await renderBody(jsonFeed, createView({ notices: longNotices }));
  const { items } = JSON.parse(String(body)) as { items: { title: string }[] };
  expect(items.map(({ title }) => title)).toEqual([
    'Long 49',
    'Long 50',
    ...[1, 2, 3, 4, 5, 6].map(id => `Long ${id}`),
  ]);
  const [only] = longNotices;
  const one = createView({
    notices: [{ ...only!, updates: [{ ...only!.updates[0]!, content: 'x'.repeat(600_000) }] }],
  });
  expect(JSON.parse(String(await renderBody(jsonFeed, one))).items).toHaveLength(1);
});

test('a feed of one notice has its newest updates, as many as have 500,000 characters together', async () => {
  const [long] = longNotices;
  const updates = Array.from({ length: 12 }, (_, index) => ({ ...long!.updates[0]!, id: index + 1 }));
  const one = createView({ notices: [{ ...long!, updates }] });
  const [, token] = /^(\w{16})/.exec(long!.path) ?? [];
  const { items } = JSON.parse(String(await renderBody(jsonFeed, one, { notice: token! }))) as {
    items: { url: string; content_html: string }[];
  };
  expect(items.filter(({ url }) => url.includes('#update-')).map(({ url }) => url.replace(/.*#update-/, ''))).toEqual([
    '12',
    '11',
    '10',
    '9',
    '8',
    '7',
    '6',
    '5',
  ]);
});

test('components of a notice with many updates are categories of the first entries', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => component(index + 1, 'a'.repeat(255)));
  const updates = Array.from({ length: 50 }, (_, index) => `No. ${index}`);
  const long = notice(7, 'unplanned', 'identified', { componentIds: many.map(({ id }) => id), updates });
  const text = await renderBody(atomFeed, createView({ components: many, notices: [long] }), {
    notice: long.path.slice(0, 16),
    updates: '1',
  });
  expect(text.match(/<entry>/g)).toHaveLength(50);
  expect(text.match(/<category scheme="tag:all-clear,2026:component"/g)).toHaveLength(Math.floor(500_000 / 355));
});

describe('the Atom feed', () => {
  test('is valid by the grammar of RFC 4287 on all pages, for a component, and with hostile texts', async () => {
    const documents = await Promise.all([
      ...[
        view,
        createView(),
        createView({ components, notices: [incident], locale: 'ar' }),
        hostile,
        ...sampleViews,
      ].map(one => renderBody(atomFeed, one)),
      renderBody(atomFeed, view, { component: '2' }),
    ]);
    for (const document of documents) expect(relaxNgErrors('test/support/atom.rng', document)).toBe('');
  });

  test('fails validation when it is invalid', async () => {
    const body = await renderBody(atomFeed, view);
    const broken = [
      body.replace(/<id>.*?<\/id>\n/, ''),
      body.replace(/T(\d\d:\d\d)/, ' $1'),
      body.replace(/<author>.*?<\/author>\n/, ''),
    ];
    for (const document of broken) {
      expect(document).not.toBe(body);
      expect(relaxNgErrors('test/support/atom.rng', document)).not.toBe('');
    }
  });

  test('has an entry per notice, the latest first, with an absolute URL and a stable id', async () => {
    const feed = parseXml(await renderBody(atomFeed, view));
    const entries = childrenNamed(feed, 'entry');
    expect(entries.map(entry => childText(entry, 'title'))).toEqual(['Payments fail', 'Hello', 'New disks']);
    expect(childText(entries[0]!, 'id')).toBe('tag:all-clear,2026:notice/token00000000007');
    expect(childrenNamed(entries[0]!, 'link')[0]!.attributes.href).toBe(
      `https://status.example.com/notices/token00000000007-payments-fail`,
    );
    expect(childText(entries[0]!, 'updated')).toBe(minutesAgo(2));
    expect(childText(feed, 'updated')).toBe(minutesAgo(2));
    const renamed = createView({
      notices: [{ ...incident, subject: 'Other', path: 'token00000000007-other' }],
      mount: otherMount,
    });
    const [entry] = childrenNamed(parseXml(await renderBody(atomFeed, renamed)), 'entry');
    expect(childText(entry!, 'id')).toBe('tag:all-clear,2026:notice/token00000000007');
    expect(childrenNamed(entry!, 'link')[0]!.attributes.href).toBe(
      'https://example.net/status/a1b2c3d4/notices/token00000000007-other',
    );
  });

  test('has the time of an edited update as the time of its entry', async () => {
    const edited = {
      ...incident,
      updates: incident.updates.map(update => ({ ...update, updatedAt: minutesAgo(1), editedAt: minutesAgo(1) })),
    };
    const feed = parseXml(await renderBody(atomFeed, createView({ notices: [edited] })));
    expect(childText(childrenNamed(feed, 'entry')[0]!, 'updated')).toBe(minutesAgo(1));
    expect(childrenNamed(feed, 'entry')[0]!.text).toContain('edited');
  });

  test('has type, state, components and tags as categories', async () => {
    const entry = childrenNamed(parseXml(await renderBody(atomFeed, view)), 'entry')[0]!;
    expect(
      childrenNamed(entry, 'category').map(({ attributes: { scheme, term, label } }) => [
        scheme!.split(':').at(-1),
        term,
        label,
      ]),
    ).toEqual([
      ['type', 'unplanned', 'Incident'],
      ['state', 'identified', 'Identified'],
      ['component', '2', 'Checkout'],
      ['tag', 'cards', 'cards'],
    ]);
  });

  test('names the type of an announcement in place of a state', async () => {
    const entries = childrenNamed(parseXml(await renderBody(atomFeed, view)), 'entry');
    expect(childText(entries[1]!, 'content')).toBe('<p>Announcement</p>');
  });

  test('contains the updates as HTML, newest first', async () => {
    const [, ...html] = childText(
      childrenNamed(parseXml(await renderBody(atomFeed, view)), 'entry')[0]!,
      'content',
    )!.split('<time');
    expect(html).toHaveLength(2);
    expect(html[0]).toContain('Found it.');
    expect(html[1]).toContain('<em>it</em>');
  });

  test('has at most 50 entries', async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      notice(index + 1, 'unplanned', 'resolved', { beganAt: minutesAgo(100 - index) }),
    );
    const entries = childrenNamed(parseXml(await renderBody(atomFeed, createView({ notices: many }))), 'entry');
    expect(entries).toHaveLength(50);
    expect(childText(entries[0]!, 'title')).toBe('Notice 60');
  });
});

test('a feed has a maintenance that was announced before 50 others and has begun', async () => {
  const old = minutesAgo(50_000);
  const announced = { createdAt: old, updatedAt: old, subject: 'New disks', beganAt: minutesAgo(3) };
  const others = Array.from({ length: 50 }, (_, index) =>
    notice(index + 2, 'unplanned', 'resolved', { createdAt: minutesAgo(1_000 - index) }),
  );
  const notices = [notice(1, 'planned', 'underway', announced), ...others];
  const { items } = JSON.parse(String(await renderBody(jsonFeed, createView({ notices })))) as {
    items: { title: string }[];
  };
  expect(items).toHaveLength(50);
  expect(items.at(-1)!.title).toBe('New disks');
});

const otherMount = {
  origin: 'https://example.net',
  path: '/status/a1b2c3d4/',
  canonical: 'https://a1b2c3d4.example.net/',
};

describe('the RSS feed', () => {
  test('has the elements that RSS 2.0 requires', async () => {
    const rss = parseXml(await renderBody(rssFeed, view));
    expect(rss).toMatchObject({ name: 'rss', attributes: { version: '2.0' } });
    const channel = childrenNamed(rss, 'channel')[0]!;
    expect(['title', 'link', 'description', 'language'].map(name => childText(channel, name))).toEqual([
      'Acme: notices',
      'https://status.example.com/',
      'Acme: notices',
      'en',
    ]);
    const items = childrenNamed(channel, 'item');
    expect(items.map(item => childText(item, 'title'))).toEqual(['Payments fail', 'Hello', 'New disks']);
    expect(childrenNamed(items[0]!, 'guid')[0]).toMatchObject({
      text: 'tag:all-clear,2026:notice/token00000000007',
      attributes: { isPermaLink: 'false' },
    });
    expect(childText(items[0]!, 'link')).toBe('https://status.example.com/notices/token00000000007-payments-fail');
    expect(childText(items[0]!, 'pubDate')).toBe('Fri, 20 Nov 2026 14:20:00 GMT');
    expect(childText(items[0]!, 'description')).toContain('Found it.');
    expect(childrenNamed(items[0]!, 'category')).toHaveLength(4);
  });

  test('is well-formed with hostile texts, and keeps all characters that XML allows', async () => {
    const channel = childrenNamed(parseXml(await renderBody(rssFeed, hostile)), 'channel')[0]!;
    const titles = childrenNamed(channel, 'item').map(item => childText(item, 'title'));
    expect(titles).toHaveLength(hostileTexts.length);
    expect(titles).toContain(']]><script>alert(1)</script>');
    expect(titles).toContain('half \ufffd and \ufffd of a pair');
    expect(childrenNamed(channel, 'item')[0]!.children.every(({ children }) => !children.length)).toBe(true);
  });
});

describe('the JSON feed', () => {
  const validate = addFormats.default(new Ajv2020({ strict: true })).compile(jsonFeedSchema);

  test.each([
    ['with entries', view],
    ['empty', createView()],
    ['with hostile texts', hostile],
    ...sampleViews.map((one): [string, PageView] => [one.page.name, one]),
  ])('is valid JSON Feed 1.1 %s', async (_, one) => {
    validate(JSON.parse(await renderBody(jsonFeed, one)));
    expect(validate.errors).toBeNull();
  });

  test('contains only the expected HTML tags with hostile texts', async () => {
    const { items } = JSON.parse(await renderBody(jsonFeed, hostile)) as { items: { content_html: string }[] };
    const tags = items.flatMap(({ content_html }) => content_html.match(/<\/?[a-z!?][^\s>]*/gi) ?? []);
    expect([...new Set(tags)].filter(tag => !/^<\/?(p|strong|time)$/.test(tag))).toEqual([]);
    expect(items).toHaveLength(hostileTexts.length);
  });

  test('has the same content as the other feeds', async () => {
    const feed = JSON.parse(await renderBody(jsonFeed, view, { component: '2' }));
    expect(feed).toMatchObject({
      feed_url: 'https://status.example.com/feed.json?component=2',
      home_page_url: 'https://status.example.com/',
    });
    expect(feed.items[0]).toMatchObject({
      id: 'tag:all-clear,2026:notice/token00000000007',
      url: 'https://status.example.com/notices/token00000000007-payments-fail',
      title: 'Payments fail',
      summary: 'We look into *it*.',
      date_published: minutesAgo(10),
      date_modified: minutesAgo(2),
      tags: ['Incident', 'Identified', 'Checkout', 'cards'],
    });
  });
});

test('entries have the date of their publication here, in its order, and say when the notice began', async () => {
  const backDated = notice(3, 'unplanned', 'resolved', {
    createdAt: minutesAgo(4),
    beganAt: minutesAgo(900),
    updatedAt: minutesAgo(0),
  });
  const begun = notice(1, 'planned', 'underway', { createdAt: minutesAgo(700), beganAt: minutesAgo(5) });
  const feed = parseXml(
    await renderBody(atomFeed, createView({ notices: [backDated, begun, notice(2, 'unplanned', 'identified')] })),
  );
  expect(childText(feed, 'updated')).toBe(minutesAgo(0));
  const entries = childrenNamed(feed, 'entry');
  expect(entries.map(entry => [childText(entry, 'title'), childText(entry, 'published')])).toEqual([
    ['Notice 3', minutesAgo(4)],
    ['Notice 2', minutesAgo(10)],
    ['Notice 1', minutesAgo(700)],
  ]);
  expect(childText(entries[0]!, 'content')).toContain('Started');
});

describe('with updates=1', () => {
  const readItems = async (notices: Parameters<typeof createView>[0]) =>
    (
      JSON.parse(await renderBody(jsonFeed, createView(notices), { updates: '1' })) as {
        items: { id: string; title: string; date_published: string }[];
      }
    ).items.map(({ id, title, date_published }) => [id.split('notice/')[1], title, date_published]);

  test('there is an entry for each update, with its state, in the order of their dates', async () => {
    const items = await readItems({ components, notices: [incident, maintenance, announcement] });
    expect(items.map(([, title]) => title).toSorted()).toEqual([
      'Hello',
      'Identified: Payments fail',
      'Identified: Payments fail',
      'Scheduled: New disks',
    ]);
    const dates = items.map(([, , date]) => date!);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(new Set(items.map(([id]) => id)).size).toBe(4);
  });

  test('what begins or ends without an update has an entry, whose id stays', async () => {
    const at = { createdAt: minutesAgo(700), subject: 'New disks' };
    const scheduled = notice(8, 'planned', 'scheduled', at);
    const begun = notice(8, 'planned', 'underway', { ...at, beganAt: minutesAgo(20) });
    const over = notice(8, 'planned', 'complete', { ...at, beganAt: minutesAgo(20), endedAt: minutesAgo(1) });
    const first = ['token00000000008', 'Scheduled: New disks', minutesAgo(700)];
    const second = ['token00000000008/began', 'In progress: New disks', minutesAgo(20)];
    const third = ['token00000000008/ended', 'Complete: New disks', minutesAgo(1)];
    expect(await readItems({ notices: [scheduled] })).toEqual([first]);
    expect(await readItems({ notices: [begun] })).toEqual([second, first]);
    expect(await readItems({ notices: [over] })).toEqual([third, second, first]);
  });

  test.each(['1', 'true', 'TRUE', 'yes', 'on'])('updates=%s is the same', async updates => {
    const read = async (query: Record<string, string>) =>
      (JSON.parse(await renderBody(jsonFeed, view, query)) as { items: unknown }).items;
    expect(await read({ updates })).toEqual(await read({ updates: '1' }));
    expect(await read({ updates })).not.toEqual(await read({}));
  });

  test.each(['0', 'false', 'no'])('updates=%s has an entry for each notice', async updates => {
    const read = async (query: Record<string, string>) =>
      (JSON.parse(await renderBody(jsonFeed, view, query)) as { items: unknown }).items;
    expect(await read({ updates })).toEqual(await read({}));
  });

  test('a component has those that concern it, and another value is not found', async () => {
    const body = await renderBody(rssFeed, view, { updates: '1', component: '3' });
    expect(body).toContain('New disks');
    expect(body).not.toContain('Payments fail');
    expect(body).toContain('feed.rss?updates=1&amp;component=3');
    expect(await rssFeed.render(view, { path: {}, query: { updates: '2' } })).toBeNull();
  });

  test('the Atom feed is valid', async () => {
    expect(relaxNgErrors('test/support/atom.rng', await renderBody(atomFeed, view, { updates: '1' }))).toBe('');
  });
});

test.each([
  ['history.rss', '', 'feed.rss'],
  ['history.atom', '', 'feed.atom'],
  ['rss', 'component=2', 'feed.rss?component=2'],
  ['feed', '', 'feed.rss'],
  ['feed/atom', '', 'feed.atom'],
  ['index.xml', '', 'feed.rss'],
  ['status/main/rss', '', 'feed.rss'],
])('/%s?%s, an address of other products, leads to %s', async (path, query, feed) => {
  const { route, parameters } = matchRoute(path, query)!;
  expect(await route.render(view, parameters)).toMatchObject({
    status: 301,
    headers: { Location: `https://status.example.com/${feed}` },
  });
});

test('the feed of a notice has an entry per update, newest first, and validates; another notice is not found', async () => {
  const token = (one: typeof incident) => one.path.slice(0, 16);
  const read = (one: typeof incident) => renderBody(jsonFeed, view, { notice: token(one) });
  const { title, home_page_url, items } = JSON.parse(await read(incident)) as Record<string, never> & {
    items: { id: string; url: string; title: string; content_html: string }[];
  };
  expect([title, home_page_url]).toEqual([
    `Payments fail – ${view.page.name}`,
    `https://status.example.com/notices/${incident.path}`,
  ]);
  expect(items.map(one => [one.title, one.content_html.trim()])).toEqual([
    ['Identified: Payments fail', '<p>Found it.</p>'],
    ['Identified: Payments fail', '<p>We look into <em>it</em>.</p>'],
  ]);
  expect(new Set(items.map(({ id }) => id)).size).toBe(2);
  expect(items[0]!.url).toMatch(/#update-\d+$/);
  expect(JSON.parse(await read(announcement)).items).toHaveLength(1);
  const atom = await renderBody(atomFeed, view, { notice: token(incident) });
  expect(relaxNgErrors('test/support/atom.rng', atom)).toBe('');
  expect(await jsonFeed.render(view, { path: {}, query: { notice: 'x'.repeat(16) } })).toBeNull();
  expect(jsonFeed.requiredNotices!({ path: {}, query: { notice: 'x'.repeat(16) } }, view)).toEqual({
    token: 'x'.repeat(16),
  });
  const { path } = incident;
  const findRequired = (updateCount: number) =>
    jsonFeed.requiredNotices!(
      { path: {}, query: { notice: token(incident) } },
      createView({ notices: [notice(1, 'unplanned', 'investigating', { path, updates: ['Hm'], updateCount })] }),
    );
  expect([1, 2].map(findRequired)).toEqual([null, { token: token(incident) }]);
});

describe.each([atomFeed, rssFeed, jsonFeed])('$path', feed => {
  test('of a component has the notices that name it, an ancestor or descendant, or no component', async () => {
    const listSubjects = async (id: number) => {
      const text = await renderBody(feed, view, { component: String(id) });
      return ['Payments fail', 'New disks', 'Hello'].filter(subject => text.includes(subject));
    };
    expect(await listSubjects(2)).toEqual(['Payments fail', 'Hello']);
    expect(await listSubjects(1)).toEqual(['Payments fail', 'Hello']);
    expect(await listSubjects(3)).toEqual(['New disks', 'Hello']);
  });

  test('of a component has the notices that name its parent', async () => {
    const parentNamed = createView({
      components,
      notices: [notice(7, 'unplanned', 'identified', { subject: 'Shop fails', componentIds: [1] })],
    });
    expect(await renderBody(feed, parentNamed, { component: '2' })).toContain('Shop fails');
    expect(await renderBody(feed, parentNamed, { component: '3' })).not.toContain('Shop fails');
  });

  test.each(['4', '02', '', 'x', '1e0', '99999999999'])('is not found for the component "%s"', async id => {
    expect(await feed.render(view, { path: {}, query: { component: id } })).toBeNull();
  });

  test('has its content type with a charset', async () => {
    const { type } = await renderRoute(feed, view);
    expect(type).toMatch(/^application\/(atom\+xml|rss\+xml|feed\+json); charset=utf-8$/);
  });

  test('is in the language of the view', async () => {
    const german = await renderBody(feed, createView({ notices: [incident], locale: 'de', components }));
    expect(german).toMatch(/(xml:lang="|<language>|"language":")de/);
    expect(german).toContain(`https://status.example.com/${feed.path}?lang=de`);
  });
});
