import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ThemeFailure } from '../../../../src/status-page/themes/render-job.js';
import { RenderProcess } from '../../../../src/status-page/themes/render-process.js';
import { createRenderJob } from '../../../support/theme-rendering.js';

const { source, job } = createRenderJob({ 'status-page.liquid': '{{ page.name }}' });

let renderProcess: RenderProcess;
let child: ChildProcess;
beforeEach(async () => {
  renderProcess = new RenderProcess(() => {}, 200);
  ({ child } = renderProcess as unknown as { child: ChildProcess });
  await renderProcess.ready;
});
afterEach(() => renderProcess.kill());

test('is killed when it does not answer within its time', async () => {
  const exit = once(child, 'exit');
  child.kill('SIGSTOP');
  const error: unknown = await renderProcess.render(source, job).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ThemeFailure);
  expect(error).toMatchObject({ message: 'The theme took longer than 200 ms.', isOverLimit: true });
  expect(await exit).toEqual([null, 'SIGKILL']);
});

test('may be idle for longer than a rendering takes', async () => {
  for (let time = 0; time < 2; time++) {
    expect((await renderProcess.render(source, job)).templates.get('status-page')).toBe('Example &amp; Company');
    await new Promise(done => setTimeout(done, 250));
  }
});
