import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { createComponent, createNotice, createPage, createTemplate } from '../support/factories.js';
import { useOwnService } from '../support/service.js';

describeInBrowser('GraphiQL', () => {
  const browser = useBrowser();
  const service = useOwnService();
  let component: string;
  beforeAll(async () => {
    await createPage(service, { name: 'An older page' });
    const { path } = await createPage(service, { name: 'Meridian Freight' });
    component = String((await createComponent(service, path, { name: 'Booking API' })).id);
    await createNotice(service, path, { subject: 'Bookings fail', component_ids: [component] });
    await createTemplate(service, path, { name: 'Anything', subject: 'Something is wrong' });
  });

  const problems: string[] = [];
  const origins = new Set<string>();
  async function open(): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    page.on('console', message => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', error => problems.push(error.message));
    page.on('request', request => origins.add(new URL(request.url()).origin));
    await page.goto(`${service.url}/graphql`);
    await page.locator('.graphiql-execute-button').waitFor();
    return page;
  }

  async function enterToken(page: Page): Promise<void> {
    await page.getByLabel('Token').fill(service.tokens.write);
    await Promise.all([page.waitForEvent('load'), page.getByLabel('Token').press('Enter')]);
    await page.locator('.graphiql-execute-button').waitFor();
  }

  /** Runs the operation of a tab, and returns its response. */
  async function run(page: Page, tab: string) {
    await page.locator('.graphiql-tab-button', { hasText: new RegExp(`^${tab}$`) }).click();
    for (let tries = 0; ; tries++) {
      // GraphiQL may still be reading the schema.
      const answered = page.waitForResponse(
        response =>
          response.url().endsWith('/graphql') && !/IntrospectionQuery/.test(response.request().postData() ?? ''),
      );
      await page.locator('.graphiql-execute-button').click();
      const answer = await (await answered).json();
      // For a moment GraphiQL has the name of the operation of the tab before.
      if (!JSON.stringify(answer).includes('Unknown operation') || tries === 50) return answer;
    }
  }

  test('runs what is done on a night on call, with the ids of the newest page', async () => {
    const page = await open();
    await enterToken(page);
    const answers: Record<string, { data: Record<string, { userErrors?: [] }>; errors?: unknown }> = {};
    for (const tab of ['Pages', 'Preview', 'OpenIncident', 'Advance', 'Schedule', 'WhoWasNotified', 'ApplyTemplate'])
      answers[tab] = await run(page, tab);
    for (const [tab, { data, errors }] of Object.entries(answers)) {
      expect([tab, errors]).toEqual([tab, undefined]);
      for (const { userErrors } of Object.values(data)) expect([tab, userErrors ?? []]).toEqual([tab, []]);
    }
    expect(answers.Pages!.data).toMatchObject({
      viewer: { pages: { nodes: [{ name: 'An older page' }, { name: 'Meridian Freight' }] } },
    });
    expect(answers.OpenIncident!.data).toMatchObject({ openIncident: { components: [{ id: component }] } });
    expect(answers.Advance!.data).toMatchObject({ advanceNotice: { notice: { state: 'IDENTIFIED' } } });
    expect(answers.ApplyTemplate!.data).toMatchObject({ openIncident: { notice: { subject: 'Something is wrong' } } });
    expect(problems).toEqual([]);
    expect([...origins].filter(origin => origin !== 'null')).toEqual([service.url]);
    await page.context().close();
  });

  test('answers its first tab without a token', async () => {
    const page = await open();
    expect(await run(page, 'Pages')).toEqual({ data: { viewer: { kind: 'ANONYMOUS', pages: null } } });
    await page.context().close();
  });

  test('keeps the query and the token through a reload, for the tab of the browser alone', async () => {
    const page = await open();
    await enterToken(page);
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Mine { pages { totalCount } }');
    await page.locator('.graphiql-tab-button', { hasText: 'Mine' }).waitFor();
    // It is stored when nobody has typed for half a second.
    let stored = '';
    for (let tries = 0; !stored.includes('Mine') && tries < 200; tries++) {
      await page.waitForTimeout(20);
      stored = await page.evaluate("sessionStorage.getItem('graphiql:tabState') ?? ''");
    }
    await page.reload();
    await page.locator('.graphiql-tab-button', { hasText: 'Mine' }).waitFor();
    expect((await run(page, 'Mine')).data).toEqual({ pages: { totalCount: 2 } });
    // A reload must show GraphiQL again, and nothing may stay in the browser.
    expect(page.url()).toBe(`${service.url}/graphql`);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toBe('{}');
    stored = await page.evaluate('JSON.stringify({ ...sessionStorage, token: null })');
    expect(stored).not.toContain(service.tokens.write);
    await page.context().close();
  });
});
