import { afterAll, afterEach, beforeAll, describe, jest } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

// A flow through several screens on a busy machine.
jest.setTimeout(90_000);

/** Skips its tests, by name, where no browser starts; report-browser.js says why at the end. In CI that is a failure. */
export const describeInBrowser = process.env.TEST_BROWSER ? describe : describe.skip;

/** Connects to the browser of the run; closing the connection closes its contexts alone. */
export const connectToBrowser = (): Promise<Browser> => chromium.connect(process.env.TEST_BROWSER!);

export type TestBrowser = Pick<Browser, 'newContext' | 'newPage'>;

/** The browser of the run, for the tests of the calling `describe`. What a test has opened is closed after it. */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToBrowser();
  });
  afterEach(() => Promise.all(browser.contexts().map(context => context.close())));
  afterAll(() => browser.close());
  return {
    newContext: (options?: BrowserContextOptions) => browser.newContext(options),
    newPage: () => browser.newPage(),
  };
}
