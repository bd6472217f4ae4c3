import { expect, test } from '@jest/globals';
import { useArchives } from '../../support/archives.js';
import { describeInBrowser } from '../../support/browser.js';
import { desktop, findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import { createStatuspageAnswers } from '../../support/statuspage-answers.js';

const incidents = 50;
const subscribers = 200;
const toFiles = (answers: Record<string, unknown>) =>
  Object.entries(answers).map(([name, answer]) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(answer)),
  }));
const files = toFiles(createStatuspageAnswers({ components: 6, incidents, subscribers }));

const archives = useArchives();

describeInBrowser('A page of another product', () => {
  const { service, signIn } = useOwnConsole();
  const { service: elsewhere, signIn: signInElsewhere } = useOwnConsole();

  test('moves in by its files, leaves as an archive, and moves in elsewhere', async () => {
    const { page, problems, open } = await signIn({ viewport: desktop });
    await open('/import');
    await page.getByLabel('Files', { exact: true }).setInputFiles(files);
    await page.getByRole('button', { name: 'Check what would be imported' }).first().click();
    await page.getByText('Nothing is written yet.').waitFor();
    await page.getByRole('row', { name: `Notices ${incidents}` }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    expect(await service.database.query('select 1 from page')).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import is done.').waitFor();
    await page.getByRole('link', { name: 'Look at the page' }).click();
    await page
      .getByText(`Incident ${incidents - 1}`)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Import and export' }).click();
    await page.getByRole('button', { name: 'Export this page' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export this page' }).click();
    const archive = archives.newPath();
    await (await downloading).saveAs(archive);
    expect(problems).toEqual([]);

    const other = await signInElsewhere({ viewport: phone });
    await other.open('/import');
    await other.page.getByLabel('Archive').setInputFiles(archive);
    await other.page.getByRole('button', { name: 'Check what would be imported' }).last().click();
    await other.page.getByRole('row', { name: `Subscribers ${subscribers}` }).waitFor();
    expect(await findFlaws(other.page)).toEqual([]);
    await other.page.getByRole('button', { name: 'Import', exact: true }).click();
    await other.page.getByText('The import is done.').waitFor();
    const counts = await elsewhere.database.query(
      `select (select count(*)::int from notice) as notices, (select count(*)::int from subscriber) as subscribers`,
    );
    expect(counts).toEqual([{ notices: incidents, subscribers }]);
    await other.page.getByLabel('Archive').setInputFiles(archive);
    await other.page.getByRole('button', { name: 'Check what would be imported' }).last().click();
    await other.page.getByText('The installation has already: pages with the id').waitFor();
    expect(other.problems).toEqual([]);
  });

  test('leaves with its secrets by a passphrase, which arrive by the same one alone', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const passwordHash = `${'s'.repeat(22)}.${'h'.repeat(43)}`;
    await service.database.query('update page set password_hash = $2 where id = $1', [id, passwordHash]);
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(`/pages/${id}/transfer`);
    await page.getByLabel('Passphrase').fill('correct horse battery staple');
    expect(await findFlaws(page)).toEqual([]);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export this page' }).click();
    const archive = archives.newPath();
    await (await downloading).saveAs(archive);
    expect(problems).toEqual([]);

    const other = await signInElsewhere({ viewport: desktop, colorScheme: 'dark' });
    await other.open('/import');
    await other.page.getByLabel('Archive').setInputFiles(archive);
    await other.page.getByLabel('Passphrase').fill('another passphrase');
    await other.page.getByRole('button', { name: 'Check what would be imported' }).last().click();
    await other.page.getByText('the passphrase is not that of its secrets').waitFor();
    await other.page.getByLabel('Passphrase').fill('correct horse battery staple');
    await other.page.getByRole('button', { name: 'Check what would be imported' }).last().click();
    await other.page.getByRole('row', { name: 'Secrets 1' }).waitFor();
    expect(await findFlaws(other.page)).toEqual([]);
    await other.page.getByRole('button', { name: 'Import', exact: true }).click();
    await other.page.getByText('The import is done.').waitFor();
    const hashes = await elsewhere.database.query('select password_hash from page where id = $1', [id]);
    expect(hashes).toEqual([{ password_hash: passwordHash }]);
  });

  test('is added to a page by who owns that alone, who gets no screen for a new one', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight' });
    const { page, open } = await signIn({ pageIds: [id], viewport: phone });
    await open(`/pages/${id}/transfer`);
    expect(await page.getByLabel('Passphrase').count()).toBe(0);
    expect(await page.getByLabel('Product').locator('option').allTextContents()).toEqual([
      'Statuspage',
      'Instatus',
      'Better Stack',
      'Cachet',
      'CSV',
    ]);
    await page.getByLabel('Product').selectOption('csv');
    const buffer = Buffer.from('email\nada@customer.example\nnobody\n');
    await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check what would be imported' }).click();
    await page.getByText('Left out', { exact: true }).last().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import is done.').waitFor();
    const stored = await service.database.query('select email from subscriber where page_id = $1', [id]);
    expect(stored).toEqual([{ email: 'ada@customer.example' }]);
    await open('/import');
    await page.getByText('Your role does not allow this').waitFor();
  });

  test('is read by a token, and the answer of the service is shown', async () => {
    const { page, open } = await signIn({ viewport: phone });
    await open('/import');
    await page.getByText('The API, with a token').click();
    await page.getByLabel('API token').fill('secret');
    await page.getByLabel('Page ID').fill('page1');
    await page.getByLabel('Address of the API').fill('https://127.0.0.1:9');
    await page.getByRole('button', { name: 'Check what would be imported' }).first().click();
    await page.getByText('127.0.0.1 is not a public address').waitFor();
    expect(await findFlaws(page)).toEqual([]);
  });
});
