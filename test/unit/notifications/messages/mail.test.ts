import PostalMime from 'postal-mime';
import { prepareMessage } from '../../../../src/notifications/channels/email/compose-mail.js';
import { composeTransactionalMail } from '../../../../src/notifications/channels/email/transactional-mail.js';
import { buildMessageContent, toReadableTextWithLinks } from '../../../../src/notifications/messages/content.js';
import { composeComponentsText } from '../../../../src/notifications/messages/event.js';
import { describe, expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { prepareMail, renderMail } from '../../../../src/notifications/messages/mail.js';
import { computeMailColours } from '../../../../src/notifications/messages/mail-colours.js';
import { parseColour, contrastRatio, textContrast } from '../../../../src/pages/branding/contrast.js';
import { locales } from '../../../../src/i18n/locales.js';
import { formatWindowText } from '../../../../src/notifications/messages/event.js';
import { getTranslator } from '../../../../src/i18n/translator.js';
import { createSnapshot, createPlannedSnapshot } from '../../../support/message-snapshots.js';

const links = {
  preferences: 'https://status.meridian.example/p/1',
  unsubscribe: 'https://status.meridian.example/u/1',
};
const older = [
  { id: 3, content: 'Fixed.', createdAt: '2026-11-20T14:00:00.000Z' },
  { id: 2, content: 'Cause found.', createdAt: '2026-11-20T13:30:00.000Z' },
  { id: 1, content: 'Looking.', createdAt: '2026-11-20T13:02:00.000Z' },
];
const closed = createSnapshot({
  event: 'closed',
  at: '2026-11-20T14:00:00.000Z',
  text: 'Fixed.',
  updates: older,
  notice: { state: 'resolved', endedAt: '2026-11-20T14:00:00.000Z' },
});
const findPositions = (text: string, ...parts: string[]) => parts.map(part => text.indexOf(part));
const isAscending = (positions: number[]) =>
  positions.every((position, index) => position > (positions[index - 1] ?? -1));

test('a component without a state of its own has no separator after its name', () => {
  const components = [
    { id: 1, name: 'Cards', impact: 'major-outage' as const },
    { id: 2, name: 'Refunds' },
  ];
  const { html } = renderMail(createSnapshot({ notice: { components } }), links);
  expect(html).toMatch(
    /<bdi>Cards<\/bdi><\/strong><span[^>]*> · Major outage<\/span><br><strong><bdi>Refunds<\/bdi><\/strong><\/p>/,
  );
});

test('long texts are rendered once for all recipients', () => {
  const snapshot = createSnapshot({ updates: older });
  let reads = 0;
  const counted = new Proxy(snapshot, {
    get: (target, name) => {
      if (name === 'updates') reads += 1;
      return Reflect.get(target, name);
    },
  });
  const prepared = prepareMail(counted);
  const mails = [1, 2, 3].map(id => prepared.render({ ...links, unsubscribe: `https://a.example/${id}` }));
  expect(reads).toBe(1);
  for (const [index, { html, text }] of mails.entries())
    for (const part of [html, text])
      expect(part.match(/https:\/\/a\.example\/\d/g)).toEqual([`https://a.example/${index + 1}`]);
});

const postedAt = '2026-11-20T14:00:00.000Z';
const quotes = (length: number, end: string) => `${'>'.repeat(16)}a\n\n`.repeat(length / 19) + end;

test('texts whose HTML is long are followed by no earlier ones', () => {
  const updates = Array.from({ length: 10 }, (_, index) => ({
    id: 10 - index,
    content: quotes(1_000, `Text ${index}.`),
    createdAt: postedAt,
  }));
  const { html, text } = renderMail(createSnapshot({ text: updates[0]!.content, updates }), links);
  expect(html.length).toBeLessThan(270_000);
  expect(html).toContain('Text 1.');
  for (const part of [html, text]) expect(part).not.toContain('Text 9.');
  const shown = (part: string) => part.match(/Text \d\./g);
  expect(shown(text)).toEqual(shown(html.slice(html.indexOf('<h1'))));
});

test('a text whose HTML is too long is in the mail as it is', () => {
  const content = quotes(60_000, '<b>End</b>');
  const updates = [
    { id: 2, content, createdAt: postedAt },
    { id: 1, content: 'Earlier.', createdAt: postedAt },
  ];
  const { html } = renderMail(createSnapshot({ text: content, updates }), links);
  expect(html.length).toBeLessThan(310_000);
  expect(html).toContain('&gt;a');
  expect(html).toContain('&lt;b&gt;End&lt;/b&gt;');
  expect(html).not.toContain('Earlier.');
});

test.each([
  ['日本', 30_000, 'base64'],
  ['日本', 100, 'quoted-printable'],
  ['Mail', 15_000, 'quoted-printable'],
])('a text of %s %i times is encoded as %s', async (word, times, encoding) => {
  const text = word.repeat(times);
  const sender = { name: null, address: 'status@example.com', baseHost: 'example.com' };
  const recipient = { messageId: '<1@example.com>', to: 'a@example.com', ...links };
  const mail = await prepareMessage(createSnapshot({ text, updates: [] }), sender).compose(recipient);
  expect(mail.match(/^Content-Transfer-Encoding: .*(?=\r)/gm)).toEqual(
    Array(2).fill(`Content-Transfer-Encoding: ${encoding}`),
  );
  const { text: plain, html } = await PostalMime.parse(mail);
  for (const part of [plain, html]) expect(part).toContain(text);
});

test('the calendar of a mail is made once, with the first hundred components', async () => {
  const components = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Component ${id}` }));
  const snapshot = createPlannedSnapshot({ notice: { components } });
  let reads = 0;
  const counted = new Proxy(snapshot.notice, {
    get: (target, name) => {
      if (name === 'components') reads += 1;
      return Reflect.get(target, name);
    },
  });
  const sender = { name: null, address: 'status@example.com', baseHost: 'example.com' };
  const prepared = prepareMessage({ ...snapshot, notice: counted }, sender);
  const readsBefore = reads;
  const compose = async (to: string) => {
    const { attachments } = await PostalMime.parse(
      await prepared.compose({ messageId: '<1@a.example>', to, ...links }),
    );
    return Buffer.from(attachments[0]!.content as ArrayBuffer).toString();
  };
  const calendar = await compose('a@example.com');
  expect(await compose('b@example.com')).toBe(calendar);
  expect([readsBefore > 0, reads]).toEqual([true, readsBefore]);
  expect(calendar.match(/^CATEGORIES:/gm)).toHaveLength(100);
});

test('a text with thousands of links takes time that is linear in their number', () => {
  // The best of several attempts, since other tests run at the same time. The first one renders the Markdown.
  const measure = (count: number) => {
    const times = [1, 2, 3, 4].map(() => {
      const startedAt = performance.now();
      expect(toReadableTextWithLinks('www.a.b '.repeat(count))).toContain('www.a.b (http://www.a.b) www.a.b');
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  };
  measure(800);
  // Ten times as long, or a hundred times if it were quadratic.
  expect(measure(8_000) / measure(800)).toBeLessThan(60);
});

describe('the header of the e-mail', () => {
  const image = (name: string) => ({
    url: `https://status.meridian.example/brand/1/${name}.png`,
    width: 480,
    height: 96,
  });
  const render = (images?: object) => renderMail(createSnapshot({ page: { images } }), links).html;

  test('has the name of the page where there is no logo, and loads nothing', () => {
    for (const html of [render(), render({})]) {
      expect(html).toMatch(/<a class="header-text"[^>]*>Meridian<\/a>/);
      expect(html).not.toContain('<img');
    }
  });

  test('has the logo, 36 pixels high, and the other one in the dark scheme', () => {
    const html = render({ logo: image('logo'), logoDark: image('logo-dark') });
    expect(html).toContain(
      '<img class="logo" src="https://status.meridian.example/brand/1/logo.png" alt="Meridian" width="180" height="36"',
    );
    expect(html).toMatch(/<img class="logo-dark"[^>]*style="border:0;display:none;mso-hide:all">/);
    expect(html).toMatch(/dark\)\{.*\.logo\{display:none!important\}\.logo-dark\{display:block!important\}/);
    const single = render({ logo: { ...image('logo'), width: 4_000 } });
    expect(single).toContain('width="224" height="5"');
    expect(single).not.toContain('logo-dark');
    // It was made for the light header.
    expect([html, single].map(one => one.includes('.header{background-color'))).toEqual([true, false]);
  });
});

