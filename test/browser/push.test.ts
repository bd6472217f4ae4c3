/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openChannels, type OpenChannels } from '../../src/server/open-channels.js';
import { startNotifications } from '../../src/server/start-notifications.js';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { createNotice } from '../support/factories.js';
import { findAccessibilityViolations } from '../support/page-checks.js';
import { startPushService } from '../support/push-service.js';
import { type PublicPage, startPublicPage } from '../support/subscribe-forms.js';

let page: PublicPage;
let service: Awaited<ReturnType<typeof startPushService>>;
let channels: OpenChannels;
let stop: () => Promise<void>;

/**
 * Chromium asks its vendor for an endpoint, which tests cannot reach: the calls that do so return one of the local push
 * service. Script, worker, permission and notification are real; what the service decrypts is handed to the worker.
 */
describeInBrowser('push messages', () => {
  const browser = useBrowser();
  beforeAll(async () => {
    page = await startPublicPage();
    service = await startPushService();
    channels = openChannels(page.service.settings);
    stop = startNotifications(page.service.database, page.service.settings, channels);
  });
  afterAll(async () => {
    await stop();
    await channels.close();
    await page.service.stop();
    await service.stop();
  });

  const port = () => new URL(page.service.url).port;
  const withTab = async (url: string, isAllowed = true) => {
    const context = await browser.newContext();
    if (isAllowed) await context.grantPermissions(['notifications'], { origin: new URL(url).origin });
    const tab = await context.newPage();
    const chosen = service.createBrowser();
    await tab.addInitScript(replaceSubscriptions, chosen.fields);
    await tab.goto(`${url}subscribe?by=push`);
    return { tab, chosen };
  };
  const isBlocked = (tab: Page) => tab.locator('#push').isVisible();

  test.each([
    ['its own host', () => `http://${page.id}.localhost:${port()}/`],
    ['a path', () => `http://localhost:${port()}/status/${page.id}/`],
  ])('a visitor on %s subscribes by two clicks, is shown a message, and ends it by one', async (_name, getUrl) => {
    await page.forgetRequests();
    const { tab, chosen } = await withTab(getUrl());
    expect(await isBlocked(tab)).toBe(false);
    expect(await tab.evaluate(() => navigator.serviceWorker.getRegistrations())).toHaveLength(0);
    expect(await findAccessibilityViolations(tab)).toEqual([]);
    await tab.getByRole('button', { name: 'Subscribe' }).click();
    await tab.getByText('This browser receives updates of Meridian Freight.').waitFor();

    await createNotice(page.service, `/v1/pages/${page.id}`, { subject: 'Down', should_publish: true });
    await page.waitUntil(() => chosen.requests().length === 1);
    await deliver(tab, getUrl(), chosen.messages()[0]);
    const shown = () =>
      tab.evaluate(async () => {
        const [registration] = await navigator.serviceWorker.getRegistrations();
        return (await registration!.getNotifications()).map(({ title, data, tag }) => ({ title, data, tag }));
      });
    await page.waitUntil(async () => (await shown()).length === 1);
    await deliver(tab, getUrl(), { ...chosen.messages()[0], title: 'Up again' });
    await page.waitUntil(async () => (await shown())[0]!.title === 'Up again');
    expect(await shown()).toEqual([
      { title: 'Up again', data: chosen.messages()[0].url, tag: expect.stringMatching(/^notice-/) },
    ]);

    await tab.goto(`${getUrl()}subscribe?by=push`);
    await tab.getByRole('button', { name: 'Unsubscribe' }).click();
    await tab.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await page.query('select 1 from webhook')).toEqual([]);
    await tab.goto(`${getUrl()}subscribe?by=push`);
    expect(await tab.getByRole('button', { name: 'Unsubscribe' }).isVisible()).toBe(false);
  });

  test('a browser whose visitor refuses says so, and sends nothing', async () => {
    const { tab } = await withTab(`http://${page.id}.localhost:${port()}/`, false);
    await tab.evaluate(() => {
      Notification.requestPermission = async () => 'denied';
    });
    await tab.getByRole('button', { name: 'Subscribe' }).click();
    await tab.getByText('This browser shows no notifications of this page').waitFor();
    expect(await page.query('select 1 from webhook')).toEqual([]);
  });

  test('no other page of the visitor loads a worker or its script', async () => {
    const tab = await browser.newPage();
    await tab.goto(`http://${page.id}.localhost:${port()}/`);
    await tab.locator('header summary').click();
    expect(await tab.content()).not.toContain('serviceWorker');
    await tab.getByRole('link', { name: 'In this browser' }).click();
    await tab.getByRole('heading', { name: 'Subscribe' }).waitFor();
    expect(await tab.content()).toContain('serviceWorker.register');
  });
});

/** Runs in the page. The subscription is kept beyond the load of the next document, as that of a browser. */
function replaceSubscriptions({ endpoint, p256dh, auth }: { endpoint: string; p256dh: string; auth: string }): void {
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => {
      localStorage.removeItem('subscribed');
      return true;
    },
  } as unknown as PushSubscription;
  PushManager.prototype.subscribe = async function subscribe(options) {
    if (!options?.userVisibleOnly || !options.applicationServerKey) throw new Error('Options are missing.');
    localStorage.setItem('subscribed', '1');
    return subscription;
  };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? subscription : null);
}

/** As the push service of the browser does. */
async function deliver(tab: Page, url: string, message: object): Promise<void> {
  const session = await tab.context().newCDPSession(tab);
  const registered = new Promise<string>(done =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === url);
      if (found) done(found.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  const origin = new URL(url).origin;
  await session.send('ServiceWorker.deliverPushMessage', {
    ...{ origin, registrationId: await registered, data: JSON.stringify(message) },
  });
  await session.detach();
}
