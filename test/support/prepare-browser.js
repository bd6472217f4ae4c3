import { chromium } from 'playwright-core';
import createDatabaseTemplate from './create-database-template.js';
import { findBrowser } from './find-browser.ts';

/** Global setup: finds a browser that starts and passes it to the tests as TEST_BROWSER, the launch options in JSON. */
export default async function prepareBrowser() {
  await createDatabaseTemplate();
  const options = await findBrowser();
  const failure = await launchFailure(options);
  if (!failure) process.env.TEST_BROWSER = JSON.stringify(options);
  else if (process.env.CI) throw new Error(`The browser tests cannot run: ${failure}`);
  else process.env.TEST_BROWSER_FAILURE = failure;
}

/** Null when the browser starts; else why not, in one sentence. */
async function launchFailure({ executablePath, args, env }) {
  try {
    const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
    await browser.close();
    return null;
  } catch (error) {
    return `${executablePath} does not start: ${error.message.split('\n')[0]}`;
  }
}
