/** @jest-environment ./test/support/isolated-environment.js */
import { type PublicPage, linkIn, startPublicPage } from '../../support/subscribe-forms.js';
import { eventually } from '../../support/visitor.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { unsubscribeLink } from '../../../src/subscribers/signed-link.js';
import { signingKey } from '../../../src/subscribers/signing-key.service.js';

const validator = new HtmlValidate(
  new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'] }),
);

let page: PublicPage;
beforeAll(async () => {
  page = await startPublicPage();
  const parent_id = (await page.service.post(`/v1/pages/${page.id}/components`, { name: 'Platform' })).json.response.id;
  await page.service.post(`/v1/pages/${page.id}/components`, { name: 'API', parent_id });
  // The page follows a change at once, and not before.
  await eventually(
    () => page.get('subscribe'),
    ({ text }) => text.includes('API'),
  );
});
afterAll(() => page.service.stop());

async function complaintsAbout(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} at ${line}:${column}`),
  );
}

test.each(['en', 'ar', 'fi'] as const)('the HTML of every form is valid in %s', async locale => {
  await page.forgetRequests();
  await page.rows('delete from subscriber');
  const at = (path: string) => `${path}?lang=${locale}`;
  const sent = page.mails.length + page.messages.length;
  const seen = [
    await page.get(at('subscribe')),
    await page.post(at('subscribe'), { email: '', choices: '1', components: '0' }),
    await page.post(at('subscribe'), { email: 'a@example.com' }),
    await page.post(at('subscribe'), { by: 'sms', phone: '+49301234567' }),
    await page.post(at('confirm'), { phone: '+49301234567', code: 'x' }),
    await page.get(at('preferences')),
    await page.get(at('unsubscribe/x')),
  ];
  await page.sent(sent + 2);
  const { text, html } = page.mails.at(-1)!;
  const confirm = linkIn(text, 'confirm');
  seen.push(await page.get(at(confirm)), await page.post(at(confirm)));
  seen.push(await page.get(at(linkIn(seen.at(-1)!.text.replaceAll('href="/', 'href="http://x/'), 'preferences'))));
  const [{ id }] = (await page.rows<{ id: number }>('select id from subscriber where email is not null')) as [
    { id: number },
  ];
  const unsubscribe = new URL(
    unsubscribeLink(await signingKey(page.service.database), { id: page.id, address: 'http://x' }, id),
  ).pathname.slice(1);
  seen.push(await page.get(at(unsubscribe)), await page.post(at(unsubscribe)));
  expect(seen.map(({ status }) => status)).toEqual([200, 422, 200, 200, 422, 200, 410, 200, 200, 200, 200, 200]);
  for (const { text: document } of seen) expect(await complaintsAbout(document)).toEqual([]);
  expect((await complaintsAbout(html)).filter(complaint => !complaint.startsWith('no-inline-style'))).toEqual([]);
});
