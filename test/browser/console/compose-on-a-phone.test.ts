import { beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';

describeInBrowser('The form of an incident on a phone', () => {
  let pageId: string;
  const { service, signIn } = useConsole();
  beforeAll(async () => {
    await createPage(service, { name: 'Nordlicht Energie' });
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    pageId = page.id;
    for (const name of ['API', 'Billing', 'Tracking']) {
      const group = await createComponent(service, page.path, { name });
      for (const part of ['reads', 'writes', 'exports'])
        await createComponent(service, page.path, { name: `${name} ${part}`, parent_id: group.id });
    }
    await createSubscriber(service, page.path);
  });
  const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

  test('names the page beside the buttons, which cannot be mistaken for each other', async () => {
    const { page, open } = await signIn({ viewport: phone });
    await open(`/new/incident?page=${pageId}`);
    const notify = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await notify.waitFor();
    await page.getByText('On Meridian Freight').waitFor();
    const one = await boxOf(notify);
    const other = await boxOf(page.getByRole('button', { name: 'Publish, notify nobody' }));
    expect(other.y - (one.y + one.height)).toBeGreaterThanOrEqual(12);
    expect([one.height, other.height].every(height => height <= 56)).toBe(true);
    expect(await findFlaws(page)).toEqual([]);
  });

  test.each([
    ['a phone', phone],
    ['a desktop', { width: 1280, height: 800 }],
  ])('keeps the buttons in place while the audience is counted, on %s', async (_, viewport) => {
    const { page, open } = await signIn({ viewport });
    let isCounted = Promise.withResolvers<void>();
    await page.route('**/graphql', async route => {
      if (route.request().postData()?.includes('previewPublication')) await isCounted.promise;
      return route.continue();
    });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const silently = button('Publish, notify nobody');
    const boxes = async (name: string) => {
      await button(name).waitFor();
      return [await boxOf(button(name)), await boxOf(silently)];
    };
    await open(`/new/incident?page=${pageId}`);
    const uncounted = await boxes('Publish and notify');
    isCounted.resolve();
    expect(await boxes('Publish and notify 1 person')).toEqual(uncounted);
    isCounted = Promise.withResolvers<void>();
    await page.getByLabel('Subject').fill('Cards are declined');
    expect(await boxes('Publish and notify')).toEqual(uncounted);
    isCounted.resolve();
    await page.locator('form').getByLabel('Page', { exact: true }).selectOption({ label: 'Nordlicht Energie' });
    const sizes = (all: { width: number; height: number }[]) => all.map(({ width, height }) => [width, height]);
    expect(sizes(await boxes('Nobody to notify'))).toEqual(sizes(uncounted));
    isCounted = Promise.withResolvers<void>();
    await page.getByLabel('Subject').fill('Cards are not declined');
    expect(sizes(await boxes('Nobody to notify'))).toEqual(sizes(uncounted));
    expect(await button('Nobody to notify').isDisabled()).toBe(true);
    isCounted.resolve();
    expect(await findFlaws(page)).toEqual([]);
  });

  test('counts browsers as people, and names channels beside them, in two lines', async () => {
    const own = await createPage(service, { name: 'Hafen' });
    const subscribe = (format: string, count: number) =>
      service.database.query(
        `insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
         select $1, $2, '{"url": "https://push.example"}', $2 || n, now(), now(), now()
         from generate_series(1, $3::int) n`,
        [own.id, format, count],
      );
    const { page, open } = await signIn({ viewport: { width: 360, height: 740 } });
    const label = async () => {
      await open(`/new/incident?page=${own.id}`);
      const button = page.getByRole('button', { name: /^Publish and (notify .|post)/ });
      await button.waitFor();
      return [await button.textContent(), (await boxOf(button)).height];
    };
    await subscribe('push', 2);
    expect(await label()).toEqual(['Publish and notify 2 people', 56]);
    await subscribe('slack', 1);
    expect(await label()).toEqual(['Publish and notify 2 people and Webhooks', 56]);
    await service.database.query(
      `insert into channel_target (page_id, channel, target) values ($1, 'chatB', '{"url": "https://x.example"}')`,
      [own.id],
    );
    await service.database.query("delete from webhook where format = 'push'");
    await subscribe('push', 1_204);
    expect(await label()).toEqual(['Publish and notify 1,204 people and 2 channels', 56]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await service.database.query("delete from webhook where format = 'push'");
    expect(await label()).toEqual(['Publish and post to Microsoft Teams and Webhooks', 56]);
    expect(await findFlaws(page)).toEqual([]);
  });

  test('folds groups, and lists what is chosen', async () => {
    const { page, open } = await signIn({ viewport: phone });
    await open(`/new/incident?page=${pageId}`);
    await page.getByRole('checkbox', { name: 'Billing' }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Billing writes' }).count()).toBe(0);
    await page.getByRole('button', { name: '3 components of Billing' }).click();
    await page.getByRole('checkbox', { name: 'Billing writes' }).check();
    await page.getByLabel('Impact on Billing writes').selectOption('Major outage');
    await page.getByRole('button', { name: '3 components of Billing' }).click();
    const chosen = page.getByRole('list', { name: 'Chosen' });
    await chosen.getByText('Billing writes · Major outage').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.reload();
    // A group with a chosen part is unfolded.
    await page.getByRole('checkbox', { name: 'Billing writes' }).waitFor();
    await chosen.getByRole('button', { name: /Billing writes/ }).click();
    await chosen.waitFor({ state: 'detached' });
    expect(await page.getByRole('checkbox', { name: 'Billing writes' }).isChecked()).toBe(false);
    await page.getByLabel('Search').fill('tracking exp');
    await page.getByRole('checkbox', { name: 'Tracking exports' }).waitFor();
  });

  test('shows the preview from the bar, with every channel in sight', async () => {
    const { page, open } = await signIn({ viewport: phone });
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Cards are declined');
    const isAllowed = Promise.withResolvers<void>();
    await page.route('**/console/preview', async route => {
      await isAllowed.promise;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Loading the preview').waitFor();
    isAllowed.resolve();
    await page.frameLocator('iframe').getByText('Cards are declined').first().waitFor();
    await page.getByText('Loading the preview').waitFor({ state: 'detached' });
    for (const channel of ['Page', 'E-mail', 'SMS', 'Slack', 'Teams', 'Mastodon']) {
      const { x, width } = await boxOf(page.getByRole('group', { name: 'Preview' }).getByText(channel));
      expect(x + width).toBeLessThanOrEqual(phone.width - 16);
    }
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('iframe').waitFor({ state: 'detached' });
  });
});
