import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../../src/db/transaction.js';
import { query } from '../../../src/db/prepared-statements.js';
import { signUp } from '../../../src/subscribers/sign-up.service.js';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';

let page: PublicPage;
beforeAll(async () => {
  page = await startPublicPage();
});
afterAll(() => page.service.stop());

// The embedded database runs one statement at a time: nothing waits for a lock.
const testOnPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;

testOnPostgres('forms that wait for the lock of a page leave connections to others', async () => {
  const { database, settings } = page.service;
  const { forms } = await inTransaction(database, async em => {
    await query(em, 'select 1 from page where id = $1 for no key update', [page.id]);
    const forms = Array.from({ length: settings.databaseConnections * 2 }, (_, index) =>
      signUp(database, page.id, { method: 'email', address: `a${index}@example.com`, kinds: [], componentIds: [] }),
    );
    for (const form of forms) form.catch(() => {});
    expect(await page.query('select 1 as one')).toEqual([{ one: 1 }]);
    return { forms };
  });
  const links = await Promise.all(forms);
  expect(links.map(link => link?.link.purpose)).toEqual(forms.map(() => 'confirm'));
});
