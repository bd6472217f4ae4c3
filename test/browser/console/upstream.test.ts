import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlawsInLooks, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage } from '../../support/factories.js';
import { startReceiver } from '../../support/http-receiver.js';
import { atlassianSummary } from '../../support/upstream-answers.js';

describeInBrowser('The form of what a component follows', () => {
  const { signIn, service } = useOwnConsole({ allowPrivateTargets: true });
  let upstream: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    upstream = await startReceiver(({ path }) =>
      path === '/api/v2/summary.json' ? { body: atlassianSummary('partial_outage') } : { status: 404 },
    );
  });
  afterAll(() => upstream.stop());

  test('finds the components of a status page, follows one, and ends it', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    await createComponent(service, path, { name: 'Card payments' });
    const { page, problems, open } = await signIn();
    await open(`/pages/${id}/components`);
    const edit = page.getByRole('button', { name: 'Edit Card payments' });
    await edit.click();
    await page.getByLabel('Its address').fill(`${upstream.url}/none`);
    await page.getByRole('button', { name: 'Find its components' }).click();
    await page.getByText('must be the address of a status page').waitFor();
    await page.getByLabel('Its address').fill(upstream.url);
    await page.getByRole('button', { name: 'Find its components' }).click();
    await page.getByLabel('Its component', { exact: true }).selectOption('Cloud › API (Partial outage)');
    expect(await findFlawsInLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Follow it', exact: true }).click();
    await page.getByText(`Follows API of ${new URL(upstream.url).host}`).waitFor();
    await page.getByRole('button', { name: 'Partial outage: set the status of Card payments' }).waitFor();
    await edit.click();
    await page.getByRole('button', { name: 'Stop following it' }).click();
    await page.getByRole('button', { name: 'Operational: set the status of Card payments' }).waitFor();
    expect(problems).toEqual([]);
  });
});
