import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderSlackMessage } from '../../../../src/notifications/channels/slack.js';
import { countStatusLength, renderMastodonStatus } from '../../../../src/notifications/channels/mastodon.js';
import { renderDiscordMessage, toDiscordOutcome } from '../../../../src/notifications/channels/discord.js';
import { renderTeamsMessage } from '../../../../src/notifications/channels/teams.js';
import type { MessageSnapshot } from '../../../../src/notifications/messages/message-snapshot.js';
import { createSnapshot, createPlannedSnapshot } from '../../../support/message-snapshots.js';

const hostile = '<!channel> & <https://evil.example|click> *bold* @everyone [x](https://evil.example)';
const hostileSnapshot = createSnapshot({
  text: hostile,
  updates: [],
  page: { name: hostile },
  notice: { subject: hostile, components: [{ id: 1, name: hostile }] },
});
const long = 'Something long is said here. '.repeat(2000);
const longSnapshot = createSnapshot({
  text: long,
  page: { name: long },
  notice: { subject: long, components: [{ id: 1, name: long }] },
});

interface SlackText {
  type: string;
  text: string;
  verbatim?: boolean;
}
interface SlackBlock {
  type: string;
  text?: SlackText;
  fields?: SlackText[];
  elements?: (SlackText & { url?: string })[];
}
interface SlackMessage {
  text: string;
  blocks: SlackBlock[];
  attachments: { color: string; blocks: SlackBlock[] }[];
}
const renderSlack = (snapshot: MessageSnapshot) => renderSlackMessage(snapshot) as SlackMessage;
const slackBlocks = ({ blocks, attachments }: SlackMessage) => [...blocks, ...attachments.flatMap(one => one.blocks)];
const slackTexts = (message: SlackMessage) =>
  slackBlocks(message)
    .flatMap(({ text, fields = [], elements = [] }) => [...(text ? [text] : []), ...fields, ...elements])
    .filter(({ type }) => type !== 'button');