describe('the e-mail about an incident', () => {
  test('has state, subject and page in its subject', () => {
    expect(renderMail(createSnapshot(), links).subject).toBe('[Investigating] Payments fail – Meridian');
    expect(renderMail(closed, links).subject).toBe('[Resolved] Payments fail – Meridian');
  });

  test.each(['text', 'html'] as const)(
    'has the newest update first and the older ones below, newest first, in the %s part',
    form => {
      const mail = renderMail(closed, links)[form];
      const body = mail.slice(mail.indexOf('Payments fail', mail.indexOf('<h1') + 1));
      expect(
        isAscending(findPositions(body, 'Fixed.', 'Earlier updates', 'Cause found.', 'Looking.', 'Unsubscribe')),
      ).toBe(true);
      expect(body.split('Fixed.')).toHaveLength(2);
    },
  );

  test('shows images of the page, from its address, and has links to those of a private page', () => {
    const path = 'images/0123456789abcdef-1600x900.png';
    const text = `![map](https://old.example/${path})`;
    const { html, text: plainText } = renderMail(createSnapshot({ text }), links);
    expect(html).toMatch(
      new RegExp(
        `<img style="[^"]+" src="https://status.meridian.example/${path}" alt="map" width="1600" height="900"`,
      ),
    );
    expect(plainText).toContain(`map (https://old.example/${path})`);
    const privateMail = renderMail(createSnapshot({ text, page: { isPrivate: true } }), links).html;
    expect(privateMail).not.toContain('<img');
    expect(privateMail).toContain(`href="https://old.example/${path}"`);
  });

  test('has texts of the operator in their own direction, with bullets beside their words', () => {
    const { html } = renderMail(createSnapshot({ page: { locale: 'ar' } }), links);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toMatch(/<div dir="auto" style="[^"]*text-align:start[^"]*"><p[^>]*>Card payments/);
    expect(html).toMatch(/<h1[^>]*><bdi>Payments fail<\/bdi>/);
  });

  const outage = createSnapshot({
    notice: {
      components: [
        { id: 1, name: 'Checkout', impact: 'major-outage' },
        { id: 2, name: 'API <v2>', impact: 'degraded' },
      ],
    },
  });

  test('has the state of each component, and that of an outage in the colour of outages', () => {
    const { html, text } = renderMail(outage, links);
    expect(text).toContain('Affected components: Checkout (Major outage) and API <v2> (Degraded)');
    expect(html).toMatch(
      /Affected components:<br><strong><bdi>Checkout<\/bdi><\/strong><span [^>]*> · Major outage<\/span><br><strong><bdi>API &lt;v2&gt;<\/bdi><\/strong><span [^>]*> · Degraded</,
    );
    expect(html).toContain('font-weight:bold;color:#dc2626">Investigating');
    const recovering = createSnapshot({ notice: { ...outage.notice, state: 'recovering' } });
    expect(renderMail(recovering, links).html).not.toContain('#dc2626');
  });

  test('has the names of the components alone when it is over, and where the snapshot has no impact', () => {
    const resolved = createSnapshot({ notice: { ...outage.notice, state: 'resolved' } });
    expect(renderMail(resolved, links).text).toContain('Affected components: Checkout and API <v2>\n');
    expect(renderMail(createSnapshot(), links).html).toContain(
      'Affected components: <strong><bdi>Checkout</bdi></strong>',
    );
  });

  test('says once when an incident began that is published at once, and both times where they differ', () => {
    const count = (snapshot: Parameters<typeof renderMail>[0]) =>
      renderMail(snapshot, links).text.split('20 November 2026, 14:02 CET').length - 1;
    expect(count(createSnapshot())).toBe(1);
    const earlier = renderMail(createSnapshot({ notice: { beganAt: '2026-11-20T12:00:00.000Z' } }), links).text;
    expect(earlier).toContain('Started 20 November 2026, 13:00 CET');
  });

  test('has the colons of its language', () => {
    const { text } = renderMail(createSnapshot({ page: { locale: 'fr' } }), links);
    expect(text).toContain('Composants concernés\u00a0: Checkout');
    const { html } = renderMail(createSnapshot({ page: { locale: 'ja' } }), links);
    expect(html).toContain('影響を受けるコンポーネント：<strong>');
  });

  test.each(['text', 'html'] as const)(
    'contains components, times, link, support address and unsubscribe link, in the %s part',
    form => {
      const mail = renderMail(closed, links)[form];
      const needed = [
        'Checkout',
        'Started 20 November 2026, 14:02 CET',
        'Duration: 58 minutes',
        closed.notice.link,
        'help@meridian.example',
      ];
      for (const part of [...needed, links.preferences, links.unsubscribe]) expect(mail).toContain(part);
    },
  );

  test.each(['text', 'html'] as const)('does not mention a subscription where there is none, in the %s part', form => {
    const mail = renderMail(closed, { preferences: null, unsubscribe: null })[form];
    for (const part of ['nsubscribe', 'preferences', 'null']) expect(mail).not.toContain(part);
  });

  test('contains the state once where there is no comment', () => {
    expect(
      renderMail(createSnapshot({ text: 'Investigating', updates: [] }), links).text.split('Investigating'),
    ).toHaveLength(2);
  });
});

