import { describe, expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { mailOf } from '../../../../src/notifications/messages/mail.js';
import { mailColours } from '../../../../src/notifications/messages/mail-colours.js';
import { colourOf, contrastOf, textContrast } from '../../../../src/branding/contrast.js';
import { locales } from '../../../../src/i18n/locales.js';
import { windowText } from '../../../../src/notifications/event.js';
import { textsOf } from '../../../../src/i18n/translator.js';
import { pictureOf, plannedPicture } from '../../../support/screenshots.js';

const links = {
  preferences: 'https://status.meridian.example/p/1',
  unsubscribe: 'https://status.meridian.example/u/1',
};
const older = [
  { id: 3, content: 'Fixed.', createdAt: '2026-11-20T14:00:00.000Z' },
  { id: 2, content: 'Cause found.', createdAt: '2026-11-20T13:30:00.000Z' },
  { id: 1, content: 'Looking.', createdAt: '2026-11-20T13:02:00.000Z' },
];
const closed = pictureOf({
  ...{ event: 'closed', at: '2026-11-20T14:00:00.000Z', text: 'Fixed.', updates: older },
  notice: { state: 'resolved', endedAt: '2026-11-20T14:00:00.000Z' },
});
const placesOf = (text: string, ...parts: string[]) => parts.map(part => text.indexOf(part));
const isAscending = (places: number[]) => places.every((place, index) => place > (places[index - 1] ?? -1));

describe('the mail about an incident', () => {
  test('says in its subject how it stands, what it is and whose it is', () => {
    expect(mailOf(pictureOf(), links).subject).toBe('[Investigating] Payments fail – Meridian');
    expect(mailOf(closed, links).subject).toBe('[Resolved] Payments fail – Meridian');
  });

  test.each(['text', 'html'] as const)(
    'has the newest text first and the older ones below, newest first, in %s',
    form => {
      const mail = mailOf(closed, links)[form];
      const body = mail.slice(mail.indexOf('Payments fail', mail.indexOf('<h1') + 1));
      expect(isAscending(placesOf(body, 'Fixed.', 'Earlier updates', 'Cause found.', 'Looking.', 'Unsubscribe'))).toBe(
        true,
      );
      expect(body.split('Fixed.')).toHaveLength(2);
    },
  );

  test.each(['text', 'html'] as const)(
    'names components, when it was, the notice, the support and the way out, in %s',
    form => {
      const mail = mailOf(closed, links)[form];
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

  test.each(['text', 'html'] as const)('has no word of a subscription where there is none, in %s', form => {
    const mail = mailOf(closed, { preferences: null, unsubscribe: null })[form];
    for (const part of ['nsubscribe', 'preferences', 'null']) expect(mail).not.toContain(part);
  });

  test('says a state once where there is no comment', () => {
    expect(mailOf(pictureOf({ text: 'Investigating', updates: [] }), links).text.split('Investigating')).toHaveLength(
      2,
    );
  });
});

test('a planned notice has its window in the zone of the page and in UTC, and how long it is', () => {
  const { text, html, subject } = mailOf(plannedPicture(), links);
  for (const form of [text, html])
    for (const part of [
      'Friday, 27 November 2026, 22:00 – 23:30 CET',
      'Friday, 27 November 2026, 21:00 – 22:30 UTC',
      'Planned duration: 1 hour, 30 minutes',
    ])
      expect(form).toContain(part);
  expect(subject).toBe('[Scheduled] Database upgrade – Meridian');
  expect(mailOf(plannedPicture({ event: 'reminder', text: '' }), links).subject).toBe(
    '[Reminder] Database upgrade – Meridian',
  );
});

test('a page in UTC says its window once', () => {
  const { text } = mailOf(plannedPicture({ page: { zone: 'Etc/UTC', timezone: 'UTC' } }), links);
  expect(text.split('UTC')).toHaveLength(3);
});

test('the text says where links lead and which lines are a list, and shows no markup', () => {
  const text =
    'See [the **logs**](https://logs.example/a?b=c) and [https://x.example](https://x.example):\n\n- one\n- two\n\n1. first\n2. second\n\n![a picture](https://p.example/p.png)';
  expect(mailOf(pictureOf({ text, updates: [] }), links).text).toContain(
    'See the logs (https://logs.example/a?b=c) and https://x.example:\n\n• one\n• two\n\n1. first\n2. second\n\na picture\n',
  );
});

test.each(['[', '[a](', '[a](https://', '- ', '1. '])('a text of nothing but %j is written in time', part => {
  expect(mailOf(pictureOf({ text: part.repeat(65_535 / part.length), updates: [] }), links).text).toContain(
    part.trim(),
  );
});

const hostile = '<script>alert(1)</script> "><img src=x onerror=alert(1)> \r\nBcc: everybody@example.com \u0000\u2028';

test('nothing that was written becomes markup, or a line of a header', () => {
  const { subject, html } = mailOf(
    pictureOf({
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

test.each([...locales])('the mail in %s is whole HTML in that language', async locale => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    // Mail programs want attributes and styles of old.
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
  const { html } = mailOf(
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
test.each(brands)('everything can be read, by day and by night, whatever the brand: %j', brand => {
  const picture = pictureOf();
  picture.page.brand = { ...picture.page.brand, ...brand };
  for (const tone of ['ok', 'warning', 'plan'] as const)
    for (const scheme of ['day', 'night'] as const) {
      const { page, header, headerText, button, buttonText, ...colours } = mailColours(picture, tone, scheme);
      const pairs = [
        [headerText, header],
        [buttonText, button],
        ...(['text', 'quiet', 'link', 'sign'] as const).map(name => [colours[name], page]),
      ];
      for (const [front, back] of pairs)
        expect(contrastOf(colourOf(front!), colourOf(back!))).toBeGreaterThanOrEqual(textContrast);
    }
});

test.each(locales)('a window that is all that is told stands in a mail once, in %s', locale => {
  const { beginsAt, endsAt } = plannedPicture().notice;
  const moved = { beginsAt: new Date(beginsAt!), endsAt: new Date(endsAt!) };
  const text = windowText(moved, textsOf(locale), 'Europe/Berlin');
  const written = mailOf(plannedPicture({ text, updates: [], page: { locale } }), links).text.toLowerCase();
  for (const line of text.toLowerCase().split('\n\n')) expect(written.split(line)).toHaveLength(2);
});
