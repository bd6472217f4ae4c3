import removeDatabaseTemplate from './remove-database-template.js';

/** Says once, after the results, why the browser tests were skipped. */
export default function reportBrowser() {
  removeDatabaseTemplate();
  const failure = process.env.TEST_BROWSER_FAILURE;
  if (failure) process.stderr.write(`The browser tests were skipped: ${failure}\n`);
}
