import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '../../../../src/core/logger.js';
import type { DiskSnapshots } from '../../../../src/status-page/server/disk-snapshots.js';
import type { RenderedTheme } from '../../../../src/status-page/routing/public-route.js';
import { RendererBusy, type RenderResult, ThemeFailure } from '../../../../src/status-page/themes/render-job.js';
import type { RenderPool } from '../../../../src/status-page/themes/render-pool.js';
import { ThemeService } from '../../../../src/status-page/themes/theme-service.js';
import { createView } from '../../../support/theme-rendering.js';
import { writeZip } from '../../../support/zip-writer.js';

const archive = writeZip([{ name: 'status-page.liquid', content: '{{ page.name }}' }]);
const diskSnapshots = { loadTheme: async () => archive } as unknown as DiskSnapshots;
const last: RenderedTheme = { templates: new Map(), assets: new Map() };
const rendered: RenderResult = { templates: new Map([['status-page', 'new']]), assets: new Map(), assetHash: '' };
const render = jest.fn<RenderPool['render']>();
const start = Date.parse('2026-11-20T14:00:00Z');

let service: ThemeService;
beforeEach(() => {
  render.mockReset();
  service = new ThemeService(() => null, diskSnapshots, { render } as unknown as RenderPool, createLogger('silent'));
});
afterEach(() => void jest.restoreAllMocks());

/** Renders that many seconds after the start. `retryAt` is in seconds after the start, too. */
async function renderAt(seconds: number, shown: RenderedTheme | null = last) {
  jest.spyOn(Date, 'now').mockReturnValue(start + seconds * 1000);
  const { theme, retryAt } = await service.render(createView(), '1', shown);
  return { theme, retryAt: retryAt && (retryAt - start) / 1000 };
}

describe('while the machine is too busy to render a theme', () => {
  beforeEach(() => void render.mockRejectedValue(new RendererBusy('busy')));

  test('the last rendering is shown, and the theme is tried again after a second, and then less often', async () => {
    expect(await renderAt(0)).toEqual({ theme: last, retryAt: 1 });
    expect(await renderAt(1)).toEqual({ theme: last, retryAt: 2 });
    expect(await renderAt(7)).toEqual({ theme: last, retryAt: 14 });
  });

  test('the standard page is shown when there is no last rendering, or after a minute', async () => {
    expect((await renderAt(0, null)).theme).toBeNull();
    expect((await renderAt(59)).theme).toBe(last);
    expect((await renderAt(60)).theme).toBeNull();
  });

  test('the minute starts again when the theme was rendered meanwhile', async () => {
    await renderAt(0);
    render.mockResolvedValueOnce(rendered);
    const { theme, retryAt } = await renderAt(50);
    expect([theme?.templates.get('status-page')?.body, retryAt]).toEqual(['new', null]);
    expect(await renderAt(70)).toEqual({ theme: last, retryAt: 71 });
  });
});

describe('a theme that fails', () => {
  const overLimit = new ThemeFailure('The theme took longer than 1000 ms.', true);

  test('is tried once more after a second when it exceeded its limits, and its last rendering is shown', async () => {
    render.mockRejectedValueOnce(overLimit);
    render.mockResolvedValueOnce(rendered);
    expect(await renderAt(0)).toEqual({ theme: last, retryAt: 1 });
    expect((await renderAt(1)).theme?.templates.get('status-page')?.body).toBe('new');
  });

  test('is then tried again after 1, 2, 4 ... minutes, at most an hour', async () => {
    render.mockRejectedValue(overLimit);
    await renderAt(0);
    const retries = [1];
    while (retries.length < 9) retries.push((await renderAt(retries.at(-1)!)).retryAt!);
    const delays = retries.slice(1).map((seconds, index) => (seconds - retries[index]!) / 60);
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('is not tried in between when it exceeded its limits, and the standard page is shown', async () => {
    render.mockRejectedValue(overLimit);
    await renderAt(0);
    await renderAt(1);
    expect(await renderAt(60)).toEqual({ theme: null, retryAt: 61 });
    expect(render).toHaveBeenCalledTimes(2);
  });

  test('is tried in between when it has another fault, and works as soon as the page does not cause it', async () => {
    render.mockRejectedValue(new ThemeFailure('"status-page.liquid", line 1: there is no "includes/x.liquid"'));
    expect(await renderAt(0)).toEqual({ theme: null, retryAt: 60 });
    expect(await renderAt(30)).toEqual({ theme: null, retryAt: 60 });
    render.mockResolvedValueOnce(rendered);
    expect((await renderAt(31)).theme).not.toBeNull();
    expect(await renderAt(100)).toEqual({ theme: null, retryAt: 160 });
  });
});

test('static assets are loaded when they are requested, themes one at a time, and no rendering keeps them', async () => {
  const withAsset = writeZip([
    { name: 'status-page.liquid', content: '{{ page.name }}' },
    { name: 'assets/font.woff2', content: 'a font' },
  ]);
  let loading = 0;
  const loadTheme = async () => {
    loading += 1;
    expect(loading).toBe(1);
    await new Promise(setImmediate);
    loading -= 1;
    return withAsset;
  };
  const disk = { loadTheme } as unknown as DiskSnapshots;
  const themes = new ThemeService(() => null, disk, { render } as unknown as RenderPool, createLogger('silent'));
  render.mockResolvedValue(rendered);
  const all = await Promise.all(['1', '2', '3'].map(version => themes.render(createView(), version, null)));
  for (const { theme } of all) {
    const { body } = theme!.assets.get('font.woff2')!;
    expect(body).toBeInstanceOf(Function);
    expect(String(await (body as () => Promise<Buffer>)())).toBe('a font');
  }
});
