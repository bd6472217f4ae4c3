import { type PublicPage, linkIn, startPublicPage } from '../../support/people.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { wordsOf } from '../../support/drawn.js';

let page: PublicPage;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.mails.length = 0;
  await page.forgetRequests();
});

const listed = async () => (await page.service.get(`/v1/pages/${page.id}/subscribers`)).json.response.map(({ email }: { email: string }) => email) as string[];

/** Signs up and returns the path of the confirmation link. */
async function signUp(email: string, more: Record<string, string | string[]> = {}): Promise<string> {
  const before = page.mails.length;
  expect((await page.post('subscribe', { email, ...more })).status).toBe(200);
  await page.sent(before + 1);
  return linkIn(page.mails.at(-1)!.text, 'confirm');
}

describe('who subscribes by e-mail', () => {
  test('gets a link, is shown a page with a button, and is subscribed once the button is pressed', async () => {
    const link = await signUp('Anna@Example.com');
    expect(page.mails.map(({ to, subject }) => [to, subject])).toEqual([['Anna@Example.com', 'Confirm your subscription to Meridian Freight']]);
    const shown = await page.get(link);
    expect(wordsOf(shown.text)).toContain('A…@E… wants to receive updates of Meridian Freight.');
    expect(shown.text).toContain(`<form method="post" action="/${link}"`);
    expect(await listed()).toEqual([]);
    const { status, text } = await page.post(link);
    expect([status, wordsOf(text)]).toEqual([200, expect.stringContaining('You are subscribed')]);
    expect(await listed()).toEqual(['Anna@Example.com']);
  });

  test('finds the same below the path of the service, with links that stay there', async () => {
    const below = page.at('localhost', `/status/${page.id}/`);
    expect((await below.post('subscribe', { email: 'below@example.com' })).status).toBe(200);
    await page.sent(1);
    expect(page.mails[0]!.text).toContain(`/status/${page.id}/confirm/`);
    const link = linkIn(page.mails[0]!.text, 'confirm');
    expect((await below.get(link)).text).toContain(`action="/status/${page.id}/${link}"`);
    expect((await below.post(link)).status).toBe(200);
    expect(await listed()).toContain('below@example.com');
  });
});
