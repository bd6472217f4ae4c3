import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRenderContext } from '../../../src/status-page/html/render-context.js';
import { renderToString } from '../../../src/status-page/html/html.js';
import { renderChoicesFields, allChoices } from '../../../src/status-page/subscribe/choices.js';
import { composeConfirmationMail } from '../../../src/notifications/messages/visitor-messages.js';
import { toVisitorRequest } from '../../../src/status-page/subscribe/visitor-request.js';
import { component, createView } from '../../support/page-views.js';
import { payloads } from '../../support/payloads.js';

let page: PublicPage;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());

/** The document without the value where it is escaped as text or attribute value, and nowhere else. */
const without = (html: string, value: string) =>
  html.replaceAll(renderToString(value), '…').replaceAll(' value="…"', '');

/** Not a valid address, so that the form is shown again with it. */
const harmless = 'harmless@';
const fields = ['email', 'phone', 'by', 'kinds', 'components', 'code', 'ticket', 'choices'];

test.each(['subscribe', 'preferences', 'confirm'])(
  `the form %s escapes ${payloads.length} hostile values in every field`,
  async path => {
    const submit = async (value: string, by: string) => {
      const { status, text } = await page.post(path, {
        ...Object.fromEntries(fields.map(field => [field, value])),
        by,
      });
      return `${status} ${without(text, value)}`;
    };
    const expected = { email: await submit(harmless, 'email'), sms: await submit(harmless, 'sms') };
    expect(expected.email).toMatch(/^4\d\d <!doctype html>/);
    const unescaped: string[] = [];
    for (const [index, payload] of payloads.entries()) {
      const contactMethod = index % 2 ? 'sms' : 'email';
      const response = await submit(payload, contactMethod);
      if (response !== expected[contactMethod]) unescaped.push(payload);
    }
    expect(unescaped).toEqual([]);
    expect([page.mails, page.messages]).toEqual([[], []]);
  },
);

test('hostile tokens are rejected and not repeated', async () => {
  for (const name of ['confirm', 'unsubscribe', 'preferences', 'preferences/request'])
    for (const payload of payloads) {
      const { status, text } = await page.get(
        `${name}/${encodeURIComponent(payload)}?lang=${encodeURIComponent(payload)}`,
      );
      expect([404, 410]).toContain(status);
      expect(text.includes(payload) && payload.includes('<')).toBe(false);
    }
});

test('mails and forms escape hostile names of pages and components', () => {
  const render = (name: string) => {
    const context = createRenderContext(
      createView({ page: { name }, components: [component(1, name), component(2, name, 1)] }),
    );
    const { html, subject } = composeConfirmationMail(
      toVisitorRequest(context, 'a@example.com'),
      'https://status.example.com/confirm/token',
    );
    return { html: `${html}${renderChoicesFields(context, allChoices, [])}`, subject };
  };
  const expected = without(render(harmless).html, harmless);
  for (const payload of payloads) {
    const { html, subject } = render(payload);
    expect(without(html, payload)).toBe(expected);
    expect(subject).not.toMatch(/[\r\n\0]/);
  }
});
