import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { phone, useConsole } from '../../support/console.js';
import { createNotice, createPage } from '../../support/factories.js';

describeInBrowser('A form while what was written is sent', () => {
  const { service, signIn } = useConsole();
  let pageId: string;
  let pagePath: string;
  beforeAll(async () => {
    ({ id: pageId, path: pagePath } = await createPage(service, { name: 'Meridian Freight' }));
  });

  test('cannot be changed until the answer, since a change would be lost', async () => {
    const notice = await createNotice(service, pagePath, { subject: 'Card payments are declined' });
    const { page, open } = await signIn({ viewport: phone });
    let answer = () => {};
    const isAnswered = new Promise<void>(resolve => {
      answer = resolve;
    });
    await page.route('**/graphql', async route => {
      if (!route.request().postData()?.includes('mutation PostUpdate')) return route.fallback();
      const response = await route.fetch();
      await isAnswered;
      await route.fulfill({ response });
    });
    await open(`/pages/${pageId}/notices/${notice.id}`);
    await page.getByText('Identified', { exact: true }).click();
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    // The live update arrives before the answer.
    await page.locator('ol').getByText('Identified', { exact: true }).waitFor();
    expect(await page.getByLabel('Recovering').isDisabled()).toBe(true);
    expect(await page.getByLabel('Text', { exact: true }).isDisabled()).toBe(true);
    answer();
    await page.getByText('Recovering', { exact: true }).click();
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.locator('ol').getByText('Recovering', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
