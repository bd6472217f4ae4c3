import { describe } from '@jest/globals';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** Skips its tests, by name, where no browser starts; report-browser.js says why at the end. In CI that is a failure. */
export const describeInBrowser = process.env.TEST_BROWSER ? describe : describe.skip;

export function launchBrowser(): Promise<Browser> {
  const options = JSON.parse(process.env.TEST_BROWSER!) as LaunchOptions;
  return chromium.launch({ ...options, env: { ...process.env, ...options.env } as Record<string, string> });
}
