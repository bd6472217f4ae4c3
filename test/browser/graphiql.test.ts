import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { startTestService, type TestService } from '../support/service.js';

jest.setTimeout(60_000);

describeInBrowser('GraphiQL', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('runs a query with a token, under its content security policy and without other origins', async () => {
    await service.post('/v1/pages', { name: 'Meridian Freight' });
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    const origins = new Set<string>();
    page.on('console', message => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', error => problems.push(error.message));
    page.on('request', request => origins.add(new URL(request.url()).origin));

    await page.goto(`${service.url}/graphql`);
    await page.locator('.graphiql-execute-button').waitFor();
    await page.locator('.graphiql-editor-tool .view-lines:visible').click();
    // The caret goes between "Bearer " and the closing quote on the second line.
    for (const key of ['Control+Home', 'ArrowDown', 'End', 'ArrowLeft']) await page.keyboard.press(key);
    await page.keyboard.insertText(service.tokens.read);
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.result-window', { hasText: 'Meridian' }).waitFor();

    expect(problems).toEqual([]);
    expect([...origins].filter(origin => origin !== 'null')).toEqual([service.url]);
    // Reloading must show GraphiQL again, and nothing may stay in the browser.
    expect(page.url()).toBe(`${service.url}/graphql`);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).toBe('{}');
    await context.close();
  });
});
