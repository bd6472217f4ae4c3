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
  let nordlicht: string;
  const { service, browser, signIn } = useOwnConsole();
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight' });
    meridian = page.id;
    const tracking = await createComponent(service, page.path, { name: 'Tracking' });
    nordlicht = (await createPage(service, { name: 'Nordlicht Energie' })).id;
    const stale = await createNotice(service, page.path, {
      subject: 'Positions stand still',
      component_ids: [tracking.id],
    });
    await service.database.query(`update notice_component set impact = 'major-outage' where notice_id = $1`, [
      stale.id,
    ]);
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
    expect(await page.locator('h1').textContent()).toBe('2 incidents are open, 1 major outage');
    const rows = page.getByRole('heading', { name: 'Open incidents' }).locator('xpath=..').getByRole('listitem');
    expect(await rows.allTextContents()).toEqual([
      expect.stringMatching(/^Positions stand stillMajor outageInvestigating/),
      expect.stringMatching(/^Quotes are slowDegradedInvestigating.*Since .* · No owner.*no next update announced$/),
    ]);
    const heads = page.getByRole('list', { name: 'What visitors see' }).getByRole('listitem');
    await heads.first().waitFor();
    expect(await heads.allTextContents()).toEqual([
      expect.stringMatching(/^Major outage: TrackingMeridian Freight/),
      expect.stringMatching(/^No incidents reportedNordlicht Energie/),
    ]);
    // A name in Arabic begins beside its icon, as the others do.
    const readAlignment = "getComputedStyle(document.querySelector('main strong[dir=auto]')).textAlign";
    expect(await page.evaluate(readAlignment)).toBe('left');
    await waitUntilEqual(() => page.title(), '(!) Major outage – 2 incidents are open, 1 major outage · All Clear');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain(encodeURIComponent('M5 .8h6L15.2'));
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

  test('finds the present page first, then open incidents, and places of other pages', async () => {
    const { page, open } = await signIn();
    await open('/');
    const search = async (text: string) => {
      await page.keyboard.press('/');
      await page.getByRole('dialog').getByRole('searchbox').fill(text);
      const found = page.getByRole('dialog').getByRole('listitem');
      await waitUntilEqual(() => found.count().then(count => count > 0), true);
      const labels = await found.allTextContents();
      await page.keyboard.press('Escape');
      return labels;
    };
    expect(await search('chan')).toEqual(['Channels', 'Nordlicht Energie › Channels']);
    await open(`/pages/${nordlicht}/components`);
    expect(await search('chan')).toEqual(['Channels', 'Meridian Freight › Channels']);
    expect(await search('stand still')).toEqual(['Positions stand still · Meridian Freight']);
  });

  test('has every place in the menu on a small screen, and each kind of notice in one tap', async () => {
    const { page, open } = await signIn({ viewport: { width: 1280, height: 700 } });
    for (const path of ['/', `/pages/${meridian}/settings`]) {
      await open(path);
      const places = page.getByRole('navigation', { name: 'Places' });
      await places.getByText('Import and export').waitFor();
      const hidden = "(menu => menu.scrollHeight - menu.clientHeight)(document.querySelector('nav'))";
      expect(await page.evaluate(hidden)).toBe(0);
      expect(await places.getByRole('link', { name: 'View page' }).count()).toBe(1);
      expect(await findFlaws(page)).toEqual([]);
    }
    for (const path of ['/', `/pages/${meridian}/notices`])
      for (const [label, kind] of [
        ['Report an incident', 'incident'],
        ['Schedule maintenance', 'maintenance'],
        ['Make an announcement', 'announcement'],
      ] as const) {
        await open(path);
        await page.getByRole('link', { name: label }).click();
        await page.waitForURL(`**/console/new/${kind}*`);
      }
  });

  test('has one choice of the page where the form has one, and follows it', async () => {
    const { page, open } = await signIn();
    await open('/new/incident');
    await page.locator('form').getByLabel('Page', { exact: true }).selectOption({ label: 'Nordlicht Energie' });
    const places = page.getByRole('navigation', { name: 'Places' });
    await places.getByText('Nordlicht Energie').waitFor();
    expect(await page.getByRole('combobox', { name: 'Page', exact: true }).count()).toBe(1);
    expect(await places.getByRole('link', { name: 'Components' }).getAttribute('href')).toContain(nordlicht);
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
