/// <reference lib="dom" />
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openChannels, type OpenChannels } from '../../src/server/open-channels.js';
import { startNotifications } from '../../src/server/start-notifications.js';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { createNotice } from '../support/factories.js';
import { findAccessibilityViolations } from '../support/page-checks.js';
import { answerQuestion, findWorker, replaceSubscriptions } from '../support/push-browser.js';
import { startPushService } from '../support/push-service.js';
import { type PublicPage, startPublicPage } from '../support/subscribe-forms.js';

let page: PublicPage;
let service: Awaited<ReturnType<typeof startPushService>>;
let channels: OpenChannels;
let stop: () => Promise<void>;

/**
 * Chromium asks its vendor for an endpoint, which tests cannot reach: the calls that do so return one of the local push
 * service. Without a screen it has no notifications either: the answer to its question is given, and the worker that the
 * page serves runs in a context that keeps what it would show. What it is handed is what the service has decrypted.
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
  const withTab = async (url: string, answer: NotificationPermission = 'granted') => {
    const tab = await browser.newPage();
    const chosen = service.createBrowser();
    await tab.addInitScript(replaceSubscriptions, chosen.fields);
    await tab.addInitScript(answerQuestion, answer);
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
    await tab.getByText('This browser receives updates from Meridian Freight.').waitFor();

    await createNotice(page.service, `/v1/pages/${page.id}`, { subject: 'Down', should_publish: true });
    await page.waitUntil(() => chosen.requests().length === 1);
    expect(await tab.evaluate(findWorker)).toBe(`${getUrl()}push-worker.js`);
    const { deliver, shown, click, opened } = runWorker((await page.get('push-worker.js')).text);
    const [message] = chosen.messages();
    await deliver(message);
    expect(shown).toEqual([
      expect.objectContaining({ title: message.title, data: message.url, tag: expect.stringMatching(/^notice-/) }),
    ]);
    await click(shown[0]!);
    expect(opened).toEqual([message.url]);

    await tab.goto(`${getUrl()}subscribe?by=push`);
    await tab.getByRole('button', { name: 'Unsubscribe' }).click();
    await tab.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await page.query('select 1 from webhook')).toEqual([]);
    await tab.goto(`${getUrl()}subscribe?by=push`);
    expect(await tab.getByRole('button', { name: 'Unsubscribe' }).isVisible()).toBe(false);
  });

  test('a browser whose visitor refuses says so, and sends nothing', async () => {
    const { tab } = await withTab(`http://${page.id}.localhost:${port()}/`, 'denied');
    await tab.getByRole('button', { name: 'Subscribe' }).click();
    await tab.getByText('This browser can’t show notifications for this page').waitFor();
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

interface Shown {
  title: string;
  data?: string;
}

/** Runs the script of a service worker as a browser does. */
function runWorker(source: string) {
  const listeners = new Map<string, (event: object) => void>();
  const [shown, opened]: [Shown[], string[]] = [[], []];
  const send = async (type: string, event: object) => {
    const works: unknown[] = [];
    listeners.get(type)!({ ...event, waitUntil: (work: unknown) => works.push(work) });
    await Promise.all(works);
  };
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, options: object) => void shown.push({ title, ...options }),
    },
    clients: { openWindow: async (url: string) => void opened.push(url) },
  };
  runInNewContext(source, { self });
  return {
    shown,
    opened,
    deliver: (message: object) => send('push', { data: { json: () => message } }),
    click: (notification: Shown) => send('notificationclick', { notification: { ...notification, close: () => {} } }),
  };
}
