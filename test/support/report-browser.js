import removeDatabaseTemplate from './remove-database-template.js';

/** Says once, after the results, why the browser tests were skipped. */
export default async function reportBrowser() {
  await removeDatabaseTemplate();
  const failure = process.env.TEST_BROWSER_FAILURE;
  if (failure) process.stderr.write(`The browser tests were skipped: ${failure}\n`);
}
