import type { Locator, Page } from 'playwright-core';
import type { TcpProxy } from './tcp-proxy.js';

/** Numbers from 0 to 1 that the seed determines (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

/** How long before and after the press of the button a cut begins, and how long it lasts. */
const earliestMs = 0;
const latestMs = 250;
const longestMs = 900;

/**
 * Publishes an incident with this subject in the console while the network is cut once at a random moment: connections
 * are reset, or their bytes are lost before that. Sometimes the person reloads meanwhile. Returns when the console shows
 * the notice.
 */
export async function publishThroughCut(
  page: Page,
  url: string,
  proxy: TcpProxy,
  random: () => number,
  subject: string,
): Promise<void> {
  await page.goto(`${url}/console/new/incident`);
  await page.getByLabel('Subject').fill(subject);
  const button = page.getByRole('button', { name: /^Publish and notify/ });
  await button.waitFor();
  const losesBytes = random() < 0.5;
  const reloads = random() < 0.25;
  const beginMs = earliestMs + random() * (latestMs - earliestMs);
  const lengthMs = random() * longestMs;
  const pressed = button.click();
  await pause(beginMs);
  if (losesBytes) proxy.silence();
  else proxy.disconnect();
  await pause(lengthMs);
  await pressed;
  if (losesBytes) proxy.disconnect();
  proxy.resume();
  proxy.reconnect();
  // The notice has been opened already, or there is something to reload.
  if (reloads && /\/new\/incident$/.test(page.url())) await page.reload();
  await pressUntilOpened(page, button);
}

/** Presses the button again where the console has given up, as a person would: a publication too many would be found. */
async function pressUntilOpened(page: Page, button: Locator): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    const opened = page.waitForURL(/\/notices\/\d+/, { timeout: 2_000 });
    const isOpened = await opened.then(
      () => true,
      error => {
        if (Date.now() > until) throw error;
        return false;
      },
    );
    if (isOpened) return;
    if ((await button.isVisible()) && (await button.isEnabled())) await button.click();
  }
}
