import { type PublicPage, extractLink, startPublicPage } from '../../support/subscribe-forms.js';
import { waitForResponse } from '../../support/visitor.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { buildUnsubscribeUrl } from '../../../src/subscribers/signed-link.js';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { createComponent } from '../../support/factories.js';

const validator = new HtmlValidate(
  new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'] }),
);

let page: PublicPage;
beforeAll(async () => {
  page = await startPublicPage();
  const parent_id = (await createComponent(page.service, `/v1/pages/${page.id}`, { name: 'Platform' })).id;
  await page.service.post(`/v1/pages/${page.id}/components`, { name: 'API', parent_id });
  // The page shows a change after the change feed delivered it.
  await waitForResponse(
    () => page.get('subscribe'),
    ({ text }) => text.includes('API'),
  );
});
afterAll(() => page.service.stop());

async function validateHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} at ${line}:${column}`),
  );
}

test.each(['en', 'ar', 'fi'] as const)('every form and mail is valid HTML in %s', async locale => {
  await page.forgetRequests();
  await page.query('delete from subscriber');
  const withLang = (path: string) => `${path}?lang=${locale}`;
  const sent = page.mails.length + page.messages.length;
  const responses = [
    await page.get(withLang('subscribe')),
    await page.post(withLang('subscribe'), { email: '', choices: '1', components: '0' }),
    await page.post(withLang('subscribe'), { email: 'a@example.com' }),
    await page.post(withLang('subscribe'), { by: 'sms', phone: '+49301234567' }),
    await page.post(withLang('confirm'), { phone: '+49301234567', code: 'x' }),
    await page.get(withLang('preferences')),
    await page.get(withLang('unsubscribe/x')),
  ];
  await page.waitForMessages(sent + 2);
  const { text, html } = page.mails.at(-1)!;
  const confirm = extractLink(text, 'confirm');
  responses.push(await page.get(withLang(confirm)), await page.post(withLang(confirm)));
  responses.push(
    await page.get(
      withLang(extractLink(responses.at(-1)!.text.replaceAll('href="/', 'href="http://x/'), 'preferences')),
    ),
  );
  const [{ id }] = (await page.query<{ id: number }>('select id from subscriber where email is not null')) as [
    { id: number },
  ];
  const unsubscribe = new URL(
    buildUnsubscribeUrl(await loadLinkKey(page.service.database, page.id), { id: page.id, address: 'http://x' }, id),
  ).pathname.slice(1);
  responses.push(await page.get(withLang(unsubscribe)), await page.post(withLang(unsubscribe)));
  expect(responses.map(({ status }) => status)).toEqual([200, 422, 200, 200, 422, 200, 410, 200, 200, 200, 200, 200]);
  for (const { text: document } of responses) expect(await validateHtml(document)).toEqual([]);
  // Mail clients need deprecated attributes, inline styles, and a conditional comment for Outlook.
  const mailMessages = (await validateHtml(html)).filter(
    message => !/^(?:no-inline-style|no-deprecated-attr|no-conditional-comment|doctype-style|long-title)/.test(message),
  );
  expect(mailMessages).toEqual([]);
});
