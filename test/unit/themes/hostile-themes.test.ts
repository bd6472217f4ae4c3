import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ThemeFailure, timeToEnd } from '../../../src/status-page/themes/render-job.js';
import { closeWorkshop, drawApart, spareIsReady } from '../../../src/status-page/themes/process-pool.js';
import { hostileThemes } from '../../support/hostile-themes.js';
import { timed } from '../../support/stopwatch.js';
import { orderOf } from '../../support/theme-rendering.js';

const innocent = { 'status-page.liquid': '{{ page.name }}' };
const draw = ({ source, commission }: ReturnType<typeof orderOf>) => drawApart(source, commission);

beforeAll(() => draw(orderOf(innocent)));
afterAll(() => closeWorkshop());

/** Milliseconds: until the answer, and the longest that this process was held meanwhile. */
async function measured(files: Record<string, string | object>) {
  await spareIsReady();
  const order = orderOf(files);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await turn();
  delay.enable();
  const { result, took } = await timed(timeToEnd, () => draw(order).catch((error: unknown) => error));
  delay.disable();
  return { outcome: result as unknown, took, held: delay.max / 1e6 };
}

test('there are 75 hostile themes, and no two of them alike', () => {
  expect(hostileThemes.length).toBeGreaterThanOrEqual(75);
  expect(new Set(hostileThemes.map(([, files]) => JSON.stringify(files))).size).toBe(hostileThemes.length);
});

test.each(hostileThemes)('%s: over within 500 ms, without holding the service', async (_description, files) => {
  // What a theme does it does every time; a machine that is busy with something else does not.
  let best = { took: Number.POSITIVE_INFINITY, held: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < 10 && (best.took > 500 || best.held > 50); attempt++) {
    const { outcome, took, held } = await measured(files);
    best = { took: Math.min(best.took, took), held: Math.min(best.held, held) };
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(ThemeFailure);
      expect(outcome.message).toMatch(/^[^\p{C}]{10,300}$/u);
    }
    if (attempt) await wait(100);
  }
  expect(best.took).toBeLessThanOrEqual(500);
  expect(best.held).toBeLessThanOrEqual(50);
});

test('after all of them an innocent theme is drawn as ever', async () => {
  expect((await draw(orderOf(innocent))).templates.get('status-page')).toBe('Example &amp; Company');
});
