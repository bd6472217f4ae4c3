import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RendererBusy, type RenderResult, ThemeFailure } from '../../../../src/status-page/themes/render-job.js';
import { RenderPool } from '../../../../src/status-page/themes/render-pool.js';
import { RenderProcess } from '../../../../src/status-page/themes/render-process.js';
import { createRenderJob } from '../../../support/theme-rendering.js';

const createTheme = (template: string) => createRenderJob({ 'status-page.liquid': template });
type Theme = ReturnType<typeof createTheme>;

let pool: RenderPool;
let render: jest.SpiedFunction<RenderProcess['render']>;
/** The processes of the renderings until now, in their order. */
const getProcesses = () => render.mock.contexts as unknown as RenderProcess[];
const renderTheme = ({ source, job }: Theme) => pool.render(source, job);

beforeEach(() => {
  pool = new RenderPool();
  render = jest.spyOn(RenderProcess.prototype, 'render');
});
afterEach(() => {
  jest.restoreAllMocks();
  pool.shutdown();
});

/** Renderings end when `finish` is called for their number, in place of rendering anything. */
function holdRenderings() {
  const held: ((outcome: Error | 'rendered') => void)[] = [];
  const order: Theme['source'][] = [];
  render.mockImplementation(source => {
    order.push(source);
    return new Promise<RenderResult>((resolve, reject) =>
      held.push(outcome =>
        outcome === 'rendered' ? resolve({ templates: new Map(), assets: new Map(), assetHash: '' }) : reject(outcome),
      ),
    );
  });
  const waitForRenderings = async (count: number) => {
    for (let tries = 0; held.length < count && tries < 1_000; tries++) await wait(10);
    expect(held).toHaveLength(count);
  };
  return { order, waitForRenderings, finish: (index: number, outcome: Error | 'rendered') => held[index]!(outcome) };
}

test('renders two themes at the same time, in order of arrival', async () => {
  const { order, waitForRenderings, finish } = holdRenderings();
  const themes = ['a', 'b', 'c', 'd'].map(createTheme);
  const rendered = themes.map(renderTheme);
  await waitForRenderings(2);
  finish(1, 'rendered');
  await waitForRenderings(3);
  finish(0, 'rendered');
  await waitForRenderings(4);
  for (const index of [2, 3]) finish(index, 'rendered');
  await Promise.all(rendered);
  expect(order.map(source => themes.findIndex(theme => theme.source === source))).toEqual(
    expect.arrayContaining([0, 1, 2, 3]),
  );
  expect(order.slice(2)).toEqual([themes[2]!.source, themes[3]!.source]);
});

test('renders a theme once at a time, in one process', async () => {
  const theme = createTheme('once');
  await Promise.all([renderTheme(theme), renderTheme(theme), renderTheme(theme)]);
  expect(new Set(getProcesses()).size).toBe(1);
});

test.each([
  ['exceeded its limits', new ThemeFailure('The theme took longer than 1000 ms.', true)],
  ['was slow', 'rendered' as const],
])('renders a theme that %s after those that wait', async (_, outcome) => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { order, waitForRenderings, finish } = holdRenderings();
  const [slow, ...others] = ['slow', 'one', 'two', 'three'].map(createTheme);
  const first = renderTheme(slow!).catch(() => null);
  await waitForRenderings(1);
  now = 300;
  finish(0, outcome);
  await first;
  const running = others.slice(0, 2).map(renderTheme);
  const again = renderTheme(slow!);
  const last = renderTheme(others[2]!);
  await waitForRenderings(3);
  finish(1, 'rendered');
  await waitForRenderings(4);
  expect(order[3]).toBe(others[2]!.source);
  finish(2, 'rendered');
  await waitForRenderings(5);
  for (const index of [3, 4]) finish(index, 'rendered');
  await Promise.all([...running, again, last]);
});

test('a theme that does not get its turn within 5 seconds is not at fault', async () => {
  const { waitForRenderings, finish } = holdRenderings();
  const running = ['a', 'b'].map(createTheme).map(renderTheme);
  await waitForRenderings(2);
  const setTimer = jest.spyOn(globalThis, 'setTimeout');
  const waiting = renderTheme(createTheme('c'));
  while (!setTimer.mock.calls.length) await wait(0);
  const [timeout, delayMs] = setTimer.mock.calls.find(([, ms]) => ms === 5_000)!;
  timeout();
  await expect(waiting).rejects.toBeInstanceOf(RendererBusy);
  expect([delayMs, pool.counts]).toEqual([5_000, { rendered: 0, failed: 0, busy: 1 }]);
  for (const index of [0, 1]) finish(index, 'rendered');
  await Promise.all(running);
});

test('keeps the processes of the two themes that were rendered last', async () => {
  const [one, two, three] = ['one', 'two', 'three'].map(createTheme);
  for (const theme of [one!, two!, three!, two!, three!, one!]) await renderTheme(theme);
  const [first, second, third, fourth, fifth, sixth] = getProcesses();
  expect([fourth === second, fifth === third, sixth === first]).toEqual([true, true, false]);
});
