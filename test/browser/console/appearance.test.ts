/// <reference lib="dom" />
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, findFlawsInLooks, phone, useConsole } from '../../support/console.js';
import { createComponent, createPage } from '../../support/factories.js';
import { writeZip } from '../../support/zip-writer.js';

const toZip = (files: Record<string, string | Buffer>) => ({
  name: 'theme.zip',
  mimeType: 'application/zip',
  buffer: writeZip(Object.entries(files).map(([name, content]) => ({ name, content }))),
});

describeInBrowser('The appearance of a page', () => {
  const { service, signIn } = useConsole();
  const createScreen = async () => {
    const page = await createPage(service, { name: 'Meridian Freight' });
    await createComponent(service, page.path, { name: 'Booking' });
    return { id: page.id as string, path: `/pages/${page.id}/appearance` };
  };
  const readPage = async (id: string) => {
    const query = 'query($id: ID!) { page(id: $id) { brand { colorBodyText colorBodyLinks logoUrl } theme { id } } }';
    return (await service.graphql(query, { id })).json.data.page;
  };

  test('shows colours in four situations, with their contrast, before they are saved', async () => {
    const { id, path } = await createScreen();
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(path);
    const preview = page.frameLocator('iframe');
    await preview.getByText('Booking').first().waitFor();
    for (const [tab, subject] of [
      ['Incident', 'Some requests fail'],
      ['Maintenance', 'Renewal of certificates'],
    ] as const) {
      await page.getByRole('region', { name: 'Preview' }).getByText(tab, { exact: true }).click();
      await preview.getByText(subject).first().waitFor();
    }
    await page.getByText('New page', { exact: true }).click();
    await preview.getByText('Booking').first().waitFor({ state: 'detached' });
    await preview.getByText('Meridian Freight').first().waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('#aaaaaa');
    await page.getByText('2.3 : 1').waitFor();
    await page.getByText('needs 4.5').first().waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.reload();
    expect(await text.inputValue()).toBe('#aaaaaa');
    await text.fill('no colour');
    await page.getByRole('button', { name: 'Save the colours' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await text.inputValue()).toBe('no colour');
    await text.fill('#333333');
    await page.getByRole('button', { name: 'Save the colours' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await readPage(id)).brand.colorBodyText).toBe('#333333');
    expect(problems).toEqual([]);
  });

  test('shows both versions where somebody else has changed the same colour', async () => {
    const { id, path } = await createScreen();
    const { page, open } = await signIn();
    await open(path);
    await page.getByLabel('Text', { exact: true }).fill('#111111');
    const mutation = `mutation($pageId: ID!, $input: UpdateBrandInput!) {
      updateBrand(pageId: $pageId, input: $input) { page { id } } }`;
    await service.graphql(mutation, { pageId: id, input: { colorBodyText: '#222222' } });
    await page.getByRole('button', { name: 'Save the colours' }).click();
    const versions = page.getByRole('alert', { name: 'Two versions' });
    await versions.getByText('#222222').waitFor();
    await versions.getByText('#111111').waitFor();
    expect((await readPage(id)).brand.colorBodyText).toBe('#222222');
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await readPage(id)).brand.colorBodyText).toBe('#111111');
    // Another colour is no conflict.
    await page.getByLabel('Text', { exact: true }).fill('#000000');
    await service.graphql(mutation, { pageId: id, input: { colorBodyLinks: '#003366' } });
    await page.getByRole('button', { name: 'Save the colours' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await readPage(id)).brand).toMatchObject({ colorBodyText: '#000000', colorBodyLinks: '#003366' });
  });

  test('stores an image that is chosen, and says at its field why another is refused', async () => {
    const { id, path } = await createScreen();
    const { page, problems, open } = await signIn();
    await open(path);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 36"><rect width="90" height="36" fill="#0b6e4f"/></svg>';
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Logo', { exact: true }).first().setInputFiles({ name, mimeType: 'image/svg+xml', buffer });
    await choose('text.svg', Buffer.from('no image'));
    await page.locator('[aria-invalid=true]').waitFor();
    await choose('logo.svg', Buffer.from(svg));
    const image = page.getByRole('img', { name: 'Logo', exact: true });
    await image.waitFor();
    await page.waitForFunction('document.querySelector("img").naturalWidth > 0');
    expect((await readPage(id)).brand.logoUrl).toMatch(/\.svg/);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove: Logo', exact: true }).click();
    await image.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('shows a theme before the page has it, and why another fails', async () => {
    const { id, path } = await createScreen();
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(path);
    const theme = page.getByLabel('Theme', { exact: true });
    await theme.setInputFiles(toZip({ 'status-page.liquid': '{% include "none" %}' }));
    await page.getByText(/includes\/none/).waitFor();
    await theme.setInputFiles(
      toZip({
        'status-page.liquid':
          '<link rel="stylesheet" href="{{ "page.css" | asset_url }}"><h1>Ours: {{ page.state }}</h1>',
        'assets/page.css': 'h1 { color: rgb(1, 2, 3) }',
      }),
    );
    await page.getByText('Incident', { exact: true }).click();
    const heading = page.frameLocator('iframe').getByRole('heading', { name: 'Ours: degraded' });
    await heading.waitFor();
    expect(await heading.evaluate(element => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)');
    expect((await readPage(id)).theme).toBeNull();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use this theme' }).click();
    await page.getByText(/The page has a theme/).waitFor();
    await page.getByRole('button', { name: 'Delete the theme' }).click();
    await page.getByRole('button', { name: 'Delete the theme?' }).click();
    await page.getByText(/The page uses the standard theme/).waitFor();
    expect(problems).toEqual([]);
  });

  test('takes a theme as large as the service does, and says so of a larger one', async () => {
    const { id, path } = await createScreen();
    const { page, problems, open } = await signIn();
    await open(path);
    const theme = page.getByLabel('Theme', { exact: true });
    const large = (bytes: number) => ({
      'status-page.liquid': '<h1>Ours, and large</h1>',
      'assets/photograph.jpg': randomBytes(bytes),
    });
    await theme.setInputFiles(toZip(large(10_500_000)));
    await page.getByText('A theme has 10 MB at most.').waitFor();
    expect(await page.getByRole('button', { name: 'Use this theme' }).count()).toBe(0);
    await theme.setInputFiles(toZip(large(2_100_000)));
    await page.frameLocator('iframe').getByRole('heading', { name: 'Ours, and large' }).waitFor();
    await page.getByRole('button', { name: 'Use this theme' }).click();
    await page.getByText(/The page has a theme/).waitFor();
    expect((await readPage(id)).theme).not.toBeNull();
    expect(problems).toEqual([]);
  });
});