describe('a Slack message', () => {
  test('has a summary for notifications, and blocks with the content beside a bar in the colour of the state', () => {
    const message = renderSlack(createPlannedSnapshot());
    expect(message.text).toBe('Meridian: Database upgrade (Scheduled)');
    expect(message.attachments.map(({ color }) => color)).toEqual(['#2563c9']);
    expect(slackTexts(message).map(({ text }) => text)).toEqual([
      ':large_blue_circle: Database upgrade',
      'The database is upgraded.',
      '*State*\nScheduled',
      '*Affected components*\nCheckout',
      '*Window*\nFriday, 27 November 2026, 22:00 – 23:30 CET\nFriday, 27 November 2026, 21:00 – 22:30 UTC\n' +
        'Planned duration: 1 hour, 30 minutes',
      'Meridian · 20 November 2026, 14:02 CET',
    ]);
    const [button] = slackBlocks(message).find(({ type }) => type === 'actions')!.elements!;
    expect(button!.url).toBe(createPlannedSnapshot().notice.link);
  });

  test('keeps bold, italic, struck and quoted text, code, lists and links of Markdown', () => {
    const text =
      'Cards **fail** for _some_, ~~all~~ `EU`. See [our | page](https://example.com/a?b=1&c).\n\n> We look.\n> Soon.\n\n' +
      '- one\n- two\n\n3. three';
    expect(slackTexts(renderSlack(createSnapshot({ text, updates: [] })))[1]!.text).toBe(
      'Cards *fail* for _some_, ~all~ `EU`. See <https://example.com/a?b=1&amp;c|our ¦ page>.\n\n' +
        '> We look. Soon.\n\n• one\n• two\n\n3. three',
    );
  });

  test('contains no mention and no link of its own, whatever the text', () => {
    const message = renderSlack(hostileSnapshot);
    const mrkdwn = slackTexts(message).filter(({ type }) => type === 'mrkdwn');
    expect(mrkdwn.every(({ verbatim }) => verbatim)).toBe(true);
    expect([message.text, ...mrkdwn.map(({ text }) => text)].join('\n').match(/<[^>]*>/g)).toBeNull();
  });

  test.each(['https://mattermost.example.com/hooks/x', 'https://slack.com.example.com/hooks/x'])(
    'to %s is an attachment with all texts and the link, without blocks',
    url => {
      const snapshot = createSnapshot({ text: 'Payments fail.\n\n**All** cards.\n\nWe look.', updates: [] });
      const message = renderSlackMessage(snapshot, url) as { attachments: Record<string, unknown>[] };
      expect(message).not.toHaveProperty('blocks');
      const [attachment] = message.attachments;
      expect(attachment).not.toHaveProperty('blocks');
      expect(attachment).toMatchObject({
        title_link: snapshot.notice.link,
        title: expect.stringContaining(snapshot.notice.subject),
        fallback: expect.stringContaining(snapshot.notice.link),
        text: 'Payments fail.\n\n*All* cards.\n\nWe look.',
        footer: expect.stringContaining(snapshot.page.name),
      });
      expect(attachment!.fields).toContainEqual({
        title: 'Affected components',
        value: expect.any(String),
        short: false,
      });
    },
  );

  test.each(['https://hooks.slack.com/services/x', 'https://hooks.slack-gov.com/services/x'])('to %s has blocks', url =>
    expect(renderSlackMessage(createSnapshot({}), url)).toEqual(renderSlack(createSnapshot({}))),
  );

  test('does not exceed the length limits of Slack', () => {
    // Three of its characters are longer when escaped.
    const escaped = '<&> '.repeat(2000);
    for (const snapshot of [
      longSnapshot,
      { ...longSnapshot, text: '**bold** [link](https://example.com) '.repeat(500) },
      { ...longSnapshot, text: escaped, notice: { ...longSnapshot.notice, components: [{ id: 1, name: escaped }] } },
    ]) {
      const message = renderSlack(snapshot);
      for (const { fields = [] } of slackBlocks(message))
        for (const { text } of fields) expect(text.length).toBeLessThanOrEqual(2000);
      for (const { type, text } of slackTexts(message))
        expect(text.length).toBeLessThanOrEqual(type === 'plain_text' ? 150 : 3000);
      expect(message.text.length).toBeLessThanOrEqual(3000);
      expect(slackTexts(message).every(({ text }) => text.length > 0)).toBe(true);
    }
  });
});

describe('a Teams message', () => {
  test('is a card in the envelope that workflows expect, with the link as a button', () => {
    expect(renderTeamsMessage(createPlannedSnapshot())).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            fallbackText: 'Meridian: Database upgrade (Scheduled)',
            actions: [{ type: 'Action.OpenUrl', title: 'View this notice', url: createPlannedSnapshot().notice.link }],
          },
        },
      ],
    });
  });

  test('keeps the style and the links of Markdown, and has state, components and times as facts', () => {
    const text = 'Cards **fail**. See [our page](https://example.com/).';
    const card = JSON.stringify(renderTeamsMessage(createSnapshot({ text, updates: [] })));
    expect(card).toContain('{"type":"TextRun","text":"fail","weight":"bolder"}');
    expect(card).toContain('"text":"our page","selectAction":{"type":"Action.OpenUrl","url":"https://example.com/"}');
    expect(card).toContain('{"title":"State","value":"Investigating"},{"title":"Affected components"');
  });

  test('escapes Markdown where it would be interpreted', () => {
    const card = JSON.stringify(renderTeamsMessage(hostileSnapshot));
    expect(card).not.toContain('"TextBlock"');
    const [, components] = /"Affected components","value":"(.*?)"\}/.exec(card)!;
    expect(JSON.parse(`"${components}"`)).toContain('\\[x\\]\\(https://evil.example\\)');
  });

  test('has no text of more than 4,000 bytes, whatever the script', () => {
    const card = JSON.stringify(renderTeamsMessage(createSnapshot({ text: '障'.repeat(20_000) })));
    const texts = [...card.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => Buffer.byteLength(text!));
    expect(Math.max(...texts)).toBeGreaterThan(3_900);
    expect(Math.max(...texts)).toBeLessThanOrEqual(4_000);
  });

  test('stays below 28 KB', () => {
    expect(
      Buffer.byteLength(JSON.stringify(renderTeamsMessage({ ...longSnapshot, text: '障'.repeat(20_000) }))),
    ).toBeLessThan(28_000);
  });
});