test('the e-mail about a planned notice contains the window in page zone and UTC, and its duration', () => {
  const { text, html, subject } = renderMail(createPlannedSnapshot(), links);
  for (const form of [text, html])
    for (const part of [
      'Friday, 27 November 2026, 22:00 – 23:30 CET',
      'Friday, 27 November 2026, 21:00 – 22:30 UTC',
      'Planned duration: 1 hour, 30 minutes',
    ])
      expect(form).toContain(part);
  expect(subject).toBe('[Scheduled] Database upgrade – Meridian');
  expect(renderMail(createPlannedSnapshot({ event: 'reminder', text: '' }), links).subject).toBe(
    '[Reminder] Database upgrade – Meridian',
  );
});

test('the e-mail of a page in UTC contains the window once', () => {
  const { text } = renderMail(createPlannedSnapshot({ page: { zone: 'Etc/UTC', timezone: 'UTC' } }), links);
  expect(text.split('UTC')).toHaveLength(3);
});

test.each([
  [
    '<p>Firing - <a href="https://runbook.example/1">runbook</a></p><ul><li>one</li><li>two</li></ul>',
    'Firing - runbook (https://runbook.example/1)\n\n• one\n• two\n',
  ],
  [
    'Firing - <a href="https://runbook.example/1"><b>run</b>book</a><ul><li>one</li></ul>Done',
    'Firing - runbook (https://runbook.example/1)\n\n• one\n\nDone\n',
  ],
  [
    'Write to <ops@example.com>, [us](mailto:ops@example.com), or see https://a.example',
    'Write to ops@example.com, us (ops@example.com), or see https://a.example\n',
  ],
  ['[docs][1]\n\n[1]: https://docs.example/a', 'docs (https://docs.example/a)\n'],
  ['- a\n  - b\n- c\n\nd', '• a\n    • b\n• c\n\nd\n'],
])('the text part of %j has targets and items on lines of their own', (text, words) => {
  expect(renderMail(createSnapshot({ text, updates: [] }), links).text).toContain(words);
});

