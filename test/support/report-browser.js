import removeDatabaseTemplate from './remove-database-template.js';

/** Closes the browser; or says once, after the results, why its tests were skipped. */
export default async function reportBrowser() {
  await globalThis.testBrowser?.close();
  await removeDatabaseTemplate();
  const failure = process.env.TEST_BROWSER_FAILURE;
  if (failure) process.stderr.write(`The browser tests were skipped: ${failure}\n`);
}
