import { expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useConsole } from '../../support/console.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';

describeInBrowser('The screen of reports', () => {
  const { service, signIn } = useConsole();

  test('shows a month, another one, and a file of twelve', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight' });
    const { id: component } = await createComponent(service, path, { name: 'Tracking' });
    await createNotice(service, path, {
      subject: 'Positions stood still',
      state: 'resolved',
      component_ids: [component],
      began_at: '2025-10-05T08:00:00Z',
      ended_at: '2025-10-05T08:40:00Z',
      initial_comment: 'Over.',
    });
    const { page, problems, open } = await signIn({ role: 'viewer', viewport: phone });
    await open(`/pages/${id}/reports`);
    await page.getByText('Nothing was in progress in this month.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await open(`/pages/${id}/reports?month=2025-10`);
    await page.getByRole('heading', { name: 'Report for October 2025' }).waitFor();
    await page.getByRole('link', { name: 'Positions stood still' }).waitFor();
    await page.getByRole('cell', { name: '40 min' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of 12 months' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('report-2025-10.csv');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    const month = page.getByLabel('Month');
    const [present] = (await month.locator('option').allTextContents()) as [string];
    await month.selectOption(present);
    await page.getByText('Nothing was in progress in this month.').waitFor();
    expect(problems).toEqual([]);
  });
});
