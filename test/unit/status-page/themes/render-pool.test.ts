import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { RenderResult } from '../../../../src/status-page/themes/render-job.js';
import { RenderPool } from '../../../../src/status-page/themes/render-pool.js';
import { RenderProcess } from '../../../../src/status-page/themes/render-process.js';
import { createRenderJob } from '../../../support/theme-rendering.js';

const createTheme = (template: string) => createRenderJob({ 'status-page.liquid': template });

let pool: RenderPool;
let render: jest.SpiedFunction<RenderProcess['render']>;
/** The processes of the renderings until now, in their order. */
const getProcesses = () => render.mock.contexts as unknown as RenderProcess[];

beforeEach(() => {
  pool = new RenderPool();
  render = jest.spyOn(RenderProcess.prototype, 'render');
});
afterEach(() => {
  jest.restoreAllMocks();
  pool.shutdown();
});

/** The next two renderings end when the returned function is called. */
function holdTwoRenderings(): (result: RenderResult) => void {
  let release = (_: RenderResult) => {};
  const released = new Promise<RenderResult>(done => (release = done));
  render.mockImplementationOnce(() => released).mockImplementationOnce(() => released);
  return release;
}

test('a theme whose process is idle does not wait for a slot', async () => {
  const loaded = createTheme('loaded');
  await pool.render(loaded.source, loaded.job);
  const release = holdTwoRenderings();
  const others = [createTheme('one'), createTheme('two'), createTheme('three')];
  const waiting = others.map(({ source, job }) => pool.render(source, job));
  while (getProcesses().length < 3) await pool.waitForSpare();
  const result = await pool.render(loaded.source, loaded.job);
  // The third of the others still waits.
  expect(getProcesses().map(each => each === getProcesses()[0])).toEqual([true, false, false, true]);
  release(result);
  await Promise.all(waiting);
  expect(getProcesses()).toHaveLength(5);
});

test('a theme that was quick three times does not wait for new ones that take all slots', async () => {
  const proven = createTheme('proven');
  for (let time = 0; time < 3; time++) await pool.render(proven.source, proven.job);
  // As if it had been idle for long.
  pool.shutdown();
  const release = holdTwoRenderings();
  const others = [createTheme('one'), createTheme('two'), createTheme('three')];
  const waiting = others.map(({ source, job }) => pool.render(source, job));
  const result = await pool.render(proven.source, proven.job);
  // The third of the others still waits.
  expect(getProcesses()).toHaveLength(6);
  release(result);
  await Promise.all(waiting);
  expect(getProcesses()).toHaveLength(7);
});

test('the process that rendered most stays when others become idle', async () => {
  const often = createTheme('often');
  await pool.render(often.source, often.job);
  await pool.render(often.source, often.job);
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const { source, job } = createTheme(name);
    await pool.render(source, job);
  }
  await pool.render(often.source, often.job);
  expect(getProcesses().at(-1)).toBe(getProcesses()[0]);
});
