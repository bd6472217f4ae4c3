import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { findFlawsInLooks, phone, signOutElsewhere, useConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import { answerQuestion, findWorker, replaceSubscriptions } from '../../support/push-browser.js';
import { startPushService } from '../../support/push-service.js';

describeInBrowser('The account of a person', () => {
  const { service, signIn } = useConsole();
  let pushService: Awaited<ReturnType<typeof startPushService>>;
  afterAll(() => pushService.stop());
  beforeAll(async () => {
    pushService = await startPushService();
    await createPage(service, { name: 'Meridian Freight' });
  });

  async function addAuthenticator(page: Page): Promise<void> {
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  test('sends push messages about alerts to the browser, and ends them', async () => {
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    const { fields } = pushService.createBrowser();
    await page.addInitScript(replaceSubscriptions, { ...fields, endpoint: 'https://push.example.com/send/1' });
    await page.addInitScript(answerQuestion, 'granted' as const);
    await open('/account');
    const count = () => service.database.query('select 1 from alert_browser');
    await page.getByRole('button', { name: 'Send push messages to this browser' }).click();
    const stop = page.getByRole('button', { name: 'Stop push messages to this browser' });
    await stop.waitFor();
    expect(await count()).toHaveLength(1);
    expect(await findFlawsInLooks(page)).toEqual([]);
    expect(await page.evaluate(findWorker)).toBe(`${service.url}/console/push-worker.js`);
    await page.reload();
    await stop.click();
    await page.getByRole('button', { name: 'Send push messages to this browser' }).waitFor();
    expect(await count()).toHaveLength(0);
    expect(problems).toEqual([]);
  });

  test('adds, names and deletes a passkey, which signs in', async () => {
    const { page, problems, open } = await signIn({ role: 'viewer', viewport: phone });
    await addAuthenticator(page);
    await open('/account');
    const name = page.getByLabel('Name of a new passkey');
    expect(await name.inputValue()).toMatch(/^Chrome on /);
    await name.fill(' ');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await name.fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'never used' });
    await row.getByText('Laptop', { exact: true }).waitFor();
    expect(await name.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Rename Laptop' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Work laptop');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByText('Work laptop', { exact: true }).waitFor();
    expect(await findFlawsInLooks(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.getByRole('heading', { name: 'Sign in to All Clear' }).waitFor();
    await page.goto(`${service.url}/console/account`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${service.url}/console/account`);
    await page.getByText(/, used now/).waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete Work laptop?' }).click();
    await page.getByText('Work laptop', { exact: true }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('leads to a sign-in where that is older than ten minutes, and keeps the session until then', async () => {
    const { page, problems, open } = await signIn({ role: 'viewer' });
    await addAuthenticator(page);
    await service.database.query(`update session set created_at = created_at - interval '11 minutes'`);
    await open('/account');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL(`${service.url}/sign-in?again&to=%2Fconsole%2Faccount`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await page.getByText(/allclear people invite viewer-\w+@example\.com$/).waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText(/last seen/).waitFor();
    expect(problems).toEqual([]);
  });

  test('lists the sessions, and signs out', async () => {
    const { page, problems, open } = await signIn({ role: 'viewer' });
    await open('/account');
    const sessions = page.getByText(/last seen/);
    await sessions.first().waitFor();
    expect(await sessions.count()).toBe(1);
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.getByRole('heading', { name: 'Sign in to All Clear' }).waitFor();
    expect(problems).toEqual([]);
  });

  test.each(['Your account', 'Access'])(
    'leads to the sign-in where the session has ended elsewhere: %s',
    async place => {
      const { page, problems, open, context } = await signIn();
      await open('/');
      await signOutElsewhere(context, service.url);
      const signInHeading = page.getByRole('heading', { name: 'Sign in to All Clear' });
      const link = page.getByRole('link', { name: new RegExp(`^${place}`) });
      // The screen that is open reads again by itself, and may notice it before the click.
      await Promise.race([link.click().catch(() => {}), signInHeading.waitFor()]);
      await signInHeading.waitFor();
      expect(problems).toEqual([]);
    },
  );

  test('opens the editor of GraphQL with the rights of the session', async () => {
    const { page, problems, open } = await signIn({ role: 'publisher' });
    await open('/account');
    await page.getByRole('link', { name: 'GraphQL' }).click();
    const run = page.locator('.graphiql-execute-button');
    await run.waitFor();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Mine { viewer { kind role } }');
    await page.locator('.graphiql-tab-button', { hasText: 'Mine' }).waitFor();
    const answered = page.waitForResponse(
      response => response.url().endsWith('/graphql') && !!response.request().postData()?.includes('query Mine'),
    );
    await run.click();
    expect((await (await answered).json()).data).toEqual({ viewer: { kind: 'PERSON', role: 'PUBLISHER' } });
    expect(problems).toEqual([]);
  });
});
