import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Role } from '../../../src/auth/roles.js';
import { describeInBrowser } from '../../support/browser.js';
import { useConsole } from '../../support/console.js';
import { createNotice, createPage, createSubscriber } from '../../support/factories.js';

/** The place of each page that a role opens, from the least role that does. */
const places: [place: string, role: Role][] = [
  ['notices', 'viewer'],
  ['components', 'viewer'],
  ['templates', 'viewer'],
  ['metrics', 'viewer'],
  ['drafts', 'drafter'],
  ['subscribers', 'publisher'],
  ['deliveries', 'publisher'],
  ['appearance', 'owner'],
  ['channels', 'owner'],
  ['domain', 'owner'],
  ['settings', 'owner'],
];
/** The screens that belong to no page, from the least role on a page that opens them; null: a role on all pages. */
const others: [path: string, role: Role | null][] = [
  ['new/incident', 'drafter'],
  ['people', 'owner'],
  ['tokens', 'owner'],
  ['audit', 'owner'],
  ['new-page', null],
];
const roles: Role[] = ['viewer', 'drafter', 'publisher', 'owner'];

/** Opens an address as a link of the console does, without loading the console again. */
async function enter(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console${path}')`);
  await page.locator('h1').first().waitFor();
}

describeInBrowser('What each role sees', () => {
  let own: { id: string; path: string };
  let other: { id: string; path: string };
  let otherNotice: { id: string };
  const { service, signIn } = useConsole();
  beforeAll(async () => {
    own = await createPage(service, { name: 'Own' });
    other = await createPage(service, { name: 'Other' });
    await createSubscriber(service, own.path, { email: 'ada@customer.example' });
    await createSubscriber(service, other.path, { email: 'grace@customer.example' });
    otherNotice = await createNotice(service, other.path, { subject: 'Not for you', should_publish: false });
  });

  test.each(roles)('a %s of one page: its places and its keys, and nothing else by its address', async role => {
    const { page, problems, open } = await signIn({ role, pageIds: [own.id] });
    const has = (least: Role | null) => least !== null && roles.indexOf(role) >= roles.indexOf(least);
    await open('/');
    const links = await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('link')
      .evaluateAll(found => found.map(link => (link as unknown as { href: string }).href));
    for (const [place, least] of places)
      expect([place, links.some(link => link.endsWith(`/pages/${own.id}/${place}`))]).toEqual([place, has(least)]);
    expect(links.some(link => link.endsWith('/people'))).toBe(role === 'owner');
    await page.keyboard.press('n');
    if (has('drafter')) await page.waitForURL('**/new/incident');
    else expect(new URL(page.url()).pathname).toBe('/console/');

    const paths = [
      ...places.map(([place, least]) => [`/pages/${own.id}/${place}`, has(least)] as const),
      ...[...places.map(([place]) => place), `notices/${otherNotice.id}`].map(
        place => [`/pages/${other.id}/${place}`, false] as const,
      ),
      ...others.map(([path, least]) => [`/${path}`, has(least)] as const),
    ];
    const refused = page.getByRole('heading', { level: 1, name: 'Your role does not allow this' });
    for (const [path, isAllowed] of paths) {
      await enter(page, path);
      expect([path, await refused.count()]).toEqual([path, isAllowed ? 0 : 1]);
      if (isAllowed) continue;
      expect(await page.locator('main').locator('button, input, select').count()).toBe(0);
      expect(await page.locator('main').textContent()).not.toMatch(/grace@|Not for you/);
    }
    for (const path of ['/new/unknown', `/pages/${own.id}/unknown`, '/unknown']) {
      await enter(page, path);
      expect(await page.locator('h1').textContent()).toBe('Page not found');
      expect(await page.locator('main a').textContent()).toBe('Go to the situation');
    }
    expect(problems).toEqual([]);
  });
});
