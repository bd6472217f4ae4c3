import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { slackMessage } from '../../../../src/notifications/messages/slack.js';
import { statusLength, statusOf } from '../../../../src/notifications/messages/mastodon.js';
import { teamsMessage } from '../../../../src/notifications/messages/teams.js';
import type { PublicationPicture } from '../../../../src/notifications/message-snapshot.js';
import { pictureOf, plannedPicture } from '../../../support/screenshots.js';

const hostile = '<!channel> & <https://evil.example|click> *bold* @everyone [x](https://evil.example)';
const hostilePicture = pictureOf({
  text: hostile,
  updates: [],
  page: { name: hostile },
  notice: { subject: hostile, components: [{ id: 1, name: hostile }] },
});
const long = 'Something long is said here. '.repeat(2000);
const longPicture = pictureOf({
  text: long,
  page: { name: long },
  notice: { subject: long, components: [{ id: 1, name: long }] },
});

interface Slack {
  text: string;
  blocks: {
    type: string;
    text?: { type: string; text: string; verbatim?: boolean };
    elements?: { type: string; text: string; verbatim?: boolean }[];
  }[];
}
const slack = (picture: PublicationPicture) => slackMessage(picture) as Slack;
const slackTexts = ({ blocks }: Slack) =>
  blocks.flatMap(({ text, elements = [] }) => [...(text ? [text] : []), ...elements]);

describe('a message for Slack', () => {
  test('has a text for notifications, and blocks for who looks', () => {
    const message = slack(plannedPicture());
    expect(message.text).toBe('Meridian: Database upgrade (Scheduled)');
    const said = slackTexts(message).map(({ text }) => text);
    expect(said).toEqual([
      'Database upgrade',
      ':large_blue_circle: *Scheduled*',
      'The database is upgraded.',
      'Friday, 27 November 2026, 22:00 – 23:30 CET\nFriday, 27 November 2026, 21:00 – 22:30 UTC\nPlanned duration: 1 hour, 30 minutes\nAffected components: Checkout',
      '<https://status.meridian.example/notices/abcdefgh12345678-database-upgrade|View this notice>',
      'Meridian · 20 November 2026, 14:02 CET',
    ]);
  });

  test('mentions nobody and links nowhere but to the notice, whatever was written', () => {
    const message = slack(hostilePicture);
    const mrkdwn = slackTexts(message).filter(({ type }) => type === 'mrkdwn');
    expect(mrkdwn.every(({ verbatim }) => verbatim)).toBe(true);
    expect([message.text, ...mrkdwn.map(({ text }) => text)].join('\n').match(/<[^>]*>/g)).toEqual([
      `<${hostilePicture.notice.link}|View this notice>`,
    ]);
  });

  test('keeps to the lengths that Slack takes', () => {
    // Three of its characters are escaped, and are longer then.
    const escaped = '<&> '.repeat(2000);
    for (const picture of [
      longPicture,
      { ...longPicture, text: escaped, notice: { ...longPicture.notice, components: [{ id: 1, name: escaped }] } },
    ]) {
      const message = slack(picture);
      for (const { type, text } of slackTexts(message))
        expect(text.length).toBeLessThanOrEqual(type === 'plain_text' ? 150 : 3000);
      expect(message.text.length).toBeLessThanOrEqual(3000);
      expect(slackTexts(message).every(({ text }) => text.length > 0)).toBe(true);
    }
  });
});

describe('a card for Teams', () => {
  test('comes in the envelope that workflows take, with the link as a button', () => {
    expect(teamsMessage(plannedPicture())).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            fallbackText: 'Meridian: Database upgrade (Scheduled)',
            actions: [{ type: 'Action.OpenUrl', title: 'View this notice', url: plannedPicture().notice.link }],
          },
        },
      ],
    });
  });

  test('holds what was written only where it is no Markdown', () => {
    const card = JSON.stringify(teamsMessage(hostilePicture));
    expect(card).toContain('RichTextBlock');
    expect(card).not.toContain('"TextBlock"');
  });

  test('has no text of more than 4,000 octets, whatever the alphabet', () => {
    const card = JSON.stringify(teamsMessage(pictureOf({ text: '障'.repeat(20_000) })));
    const texts = [...card.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => Buffer.byteLength(text!));
    expect(Math.max(...texts)).toBeGreaterThan(3_900);
    expect(Math.max(...texts)).toBeLessThanOrEqual(4_000);
  });

  test('stays below 28 KB', () => {
    expect(Buffer.byteLength(JSON.stringify(teamsMessage({ ...longPicture, text: '障'.repeat(20_000) })))).toBeLessThan(
      28_000,
    );
  });
});

describe('a status for Mastodon', () => {
  test('says how it stands, what was written, and where more is', () => {
    expect(statusOf(pictureOf())).toBe(
      `Investigating: Payments fail – Meridian\n\nCard payments fail. We are looking into it.\n\nAffected components: Checkout\n\n${pictureOf().notice.link}`,
    );
  });

  test('calls nobody by what was written for everybody, and leaves addresses as they are', () => {
    const status = statusOf(pictureOf({ text: 'Ask @admin@social.example or help@meridian.example' }));
    expect(status).toContain('@\u200badmin@');
    expect(status).toContain('help@meridian.example');
    expect(status).not.toMatch(/(^|\s)@\w/);
  });

  test('has 500 characters at most, of which any link is 23, and the link whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), fc.webPath(), (text, path) => {
        const link = `https://status.meridian.example/notices/abcdefgh12345678${'x'.repeat(path.length)}`;
        const status = statusOf(pictureOf({ text, notice: { link } }));
        expect(status.endsWith(`\n\n${link}`)).toBe(true);
        expect([...status.slice(0, -link.length)].length + 23).toBeLessThanOrEqual(500);
      }),
      { numRuns: 200 },
    );
    expect(statusLength(statusOf(longPicture).slice(0, -longPicture.notice.link.length - 2))).toBeGreaterThan(480);
  });
});
