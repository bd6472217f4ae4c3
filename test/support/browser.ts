import { describe, jest } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

// A flow through several screens on a busy machine.
jest.setTimeout(90_000);

/** Skips its tests, by name, where no browser starts; report-browser.js says why at the end. In CI that is a failure. */
export const describeInBrowser = process.env.TEST_BROWSER ? describe : describe.skip;

/** Connects to the browser of the run; closing the connection closes its contexts alone. */
export const connectToBrowser = (): Promise<Browser> => chromium.connect(process.env.TEST_BROWSER!);
