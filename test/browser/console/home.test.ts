import { beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { allLooks, findFlaws, findFlawsInLooks, useOwnConsole } from '../../support/console.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

/** How often the screen asks for what is open. */
const refreshMs = 10_000;

describeInBrowser('The situation room', () => {
  let meridian: string;
  const { service, browser, signIn } = useOwnConsole();
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight' });
    meridian = page.id;
    const tracking = await createComponent(service, page.path, { name: 'Tracking' });
    await createPage(service, { name: 'Nordlicht Energie' });
    const stale = await createNotice(service, page.path, {
      subject: 'Positions stand still',
      component_ids: [tracking.id],
    });
    const quiet = await createNotice(service, page.path, { subject: 'Quotes are slow' });
    const age = (id: number, minutes: number) =>
      service.database.query(`update notice set created_at = created_at - make_interval(mins => $2) where id = $1`, [
        id,
        minutes,
      ]);
    await age(stale.id, 65);
    await age(quiet.id, 31);
    await createNotice(service, page.path, {
      type: 'planned',
      subject: 'Invoices move',
      begins_at: new Date(Date.now() + 7_200_000).toISOString(),
      ends_at: new Date(Date.now() + 10_800_000).toISOString(),
    });
  });

  test('shows all that is open, without flaws', async () => {
    const { page, problems, open } = await signIn();
    await open('/');
    expect(await page.locator('h1').textContent()).toBe('2 incidents are open');
    expect(await page.getByText('No update for 1 h 5 min').count()).toBe(1);
    expect(await page.getByText('No update for 31 min').count()).toBe(1);
    expect(await page.getByRole('link', { name: /Invoices move/ }).textContent()).toContain('Scheduled');
    expect(await page.getByRole('link', { name: /Positions stand still/ }).textContent()).toContain(
      'Meridian Freight · Tracking',
    );
    expect(await findFlawsInLooks(page, allLooks)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('follows what others do', async () => {
    const { page, open } = await signIn();
    await page.clock.install();
    await open('/');
    const { json } = await service.graphql(
      'mutation($page: ID!) { openIncident(pageId: $page, input: { subject: "Webhooks fail", shouldPublish: false }) { notice { id } } }',
      { page: meridian },
    );
    const row = page.getByRole('link', { name: /Webhooks fail/ });
    await page.clock.fastForward(refreshMs);
    await row.waitFor();
    const state =
      'mutation($id: ID!) { advanceNotice(id: $id, input: { state: RESOLVED, shouldPublish: false }) { notice { id } } }';
    await service.graphql(state, { id: json.data.openIncident.notice.id });
    await page.clock.fastForward(refreshMs);
    await row.waitFor({ state: 'detached' });
  });

  test('offers nothing that the role does not allow, and shows the pages of the role alone', async () => {
    const viewer = await signIn({ role: 'viewer', pageIds: [meridian] });
    await viewer.open('/');
    expect(await viewer.page.getByRole('link', { name: 'Report an incident' }).count()).toBe(0);
    expect(await viewer.page.getByText('Nordlicht').count()).toBe(0);
    const drafter = await signIn({ role: 'drafter', pageIds: [meridian] });
    await drafter.open('/');
    expect(await drafter.page.getByRole('link', { name: 'Report an incident' }).count()).toBe(1);
  });

  test('has a menu and keys for what its buttons do', async () => {
    const { page, open } = await signIn();
    await open('/');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').textContent()).toContain('Report an incident');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('schedule');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/new/maintenance');
    await page.goBack();
    await page.locator('h1').waitFor();
    await page.keyboard.press('n');
    await page.waitForURL('**/console/new/incident');
  });

  test('says how to get in to somebody who is signed out', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/console/`);
    await page.getByRole('heading', { name: 'Sign in to All Clear' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.close();
  });

  test('says that it may be out of date where the service cannot be reached, and leads to the sign-in where the session has ended', async () => {
    const { page, open } = await signIn();
    await page.clock.install();
    await open('/');
    const lost = page.getByText('what is shown may be out of date');
    const isShownLater = async (part: Locator) => {
      await page.clock.fastForward(refreshMs);
      return part.isVisible();
    };
    await page.route('**/graphql', route => route.abort());
    await waitUntilEqual(() => isShownLater(lost), true);
    expect(await findFlaws(page)).toEqual([]);
    await page.unroute('**/graphql');
    await waitUntilEqual(() => isShownLater(lost), false);
    await service.database.query('delete from session');
    const signInHeading = page.getByRole('heading', { name: 'Sign in to All Clear' });
    await waitUntilEqual(() => isShownLater(signInHeading), true);
    expect(await page.getByText('No incident is open').count()).toBe(0);
  });
});
