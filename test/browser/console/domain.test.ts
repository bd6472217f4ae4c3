import { afterAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlawsInLooks, phone, useOwnConsole } from '../../support/console.js';
import { type DnsServer, startDns } from '../../support/dns.js';
import { createPage } from '../../support/factories.js';

describeInBrowser('The domain of a page', () => {
  let dns: DnsServer;
  const { service, signIn } = useOwnConsole(async () => {
    dns = await startDns();
    return { dnsServers: [dns.address] };
  });
  afterAll(() => dns.stop());

  test('is claimed, its record copied, and DNS checked until it is verified', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const domain = 'status.meridian.example';
    const { page, problems, open, context } = await signIn({ viewport: phone });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await open(`/pages/${id}/domain`);
    await page.getByText('no DNS record can point to it').waitFor();
    const field = page.getByLabel('Host name');
    await field.fill('localhost');
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await field.inputValue()).toBe('localhost');
    await field.fill(domain);
    await page.reload();
    expect(await field.inputValue()).toBe(domain);
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page.getByText('DNS does not confirm the domain yet').waitFor();
    await page
      .getByText(/there is none/i)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Copy Target' }).click();
    await page.getByRole('button', { name: 'Copied Target' }).waitFor();
    const target = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(target).toBe(`${id}.localhost`);
    expect(await findFlawsInLooks(page)).toEqual([]);
    dns.names.set(domain, { cname: target });
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Verified: the page is served here').waitFor();
    expect(await page.getByRole('button', { name: /Target/ }).count()).toBe(0);
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove the domain' }).click();
    await page.getByRole('button', { name: `Remove ${domain}?` }).click();
    await page.getByRole('heading', { name: 'Add a domain' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('is checked without a press while the screen is open', async () => {
    const { id } = await createPage(service);
    const { page, open } = await signIn();
    await page.clock.install();
    await open(`/pages/${id}/domain`);
    await page.getByLabel('Host name').fill('watched.meridian.example');
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page
      .getByText(/there is none/i)
      .first()
      .waitFor();
    dns.names.set('watched.meridian.example', { cname: `${id}.localhost` });
    await page.clock.runFor(10_000);
    await page.getByText('Verified: the page is served here').waitFor();
  });
});