test('the text part contains link targets and list marks, and no markup', () => {
  const text =
    'See [the **logs**](https://logs.example/a?b=c) and [https://x.example](https://x.example):\n\n' +
    '- one\n- two\n\n1. first\n2. second\n\n![an image](https://p.example/p.png)';
  expect(renderMail(createSnapshot({ text, updates: [] }), links).text).toContain(
    'See the logs (https://logs.example/a?b=c) and https://x.example:\n\n' +
      '• one\n• two\n\n1. first\n2. second\n\nan image\n',
  );
});

test.each(['[', '[a](', '[a](https://', '- ', '1. '])(
  'a text of 65,535 characters that repeats %j is rendered without backtracking',
  part => {
    expect(renderMail(createSnapshot({ text: part.repeat(65_535 / part.length), updates: [] }), links).text).toContain(
      part.trim(),
    );
  },
);

const hostile = '<script>alert(1)</script> "><img src=x onerror=alert(1)> \r\nBcc: everybody@example.com \u0000\u2028';

test('hostile texts become neither markup nor a header line', () => {
  const { subject, html } = renderMail(
    createSnapshot({
      text: hostile,
      updates: [],
      page: { name: hostile },
      notice: { subject: hostile, components: [{ id: 1, name: hostile }] },
    }),
    links,
  );
  expect(subject).not.toMatch(/[\p{Control}\u2028]/u);
  expect(html).not.toMatch(/<script|<img/);
});

