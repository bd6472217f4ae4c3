import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RendererBusy } from '../../../../src/status-page/themes/render-job.js';
import { RenderProcess } from '../../../../src/status-page/themes/render-process.js';
import { createRenderJob } from '../../../support/theme-rendering.js';

const { source, job } = createRenderJob({ 'status-page.liquid': '{{ page.name }}' });

let renderProcess: RenderProcess;
beforeEach(async () => {
  renderProcess = new RenderProcess(() => {});
  await renderProcess.ready;
});
afterEach(() => {
  jest.restoreAllMocks();
  renderProcess.kill();
});

/** A stopped process gets no CPU time, as on a machine that is busy with something else. */
const signal = (name: NodeJS.Signals) => (renderProcess as unknown as { child: ChildProcess }).child.kill(name);

/** Resolves when the CPU time was compared with the limit. */
async function waitForCheck(): Promise<void> {
  const read = jest.spyOn(renderProcess as unknown as { readCpuTimeMs(): number | null }, 'readCpuTimeMs');
  for (let tries = 0; read.mock.calls.length < 2 && tries < 500; tries++) await wait(10);
  expect(read.mock.calls.length).toBeGreaterThanOrEqual(2);
}

test('a theme that waits for CPU time is rendered as soon as it gets some', async () => {
  signal('SIGSTOP');
  const checked = waitForCheck();
  const rendering = renderProcess.render(source, job);
  await checked;
  signal('SIGCONT');
  expect((await rendering).templates.get('status-page')).toBe('Example &amp; Company');
});

test('a theme that gets too little CPU time within 5 seconds is not at fault', async () => {
  signal('SIGSTOP');
  const rendering = renderProcess.render(source, job);
  const outcome = rendering.then(
    () => 'rendered',
    (error: unknown) => error,
  );
  const { now } = performance;
  jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 5_000);
  expect(await outcome).toBeInstanceOf(RendererBusy);
});
