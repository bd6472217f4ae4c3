import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DiskSnapshots } from '../../../../src/status-page/server/disk-snapshots.js';
import { createLogger } from '../../../../src/core/logger.js';
import type { RenderedTheme } from '../../../../src/status-page/routing/public-route.js';
import { RenderPool } from '../../../../src/status-page/themes/render-pool.js';
import { RendererBusy, ThemeFailure } from '../../../../src/status-page/themes/render-job.js';
import { RenderProcess } from '../../../../src/status-page/themes/render-process.js';
import { ThemeService } from '../../../../src/status-page/themes/theme-service.js';
import { hostileThemes } from '../../../support/hostile-themes.js';
import { createRenderJob, createView } from '../../../support/theme-rendering.js';
import { writeZip } from '../../../support/zip-writer.js';

type Files = Record<string, string | object>;

const harmlessTheme: Files = { 'status-page.liquid': '{{ page.name }}' };
const kill = jest.spyOn(RenderProcess.prototype, 'kill');

beforeEach(() => void kill.mockClear());
/** Most of them take all the time that they get. */
const pool = new RenderPool(200);
afterAll(() => pool.shutdown());

/** Resolves to the error of a theme, or null. On a busy machine it is rendered again. */
async function findError(files: Files, tries = 10): Promise<{ error: unknown; killed: Set<RenderProcess> }> {
  const { source, job } = createRenderJob(files);
  const error: unknown = await pool.render(source, job).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RendererBusy && tries > 1) return findError(files, tries - 1);
  const killed = (kill.mock.contexts as unknown as RenderProcess[]).filter(({ theme }) => theme === source);
  return { error, killed: new Set(killed) };
}

/** Resolves to how the process ended. */
async function waitForExit(renderProcess: RenderProcess): Promise<string | number | null> {
  const { child } = renderProcess as unknown as { child: ChildProcess };
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? child.exitCode;
}

test('there are 75 hostile themes, all of them different', () => {
  expect(hostileThemes.length).toBeGreaterThanOrEqual(75);
  expect(new Set(hostileThemes.map(([, files]) => JSON.stringify(files))).size).toBe(hostileThemes.length);
});

describe('a hostile theme is rendered, or fails and its process is killed', () => {
  let failures = 0;

  test.each(hostileThemes)('%s', async (_description, files) => {
    const { error, killed } = await findError(files);
    if (error === null) return;
    failures += 1;
    expect(error).toBeInstanceOf(ThemeFailure);
    expect((error as ThemeFailure).message).toMatch(/^[^\p{C}]{10,300}$/u);
    expect(killed.size).toBe(1);
    // Out of memory, V8 aborts the process before it is killed; it ends itself where this one is too busy to kill it.
    expect(['SIGKILL', 'SIGABRT', 134, 1]).toContain(await waitForExit([...killed][0]!));
  });

  test('most of them fail', () => {
    expect(failures).toBeGreaterThanOrEqual(60);
  });

  test('a harmless theme renders after all of them', async () => {
    const { source, job } = createRenderJob(harmlessTheme);
    // On a busy machine a new process takes longer than the limit of the pool.
    const render = async (tries: number): ReturnType<typeof pool.render> =>
      pool.render(source, job).catch((error: unknown) => {
        if (tries === 1) throw error;
        return render(tries - 1);
      });
    expect((await render(20)).templates.get('status-page')).toBe('Example &amp; Company');
  });
});

describe('the theme service falls back to the standard page for', () => {
  const last: RenderedTheme = { templates: new Map(), assets: new Map() };
  const createThemeService = (files: Files) => {
    const archive = writeZip(Object.entries(files).map(([name, content]) => ({ name, content: String(content) })));
    const diskSnapshots = { loadTheme: async () => archive } as unknown as DiskSnapshots;
    return new ThemeService(() => null, diskSnapshots, pool, createLogger('silent'));
  };

  test.each([
    'a loop over a hundred million',
    'loops in loops that print',
    'a text that doubles forty times',
    'a partial that includes itself twice',
    'a style sheet in loops',
    'a file by an absolute path',
  ])('%s', async description => {
    const [, files] = hostileThemes.find(([each]) => each === description)!;
    const service = createThemeService(files);
    await service.render(createView(), '1', last);
    expect((await service.render(createView(), '1', last)).theme).toBeNull();
  });

  test('but not for a harmless theme', async () => {
    const { theme } = await createThemeService(harmlessTheme).render(createView(), '1', null);
    expect(theme?.templates.get('status-page')?.body).toBe('Example &amp; Company');
  });
});
