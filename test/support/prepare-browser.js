import { chromium } from 'playwright-core';
import createDatabaseTemplate from './create-database-template.js';
import { findBrowser } from './find-browser.ts';

/** Global setup: starts one browser for all test files, and passes them its address as TEST_BROWSER. */
export default async function prepareBrowser() {
  await createDatabaseTemplate();
  const { executablePath, args, env } = await findBrowser();
  try {
    const server = await chromium.launchServer({ executablePath, args, env: { ...process.env, ...env } });
    globalThis.testBrowser = server;
    process.env.TEST_BROWSER = server.wsEndpoint();
  } catch (error) {
    const failure = `${executablePath} does not start: ${error.message.split('\n')[0]}`;
    if (process.env.CI) throw new Error(`The browser tests cannot run: ${failure}`);
    process.env.TEST_BROWSER_FAILURE = failure;
  }
}
