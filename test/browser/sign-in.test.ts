/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createSignInCode } from '../../src/auth/session.service.js';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { client, startForgingProvider } from '../support/forging-provider.js';
import { findAccessibilityViolations } from '../support/page-checks.js';
import { codeIn, type SignInService, startSignInService } from '../support/sign-in.js';

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

describeInBrowser('the sign-in page', () => {
  let service: SignInService;
  let provider: Awaited<ReturnType<typeof startForgingProvider>>;
  const browser = useBrowser();
  let origin: string;
  beforeAll(async () => {
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    provider = await startForgingProvider(client.id, client.secret);
    service = await startSignInService({
      port,
      publicUrl: origin,
      oidcIssuer: provider.issuer,
      oidcClientId: client.id,
      oidcName: 'Example',
      oidcClientSecret: client.secret,
    });
  });
  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });

  const withTab = async (options: BrowserContextOptions, check: (tab: Page, errors: string[]) => Promise<void>) => {
    const errors: string[] = [];
    const tab = await (await browser.newContext(options)).newPage();
    tab.on('pageerror', error => errors.push(error.message));
    // The console has tests of its own.
    tab.on('console', message => {
      if (message.type() === 'error' && message.location().url.includes('/sign-in')) errors.push(message.text());
    });
    await check(tab, errors);
  };
  const openLink = async (tab: Page, email: string) => {
    const personId = await service.invite(email);
    await tab.goto(`${origin}/sign-in/${await createSignInCode(service.database, personId)}`);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.waitForURL(`${origin}/console/**`);
    await tab.goto(`${origin}/sign-in`);
    await expectSession(tab, email);
  };
  const expectSession = async (tab: Page, email: string) => {
    await tab.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await tab.getByText(email).waitFor();
    expect(tab.url()).toBe(`${origin}/sign-in`);
  };

  test('signs in by a link, adds a passkey, and signs in by that', async () => {
    await withTab({}, async (tab, errors) => {
      const devices = await tab.context().newCDPSession(tab);
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
      await openLink(tab, 'passkey@example.com');
      await tab.getByLabel('Name of a new passkey').fill('Laptop');
      await tab.getByRole('button', { name: 'Add a passkey' }).click();
      await tab.getByRole('button', { name: 'Delete Laptop' }).waitFor();
      await tab.getByRole('button', { name: 'Sign out' }).click();
      await tab.goto(`${origin}/sign-in?to=/sign-in`);
      await tab.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await expectSession(tab, 'passkey@example.com');
      await tab.getByRole('button', { name: 'Delete Laptop' }).click();
      await tab.getByRole('button', { name: 'Delete Laptop' }).waitFor({ state: 'detached' });
      expect(errors).toEqual([]);
    });
  });

  test('signs in by a code without scripts, after a wrong one', async () => {
    await service.invite('code@example.com');
    await withTab({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } }, async tab => {
      await tab.goto(`${origin}/sign-in?to=/sign-in`);
      expect(await tab.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
      await tab.getByLabel('E-mail address').fill('code@example.com');
      await tab.getByRole('button', { name: 'Send me a code' }).click();
      const code = codeIn(await service.waitForMail('code@example.com'));
      await tab.getByLabel('Code').fill('wrong');
      await tab.getByRole('button', { name: 'Sign in' }).click();
      expect(await tab.getByRole('alert').innerText()).toContain('wrong');
      await tab.getByLabel('Code').fill(code);
      await tab.getByRole('button', { name: 'Sign in' }).click();
      await expectSession(tab, 'code@example.com');
      await tab.getByRole('button', { name: 'Sign out' }).click();
      await tab.getByRole('heading', { name: 'Sign in to All Clear' }).waitFor();
    });
  });

  test('signs in by a provider, and returns to the path that was asked for', async () => {
    await service.invite('sso@example.com');
    provider.answerBrowsers({ claims: { email: 'sso@example.com', email_verified: true } });
    await withTab({}, async tab => {
      await tab.goto(`${origin}/sign-in?to=/healthz`);
      await tab.getByRole('link', { name: 'Sign in with Example' }).click();
      await tab.waitForURL(`${origin}/healthz`);
      await tab.goto(`${origin}/sign-in`);
      await expectSession(tab, 'sso@example.com');
    });
  });

  test.each(['light', 'dark'] as const)(
    'has no accessibility violations and no scrolling sideways: %s',
    async colorScheme => {
      await withTab({ colorScheme, viewport: { width: 320, height: 640 } }, async (tab, errors) => {
        const check = async (name: string) => {
          expect([name, await findAccessibilityViolations(tab)]).toEqual([name, []]);
          expect([name, await tab.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, 320]);
        };
        await tab.goto(`${origin}/sign-in`);
        await check('the ways');
        await tab.getByLabel('E-mail address').fill(`somebody-with-a-long-name-${colorScheme}@subdomain.example.com`);
        await tab.getByRole('button', { name: 'Send me a code' }).click();
        await check('the code');
        await openLink(tab, `session-${colorScheme}@example.com`);
        await check('the session');
        expect(errors).toEqual([]);
        await tab.goto(`${origin}/sign-in/openid-connect/callback`);
        await check('a refusal');
      });
    },
  );
});