describe('an answer of Discord', () => {
  const answer = (status: number, body: string) =>
    toDiscordOutcome({ status, body, retryAfter: null, contentType: 'application/json' });
  test.each([
    [220001, 'add ?thread_id=…'],
    [10015, 'The webhook was deleted'],
    [50083, 'archived'],
  ])('with the code %i says what to do, and what Discord said', (code, words) => {
    const { kind, response } = answer(400, JSON.stringify({ message: 'Raw words', code }));
    expect([kind, response]).toEqual(['refused', expect.stringContaining(words)]);
    expect(response).toMatch(/^400 .*Raw words/);
  });
  test('with another code is shown as it is', () => {
    expect(answer(400, '{"message":"x","code":1}').response).toBe('400 {"message":"x","code":1}');
  });
});

describe('a Discord message', () => {
  interface Embed {
    title: string;
    url: string;
    color: number;
    description?: string;
    fields: { name: string; value: string }[];
    footer: { text: string };
  }
  const render = (snapshot: MessageSnapshot) =>
    renderDiscordMessage(snapshot) as { embeds: [Embed]; allowed_mentions: object };

  test('is an embed with the content beside a bar in the colour of the state, and mentions nobody', () => {
    const { embeds, allowed_mentions: mentions } = render(createPlannedSnapshot());
    expect(mentions).toEqual({ parse: [] });
    expect(embeds).toEqual([
      {
        title: 'Database upgrade',
        url: createPlannedSnapshot().notice.link,
        color: 0x2563c9,
        description: 'The database is upgraded.',
        fields: [
          { name: 'State', value: 'Scheduled', inline: true },
          { name: 'Affected components', value: 'Checkout', inline: false },
          { name: 'Window', value: expect.stringMatching(/^Friday, 27 November 2026, 22\\:00 – /), inline: false },
        ],
        footer: { text: 'Meridian · 20 November 2026, 14:02 CET' },
      },
    ]);
  });

  test('keeps bold, italic, struck and quoted text, code, lists and links of Markdown', () => {
    const text =
      'Cards **fail** for _some_, ~~all~~ `a_b`. See [our page](https://example.com/a_(b)).\n\n> We look.\n\n- one\n- two';
    expect(render(createSnapshot({ text, updates: [] })).embeds[0].description).toBe(
      'Cards **fail** for _some_, ~~all~~ `a_b`. See [our page](<https://example.com/a_%28b%29>).\n\n' +
        '> We look.\n\n• one\n• two',
    );
  });

  test('contains no mention, and no markup in what is not Markdown', () => {
    const { title, description, fields } = render({ ...hostileSnapshot, text: `More: ${hostile}` }).embeds[0];
    const withoutEscapes = (text: string) => text.replace(/\\./g, '');
    expect(withoutEscapes(description!)).not.toMatch(/@|<!/);
    for (const text of [title, ...fields.map(({ value }) => value)])
      expect(withoutEscapes(text)).not.toMatch(/[*_~`|<>()[\]@]/);
  });

  test('does not exceed the length limits of Discord', () => {
    const escaped = '*_~ '.repeat(2000);
    for (const snapshot of [
      { ...longSnapshot, text: `More: ${long}` },
      { ...longSnapshot, text: escaped, notice: { ...longSnapshot.notice, components: [{ id: 1, name: escaped }] } },
    ]) {
      const { title, description, fields, footer } = render(snapshot).embeds[0];
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description!.length).toBeLessThanOrEqual(4096);
      for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(1024);
      const texts = [title, description!, footer.text, ...fields.flatMap(({ name, value }) => [name, value])];
      expect(texts.join('').length).toBeLessThanOrEqual(6000);
    }
  });
});

describe('the state of each component', () => {
  const snapshot = createSnapshot({
    notice: {
      components: [
        { id: 1, name: 'Checkout', impact: 'partial-outage' },
        { id: 2, name: 'API', impact: 'degraded' },
      ],
    },
  });

  test('stands beside its name, and an outage has a colour of its own', () => {
    const texts = slackTexts(renderSlack(snapshot)).map(({ text }) => text);
    expect(texts).toContain('*Affected components*\nCheckout · Partial outage\nAPI · Degraded');
    expect(texts[0]).toBe(':red_circle: Payments fail');
    const card = JSON.stringify(renderTeamsMessage(snapshot));
    expect(card.replaceAll('\\', '')).toContain('"value":"Checkout (Partial outage) and API (Degraded)"');
    expect(card).toContain('"text":"Investigating","weight":"bolder","color":"attention"');
  });

  test('is left out of a Mastodon status, which has little room', () => {
    expect(renderMastodonStatus(snapshot)).toContain('Affected components: Checkout and API\n');
  });
});

test('an announcement has the colour of information, not of success', () => {
  const announcement = createSnapshot({ notice: { type: 'general', state: null } });
  expect(slackTexts(renderSlack(announcement))[0]!.text).toBe(':large_blue_circle: Payments fail');
  expect(JSON.stringify(renderTeamsMessage(announcement))).toContain('"color":"accent"');
});

describe('the logo', () => {
  const logo = { url: 'https://status.meridian.example/brand/1/logo.png', width: 100, height: 20 };
  const render = (images?: object) => {
    const snapshot = createSnapshot({ page: { images } });
    return [renderSlackMessage(snapshot), renderTeamsMessage(snapshot)].map(message => JSON.stringify(message));
  };

  test('is beside a message to Slack, which loads no image for it, and in a card for Teams', () => {
    const [slackMessage, teamsMessage] = render({ logo }).map(message => JSON.parse(message));
    expect(slackMessage.icon_url).toBe(logo.url);
    expect(JSON.stringify(slackMessage.blocks) + JSON.stringify(slackMessage.attachments)).not.toContain(logo.url);
    expect(teamsMessage.attachments[0].content.body[0]).toEqual({
      type: 'Image',
      url: logo.url,
      altText: 'Meridian',
      height: '24px',
    });
  });

  test('is left out where there is none', () => {
    for (const message of [...render(), ...render({})]) expect(message).not.toMatch(/icon_url|"Image"/);
  });
});

describe('a Mastodon status', () => {
  test('contains the state, the text, the components and the link', () => {
    expect(renderMastodonStatus(createSnapshot()).split('\n\n')).toEqual([
      'Investigating: Payments fail – Meridian',
      'Card payments fail. We are looking into it.',
      'Affected components: Checkout',
      createSnapshot().notice.link,
    ]);
  });

  test('breaks mentions, and leaves e-mail addresses unchanged', () => {
    const status = renderMastodonStatus(createSnapshot({ text: 'Ask @admin@social.example or help@meridian.example' }));
    expect(status).toContain('@\u200badmin@');
    expect(status).toContain('help@meridian.example');
    expect(status).not.toMatch(/(^|\s)@\w/);
  });

  test('has 500 characters at most, its link counted as 23, and never cuts the link', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), fc.webPath(), (text, path) => {
        const link = `https://status.meridian.example/notices/abcdefgh12345678${'x'.repeat(path.length)}`;
        const status = renderMastodonStatus(createSnapshot({ text, notice: { link } }));
        expect(status.endsWith(`\n\n${link}`)).toBe(true);
        expect([...status.slice(0, -link.length)].length + 23).toBeLessThanOrEqual(500);
      }),
      { numRuns: 200 },
    );
    expect(
      countStatusLength(renderMastodonStatus(longSnapshot).slice(0, -longSnapshot.notice.link.length - 2)),
    ).toBeGreaterThan(480);
  });
});
