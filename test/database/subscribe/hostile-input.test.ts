/** @jest-environment ./test/support/isolated-environment.js */
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { canvasOf } from '../../../src/status-page/html/render-context.js';
import { textOf } from '../../../src/status-page/html/html.js';
import { choicesFields, everything } from '../../../src/status-page/subscribe/choices.js';
import { linkMail } from '../../../src/status-page/subscribe/confirmation-messages.js';
import { component, viewFor } from '../../support/page-views.js';
import { payloads } from '../../support/payloads.js';

let page: PublicPage;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());

/** The document, with the value taken out where it stands as text or as the value of an attribute, and nowhere else. */
const without = (html: string, value: string) => html.replaceAll(textOf(value), '…').replaceAll(' value="…"', '');

/** Of no form that is taken: they come back to whoever sent them. */
const harmless = 'harmless@';
const fields = ['email', 'phone', 'by', 'kinds', 'components', 'code', 'ticket', 'choices'];

test.each(['subscribe', 'preferences', 'confirm'])(
  `whatever stands in the fields of %s is text: ${payloads.length} that would be more`,
  async path => {
    const answerTo = async (value: string, by: string) => {
      const { status, text } = await page.post(path, {
        ...Object.fromEntries(fields.map(field => [field, value])),
        by,
      });
      return `${status} ${without(text, value)}`;
    };
    const expected = { email: await answerTo(harmless, 'email'), sms: await answerTo(harmless, 'sms') };
    expect(expected.email).toMatch(/^4\d\d <!doctype html>/);
    const differing: string[] = [];
    for (const [index, payload] of payloads.entries()) {
      const way = index % 2 ? 'sms' : 'email';
      const answer = await answerTo(payload, way);
      if (answer !== expected[way]) differing.push(payload);
    }
    expect(differing).toEqual([]);
    expect([page.mails, page.messages]).toEqual([[], []]);
  },
);

test('whatever stands behind an address is no link, and repeated nowhere', async () => {
  for (const name of ['confirm', 'unsubscribe', 'preferences', 'preferences/request'])
    for (const payload of payloads) {
      const { status, text } = await page.get(
        `${name}/${encodeURIComponent(payload)}?lang=${encodeURIComponent(payload)}`,
      );
      expect([404, 410]).toContain(status);
      expect(text.includes(payload) && payload.includes('<')).toBe(false);
    }
});

test('whatever a page and its components are called is text in mails and forms', () => {
  const draw = (name: string) => {
    const canvas = canvasOf(viewFor({ page: { name }, components: [component(1, name), component(2, name, 1)] }));
    const { html, subject } = linkMail(canvas, Buffer.alloc(32), 'a@example.com', {
      purpose: 'confirm',
      pageId: 'a1b2c3d4',
      subscriberId: 1,
      version: 1,
      expiresAt: 1,
    });
    return { html: `${html}${choicesFields(canvas, everything, [])}`, subject };
  };
  const expected = without(draw(harmless).html, harmless);
  for (const payload of payloads) {
    const { html, subject } = draw(payload);
    expect(without(html, payload)).toBe(expected);
    expect(subject).not.toMatch(/[\r\n\0]/);
  }
});
