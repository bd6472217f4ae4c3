import { setImmediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { warmMarkdown } from '../../../../src/content/markdown/render.js';
import { matchRoute } from '../../../../src/status-page/server/match-route.js';
import { PageGeneration, type GenerationDependencies } from '../../../../src/status-page/server/page-generation.js';
import type { RenderedTheme } from '../../../../src/status-page/routing/public-route.js';
import type { ThemeService } from '../../../../src/status-page/themes/theme-service.js';
import { samplePages } from '../../../../src/status-page/themes/sample-pages.js';
import { createGeneration } from '../../../support/page-generations.js';
import { createSnapshot, notice, now } from '../../../support/page-views.js';

const snapshot = samplePages['all operational'];
const frontPage = matchRoute('', '')!;
const createTheme = (body: string): RenderedTheme => ({
  templates: new Map([['status-page', { type: 'text/html', body }]]),
  assets: new Map(),
});

/** Passes each generation what its page showed before. */
function createGenerations(outcomes: Awaited<ReturnType<ThemeService['render']>>[]) {
  const render = jest.fn<ThemeService['render']>();
  for (const outcome of outcomes) render.mockResolvedValueOnce(outcome);
  const { dependencies } = createGeneration(snapshot) as unknown as { dependencies: GenerationDependencies };
  const themes = { render } as unknown as ThemeService;
  const first = new PageGeneration(snapshot, { ...dependencies, themes }, { clockOffsetMs: 0, staleSince: null });
  const show = async (generation: PageGeneration) =>
    (await generation.render('host', frontPage))!.variants.identity.body;
  return { render, first, show };
}

test('a generation passes what its theme rendered to the next one', async () => {
  const one = createTheme('one');
  const two = createTheme('two');
  const { render, first, show } = createGenerations([
    { theme: one, retryAt: null },
    { theme: one, retryAt: null },
    { theme: two, retryAt: null },
  ]);
  expect(String(await show(first))).toBe('one');
  const second = first.renew(null);
  expect(String(await show(second))).toBe('one');
  expect(String(await show(second.renew(null)))).toBe('two');
  expect(render.mock.calls.map(([, , last]) => last)).toEqual([null, one, one]);
});

test('a generation expires when its theme is to be tried again', async () => {
  const { first, show } = createGenerations([{ theme: null, retryAt: 1 }]);
  expect(first.nextChangeAt).toBeGreaterThan(Date.now());
  await show(first);
  expect(first.nextChangeAt).toBe(1);
});

const createGenerationOf = (text: string) => {
  const notices = (['investigating', 'resolved'] as const).map((state, index) =>
    notice(index + 1, 'unplanned', state, { updates: [text] }),
  );
  return createGeneration(createSnapshot({ notices }), { now });
};

test('a route has texts exactly if its response contains texts of notices as HTML', async () => {
  const generation = createGenerationOf('They are **marked**.');
  const withTexts = { rendered: [] as string[], declared: [] as string[] };
  for (const path of await generation.listPaths('host')) {
    const match = matchRoute(path, '')!;
    const response = await generation.render('host', match);
    if (response && /(?:<|&lt;)strong(?:>|&gt;)marked/.test(String(response.variants.identity.body)))
      withTexts.rendered.push(path);
    if (match.route.hasTexts) withTexts.declared.push(path);
  }
  expect(withTexts.rendered).toContain('feed.atom');
  expect(withTexts.declared).toEqual(withTexts.rendered);
});

test.each([true, undefined] as const)(
  'texts are rendered beforehand for a route only if it has them: %s',
  async hasTexts => {
    const text = `A route has texts: ${hasTexts}.`;
    const route = { path: '', hasTexts, render: () => null };
    await createGenerationOf(text).render('host', { ...frontPage, route });
    // Only a text that is rendered takes a turn of the event loop.
    let hasTurned = false;
    const turn = setImmediate().then(() => {
      hasTurned = true;
    });
    (await warmMarkdown([text]))();
    expect(hasTurned).toBe(!hasTexts);
    await turn;
  },
);
