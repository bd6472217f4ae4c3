import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSignInCode } from '../../../src/auth/session.service.js';
import { serviceOrigin } from '../../../src/db/audit.js';
import { invitePerson } from '../../../src/people/person.service.js';
import { Writer } from '../../../src/records/writer.js';
import { describeInBrowser, useBrowser } from '../../support/browser.js';
import { startConsoleService } from '../../support/console.js';
import { createNotice, createPage } from '../../support/factories.js';
import type { TestService } from '../../support/service.js';

describeInBrowser('The console at a host of its own', () => {
  let service: TestService;
  const browser = useBrowser();
  let consoleUrl: string;
  let pageHost: string;
  beforeAll(async () => {
    // Browsers resolve every name below localhost to this machine.
    const toConsoleUrl = (publicUrl: string) => publicUrl.replace('localhost', 'console.localhost');
    service = await startConsoleService({}, publicUrl => ({ consoleUrl: toConsoleUrl(publicUrl) }));
    consoleUrl = toConsoleUrl(service.url);
    const page = await createPage(service, { name: 'Meridian Freight' });
    pageHost = service.url.replace('localhost', `${page.id}.localhost`);
    await createNotice(service, page.path, { subject: 'Card payments fail' });
  });
  afterAll(() => service.stop());

  test('signs in there, and is served on no host of pages', async () => {
    const writer = new Writer(service.database, { origin: serviceOrigin('command', 'test') });
    const personId = await writer.transaction(unit => invitePerson(unit, 'anna@example.com', 'owner', null));
    const context = await browser.newContext();
    const tab = await context.newPage();
    const problems: string[] = [];
    tab.on('pageerror', error => problems.push(error.message));
    tab.on('request', request => {
      if (new URL(request.url()).origin !== consoleUrl) problems.push(`request to ${request.url()}`);
    });
    await tab.goto(`${consoleUrl}/sign-in/${await createSignInCode(service.database, personId)}`);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.waitForURL(`${consoleUrl}/console/**`);
    await tab.goto(`${consoleUrl}/console/`);
    await tab.getByRole('link', { name: /Card payments fail/ }).waitFor();
    await tab.getByRole('link', { name: 'Report an incident' }).first().click();
    await tab.frameLocator('iframe').getByText('Meridian Freight').first().waitFor();
    expect(problems).toEqual([]);

    const elsewhere = await context.newPage();
    await elsewhere.goto(`${service.url}/console/tokens`);
    await elsewhere.getByRole('heading', { name: 'Tokens' }).waitFor();
    expect(elsewhere.url()).toBe(`${consoleUrl}/console/tokens`);
    await elsewhere.goto(`${pageHost}/console/`);
    expect(await elsewhere.locator('#root').count()).toBe(0);
    await elsewhere.goto(`${pageHost}/`);
    await elsewhere.getByText('Card payments fail').first().waitFor();
    expect((await context.cookies(pageHost)).filter(({ httpOnly }) => httpOnly)).toEqual([]);
  });
});