test('a subject and a name have one line in a mail of the service, too', async () => {
  const lines = 'Status\u2028Bcc: everybody@example.com\r\nBcc: others@example.com\u2029';
  const content = await composeTransactionalMail(
    { to: 'ada@example.com', pageName: lines, subject: lines, text: 'x', html: '<p>x</p>', headers: {} },
    { name: null, address: 'status@example.com', baseHost: 'example.com' },
    '<1@example.com>',
  );
  const mail = await PostalMime.parse(content);
  const line = 'Status Bcc: everybody@example.com Bcc: others@example.com';
  expect([mail.subject?.trim(), mail.from?.name?.trim(), mail.bcc]).toEqual([line, line, undefined]);
});

test.each([...locales])('the HTML part in %s is valid HTML in that language', async locale => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    // Mail clients need deprecated attributes and inline styles.
    rules: {
      'no-inline-style': 'off',
      'no-deprecated-attr': 'off',
      'attribute-boolean-style': 'off',
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      'no-conditional-comment': 'off',
      'doctype-style': 'off',
      'void-style': 'off',
      'valid-id': 'off',
      'tel-non-breaking': 'off',
    },
  });
  const { html } = renderMail(
    {
      ...closed,
      text: '# A\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n> said\n\n1. one\n\n[link](https://a.example)',
      page: { ...closed.page, locale },
    },
    links,
  );
  const report = await validator.validateString(html);
  expect(
    report.results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
  ).toEqual([]);
  expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`);
});

const brands = [
  {},
  { colorBodyBackground: '#000', colorBodyText: '#111', colorBodyLinks: '#222' },
  {
    colorBodyBackground: '#ff0',
    colorBodyText: '#fff',
    colorHeaderBackground: 'rgba(255,0,0,0.5)',
    colorStateWarning: '#ffa',
    colorNavbarButtonBackground: '#ff0',
  },
];
test.each(brands)('every text has enough contrast, light and dark, with the brand %j', brand => {
  const snapshot = createSnapshot();
  snapshot.page.brand = { ...snapshot.page.brand, ...brand };
  for (const tone of ['ok', 'warn', 'plan'] as const)
    for (const scheme of ['light', 'dark'] as const) {
      const { page, header, headerText, button, buttonText, ...colours } = computeMailColours(
        snapshot.page.brand,
        tone,
        scheme,
      );
      const pairs = [
        [headerText, header],
        [buttonText, button],
        ...(['text', 'muted', 'link', 'state'] as const).map(name => [colours[name], page]),
      ];
      for (const [front, back] of pairs)
        expect(contrastRatio(parseColour(front!), parseColour(back!))).toBeGreaterThanOrEqual(textContrast);
    }
});

test.each(locales)('an e-mail whose text is the window contains it once, in %s', locale => {
  const { beginsAt, endsAt } = createPlannedSnapshot().notice;
  const moved = { beginsAt: new Date(beginsAt!), endsAt: new Date(endsAt!) };
  const text = formatWindowText(moved, getTranslator(locale), 'Europe/Berlin');
  const written = renderMail(createPlannedSnapshot({ text, updates: [], page: { locale } }), links).text.toLowerCase();
  for (const line of text.toLowerCase().split('\n\n')) expect(written.split(line)).toHaveLength(2);
});

test.each(locales)('a post-mortem has a subject of its own, and keeps its name in later mails, in %s', locale => {
  const state = 'resolved' as const;
  const { t } = getTranslator(locale);
  const snapshot = { page: { locale }, notice: { state, type: 'unplanned' as const } };
  const { subject, text } = renderMail(createSnapshot({ ...snapshot, event: 'postmortem' }), links);
  expect(subject).toBe(`[${t('notice.postmortem')}] Payments fail – Meridian`);
  expect(text).not.toContain(t('state.resolved'));
  const posted = [{ ...older[0]!, state, kind: 'postmortem' as const }];
  const later = createSnapshot({
    ...snapshot,
    event: 'updated',
    text: 'More',
    updates: [...older.slice(2), ...posted],
  });
  expect(buildMessageContent(later).older.at(-1)!.time).toContain(t('notice.postmortem'));
});

test('names the state that an earlier update was posted with', () => {
  const snapshot = createSnapshot({
    text: 'Found.',
    notice: { state: 'identified' },
    updates: [
      { id: 2, content: 'Found.', createdAt: '2026-11-20T13:30:00.000Z', state: 'identified' },
      { id: 1, content: 'Cards fail.', createdAt: '2026-11-20T13:02:00.000Z', state: 'investigating' },
    ],
  });
  expect(buildMessageContent(snapshot).older).toEqual([
    { content: 'Cards fail.', time: 'Investigating · 20 November 2026, 14:02 CET' },
  ]);
});

test('the mail that an update is due leads its author to the console, before all else', async () => {
  const sender = {
    name: null,
    address: 'status@example.com',
    baseHost: 'status.example',
    consoleOrigin: 'https://ops.example',
  };
  const recipient = { messageId: '<1@example.com>', to: 'ines@example.com', preferences: null, unsubscribe: null };
  const url = 'https://ops.example/console/pages/5e1f00d5/notices/7';
  const read = async (event: 'update_due' | 'updated') =>
    PostalMime.parse(await prepareMessage(createSnapshot({ event }), sender).compose(recipient));
  const { html, text } = await read('update_due');
  expect(text).toContain(`Post the update: ${url}`);
  // What stands before the heading is the preview in a list of mails.
  const body = html!.slice(html!.indexOf('<h1'));
  expect(isAscending(findPositions(body, `href="${url}"`, 'We are looking into it', 'View this notice'))).toBe(true);
  const ofSubscriber = await read('updated');
  expect(ofSubscriber.text).not.toContain('/console/');
  expect(ofSubscriber.html).not.toContain('/console/');
});

test('a message lists 100 components of a notice that names 2,000, and counts the others', () => {
  const components = Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, name: `Part ${index + 1}` }));
  const { text, html } = renderMail(createSnapshot({ notice: { components } }), links);
  for (const part of [text, html]) {
    expect(part.match(/Part \d+/g)).toHaveLength(100);
    expect(part).toContain('+1900');
  }
  const translator = getTranslator('en');
  const affected = components.map(component => ({ ...component, impact: 'degraded' as const }));
  const correction = composeComponentsText(
    { type: 'unplanned', state: 'investigating' },
    { affected, unaffected: components.slice(0, 100) },
    translator,
  );
  expect(correction.match(/Part \d+/g)).toHaveLength(200);
  expect(correction.match(/\+\d+/g)).toEqual(['+1900']);
});
