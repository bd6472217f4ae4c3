import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';

describeInBrowser('An image in a text', () => {
  const { service, signIn } = useOwnConsole();

  test('is pasted, made smaller, described, and shown on the page and in the console', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    await open('/new/announcement');
    await page.getByLabel('Subject').fill('A map');
    await page.getByLabel('Text').fill('Before.');
    await page.getByLabel('Text').evaluate(async area => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 3_200, height: 800 });
      canvas.getContext('2d')!.fillRect(0, 0, 1_600, 800);
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([blob!], 'map.png', { type: 'image/png' }));
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByLabel('What the image shows').fill('Roads [closed]');
    expect(await findFlaws(page)).toEqual([]);
    await page.locator('button:enabled', { hasText: 'Insert' }).waitFor();
    await page.getByLabel('What the image shows').press('Enter');
    const text = await page.getByLabel('Text').inputValue();
    expect(text).toMatch(/^Before\.\n\n!\[Roads \\\[closed\\\]\]\(http:\/\/.+\/images\/[0-9a-f]{16}-1600x400\.png\)$/);
    const { json } = await service.graphql(
      'mutation($page: ID!, $content: String!) { announce(pageId: $page, input: { subject: "A map", content: $content, shouldPublish: false }) { notice { id } } }',
      { page: id, content: text },
    );
    await open(`/pages/${id}/notices/${json.data.announce.notice.id}`);
    const image = page.getByRole('img', { name: 'Roads [closed]' });
    await image.scrollIntoViewIfNeeded();
    await page.waitForFunction(
      element => (element as HTMLImageElement).naturalWidth === 1_600,
      await image.elementHandle(),
    );
    expect(problems).toEqual([]);
  });

  test('says why a file is refused', async () => {
    await createPage(service, { name: 'Nordlicht Energie' });
    const { page, open } = await signIn({ role: 'publisher' });
    await open('/new/announcement');
    await page
      .getByLabel('Image file')
      .setInputFiles({ name: 'map.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await page.getByText('This file is not an image that the browser can read.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByText('Add an image').count()).toBe(0);
  });
});
