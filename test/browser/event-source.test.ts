import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { createPage } from '../support/factories.js';
import { useOwnService } from '../support/service.js';

/** As docs/graphql-api.md shows it. */
const [example] = /^ {4}const parameters = [\s\S]+?events\.close\(\)\);$/m.exec(
  readFileSync('docs/graphql-api.md', 'utf8'),
)!;

const ofPublication = example.replace(
  'pageChanged(pageId: $page) { page { name state } }',
  'publicationProgress(id: $page) { cursor }',
);

describeInBrowser('The EventSource of a browser', () => {
  const browser = useBrowser();
  const service = useOwnService();

  /** Runs the example on a page of another origin, and collects what it shows. */
  async function follow(pageId: string, document = example): Promise<{ page: Page; shown: unknown[] }> {
    const page = await (await browser.newContext()).newPage();
    const shown: unknown[] = [];
    await page.exposeFunction('show', (event: unknown) => shown.push(event));
    const script = document.replace('https://status.example.com', service.url);
    await page.evaluate(`(page => { ${script}; window.events = events; })(${JSON.stringify(pageId)})`);
    return { page, shown };
  }
  async function waitFor(page: Page, isDone: () => boolean): Promise<void> {
    for (let tries = 0; !isDone() && tries < 500; tries++) await page.waitForTimeout(20);
    expect(isDone()).toBe(true);
  }
  const isClosed = (page: Page) => page.evaluate('window.events.readyState === 2');

  test('gets each event in `onmessage`', async () => {
    const { id, path } = await createPage(service, { name: 'Before' });
    const { page, shown } = await follow(id);
    await waitFor(page, () => shown.length === 1);
    await service.patch(path, { name: 'After' });
    await waitFor(page, () => shown.length === 2);
    const names = (shown as { data: { pageChanged: { page: { name: string } } } }[]).map(
      ({ data }) => data.pageChanged.page.name,
    );
    expect(names).toEqual(['Before', 'After']);
    expect(await isClosed(page)).toBe(false);
    await page.context().close();
  });

  test.each([
    ['a page that is not there', 'ffffffff', example, 'NOT_FOUND'],
    ['a field that does not exist', 'ffffffff', example.replace('state', 'stat'), 'GRAPHQL_VALIDATION_FAILED'],
    ['a stream that requires a token', '1', ofPublication, 'UNAUTHENTICATED'],
  ])('can read the refusal of %s, and is closed', async (_, id, document, code) => {
    const { page, shown } = await follow(id, document);
    await waitFor(page, () => shown.length === 1);
    expect(JSON.stringify(shown)).toContain(code);
    for (let tries = 0; !(await isClosed(page)) && tries < 500; tries++) await page.waitForTimeout(20);
    expect(await isClosed(page)).toBe(true);
    await page.context().close();
  });
});
