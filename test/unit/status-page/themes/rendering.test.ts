import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ThemeFailure } from '../../../../src/status-page/themes/render-job.js';
import { renderTheme } from '../../../../src/status-page/themes/render.js';
import { renderProcessFlags } from '../../../../src/status-page/themes/render-process.js';
import { samplePages } from '../../../../src/status-page/themes/sample-pages.js';
import { testTheme } from '../../../../src/status-page/themes/test-render.js';
import { RenderPool } from '../../../../src/status-page/themes/render-pool.js';
import { apologyTheme, tableTheme, timelineTheme } from '../../../support/existing-themes.js';
import { renderInline, pathMount, createTheme, createView } from '../../../support/theme-rendering.js';

const pool = new RenderPool();
afterAll(() => pool.shutdown());

const createPageTheme = (template: string) => createTheme({ 'status-page.liquid': template });
const renderFailure = (files: Record<string, string>) =>
  renderTheme(pool, createTheme(files), createView()).then(String, (error: Error) => `${error.name}: ${error.message}`);
const sandboxPolicy = 'sandbox allow-scripts allow-forms allow-popups';
const endlessLoops = '{% for a in (1..3000) %}{% for b in (1..3000) %}{{ b }}{% endfor %}{% endfor %}';

describe('a theme that is rendered in a process', () => {
  test('has the same output as in this process', async () => {
    for (const files of [timelineTheme, apologyTheme, tableTheme]) {
      const { templates } = await renderTheme(pool, createTheme(files), createView());
      const inline = renderInline(files);
      expect([...templates.keys()]).toEqual(Object.keys(inline).filter(name => !name.includes('/')));
      for (const [name, { body }] of templates)
        expect(String(body).replaceAll(/theme\/[0-9a-f]{16}/g, 'theme/hash')).toBe(
          inline[name]!.replaceAll(/theme\/[0-9a-f]{16}/g, 'theme/hash'),
        );
    }
  });

  test('is HTML, with a sandbox policy below a path of the service', async () => {
    const theme = createTheme(timelineTheme);
    const own = await renderTheme(pool, theme, createView());
    const below = await renderTheme(pool, theme, createView({ mount: pathMount }));
    expect([...own.templates.values()].map(({ type, headers }) => [type, headers])).toEqual(
      Array(3).fill(['text/html; charset=utf-8', {}]),
    );
    expect([...below.templates.values()].map(({ headers }) => headers)).toEqual(
      Array(3).fill({ 'Content-Security-Policy': sandboxPolicy }),
    );
  });

  test('has assets with the content type of their extension', async () => {
    const { assets } = await renderTheme(pool, createTheme(timelineTheme), createView());
    expect([...assets].map(([name, { type }]) => [name, type])).toEqual([
      ['style.css', 'text/css; charset=utf-8'],
      ['print.css', 'text/css; charset=utf-8'],
      ['logo.svg', 'image/svg+xml'],
      ['favicon.png', 'image/png'],
      ['script.js', 'text/javascript; charset=utf-8'],
      ['terms.unknown', 'application/octet-stream'],
    ]);
    expect(assets.get('script.js')!.body.toString()).toBe('document.body.dataset.js = "{{ untouched }}"');
    expect(assets.get('style.css')!.body.toString()).toContain(`url("/${assets.get('logo.svg')!.path}?v=1")`);
  });

  test('has a sandbox policy for SVG assets, and for all assets below a path of the service', async () => {
    const policies = async (mount = createView().mount) =>
      [...(await renderTheme(pool, createTheme(timelineTheme), createView({ mount }))).assets.values()].map(
        ({ headers }) => headers?.['Content-Security-Policy'],
      );
    const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    expect(await policies()).toEqual([undefined, undefined, svgPolicy, undefined, undefined, undefined]);
    expect(await policies(pathMount)).toEqual([
      sandboxPolicy,
      sandboxPolicy,
      svgPolicy,
      sandboxPolicy,
      sandboxPolicy,
      sandboxPolicy,
    ]);
  });

  test('has asset URLs that change exactly when the file changes', async () => {
    const paths = async (files: Record<string, string | object>, snapshot = samplePages['an incident']) => {
      const { assets, templates } = await renderTheme(
        pool,
        createTheme({ ...timelineTheme, ...files }),
        createView({ snapshot }),
      );
      for (const { path } of [assets.get('style.css')!, assets.get('favicon.png')!])
        expect(templates.get('status-page')!.body).toContain(`"/${path}?v=1"`);
      return [...assets.values()].map(({ path }) => path);
    };
    const [style, print, logo, ...rest] = await paths({});
    const isSame = (others: string[]) => [
      others[0] === style,
      others[1] === print,
      others[2] === logo,
      others.slice(3).join() === rest.join(),
    ];
    expect(style).toMatch(/^theme\/[0-9a-f]{16}\/style\.css$/);
    expect(isSame(await paths({}))).toEqual([true, true, true, true]);
    // A style sheet may refer to any other asset, so their hashes change together.
    expect(isSame(await paths({ 'assets/logo.svg': '<svg></svg>' }))).toEqual([false, false, false, true]);
    expect(isSame(await paths({}, samplePages['all operational']))).toEqual([false, false, true, true]);
  });

  test('is queued when all processes are busy', async () => {
    const themes = Array.from({ length: 8 }, (_, index) =>
      createPageTheme(index % 4 === 3 ? '{% for a in (1..99999999) %}{% endfor %}' : `${index}`),
    );
    const rendered = await Promise.all(
      themes.map(theme =>
        renderTheme(pool, theme, createView()).then(
          ({ templates }) => templates.get('status-page')!.body,
          () => 'failed',
        ),
      ),
    );
    expect(rendered).toEqual(['0', '1', '2', 'failed', '4', '5', '6', 'failed']);
  });

  test('shares no state with its previous rendering', async () => {
    const theme = createPageTheme(
      '{{ a }}{% assign a = page.name %}{% increment n %}{% cycle 1, 2 %}{% ifchanged %}x{% endifchanged %}',
    );
    for (let time = 0; time < 3; time++)
      expect((await renderTheme(pool, theme, createView())).templates.get('status-page')!.body).toBe('01x');
  });
});

describe('a ThemeFailure names file, line and reason', () => {
  const faults: [files: Record<string, string>, message: string][] = [
    [{ 'status-page.liquid': 'a\n{% nonsense %}' }, '"status-page.liquid", line 2: tag "nonsense" not found'],
    [{ 'status-page.liquid': 'a\n\n{% if a %}' }, '"status-page.liquid", line 3: tag {% if a %} not closed'],
    [
      { 'status-page.liquid': '', 'includes/unused/a.liquid': '{{ a' },
      '"includes/unused/a.liquid", line 1: output "{{ a" not closed',
    ],
    [
      { 'status-page.liquid': '', 'layouts/boilerplate.liquid': '{% for %}' },
      '"layouts/boilerplate.liquid", line 1: illegal tag: {% for %}',
    ],
    [
      { 'status-page.liquid': '', 'error-page.liquid': '{% include "x" %}' },
      '"error-page.liquid", line 1: there is no "includes/x.liquid"',
    ],
    [
      { 'status-page.liquid': '', 'assets/a.css': '\n{% if %}' },
      '"assets/a.css", line 2: invalid value expression: ""',
    ],
    [
      { 'status-page.liquid': '', 'assets/a.css': 'x'.repeat(1024 * 1024 + 1) },
      '"assets/a.css" is larger than 1024 kB.',
    ],
    [{ 'status-page.liquid': endlessLoops }, 'The theme took longer than 1000 ms.'],
    [
      { 'status-page.liquid': '{% for a in (1..99999999) %}{% endfor %}' },
      '"status-page.liquid", line 1: needed more than 64 MB',
    ],
    [{ 'status-page.liquid': '{% if a %}'.repeat(3_000) }, '"status-page.liquid", line 1: is nested too deeply'],
    [{ 'status-page.liquid': '{% \u202e\u0007 %}' }, '"status-page.liquid", line 1: tag "?" not found'],
  ];

  test.each(faults.map(([files, message]) => [message, files] as const))('%s', async (message, files) => {
    expect(await renderFailure(files)).toBe(`ThemeFailure: ${message}`);
  });

  // render-pool.test.ts shows that such a theme goes after those that wait.
  test('that is over the limits where the theme takes too long', async () => {
    const rendered = renderTheme(pool, createPageTheme(endlessLoops), createView());
    await expect(rendered).rejects.toMatchObject({ isOverLimit: true });
  });

  test('for a theme that exceeds its memory or its time', async () => {
    expect(await renderFailure({ 'status-page.liquid': '{% assign l = (1..30000000) %}' })).toMatch(
      /^ThemeFailure: The theme (needed more than 64 MB|took longer than 1000 ms)\.$/,
    );
  });

  test('for a theme whose files exceed its memory', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`includes/${index}.liquid`, `${index}${'ж'.repeat(500_000)}`]),
    );
    expect(await renderFailure({ 'status-page.liquid': '', ...files })).toMatch(
      /^ThemeFailure: .*(needed more than 64 MB|took longer than 1000 ms)/,
    );
  });
});

test('testTheme renders every sample page and names the one that fails', async () => {
  for (const files of [timelineTheme, apologyTheme, tableTheme])
    expect(await testTheme(pool, createTheme(files))).toBeNull();
  const failsIn = (condition: string) =>
    testTheme(pool, createPageTheme(`{% if ${condition} %}{% include 'missing' %}{% endif %}`));
  const why = '"status-page.liquid", line 1: there is no "includes/missing.liquid"';
  expect(await failsIn('true')).toBe(`${why} (sample page: all operational).`);
  expect(await failsIn('page.notices.unplanned.present.size > 0')).toBe(`${why} (sample page: an incident).`);
  expect(await failsIn('page.notices.planned.present.size > 0')).toBe(`${why} (sample page: a maintenance).`);
  expect(await failsIn('page.components.roots == empty')).toBe(`${why} (sample page: an empty page).`);
  expect(await failsIn('false')).toBeNull();
});

test('an error of the service is not a ThemeFailure', async () => {
  const view = { ...createView(), now: new Date(Number.NaN) };
  const error: unknown = await renderTheme(pool, createPageTheme(''), view).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ThemeFailure);
});

describe('the render process', () => {
  const runCode = (code: string) => {
    const { stdout } = spawnSync(
      process.execPath,
      [
        ...renderProcessFlags(),
        '-e',
        `try { ${code}; console.log('done') } catch (error) { console.log(error.code ?? error.name) }`,
      ],
      {
        env: {},
        encoding: 'utf8',
      },
    );
    return stdout.trim();
  };

  test.each([
    ['read a file', "require('node:fs').readFileSync('/etc/hostname')", 'ERR_ACCESS_DENIED'],
    [
      'read the settings of the service',
      "require('node:fs').readFileSync(process.cwd() + '/package.json')",
      'ERR_ACCESS_DENIED',
    ],
    ['write a file', "require('node:fs').writeFileSync('/tmp/all-clear-theme', '')", 'ERR_ACCESS_DENIED'],
    ['start a process', "require('node:child_process').spawnSync('true')", 'ERR_ACCESS_DENIED'],
    ['start a thread', "new (require('node:worker_threads').Worker)('1', { eval: true })", 'ERR_ACCESS_DENIED'],
    ['compile code from text', "new Function('return 1')()", 'EvalError'],
    ['reach a prototype by name', '({}).__proto__.a = 1', 'TypeError'],
    ['exceed its memory limit', 'const a = []; for (;;) a.push(new Array(1000).fill({}))', ''],
  ])('cannot %s', (_what, code, expected) => {
    expect(runCode(code)).toBe(expected);
  });

  test('can load its libraries and has no environment', () => {
    expect(runCode("require('liquidjs')")).toBe('done');
    expect(runCode('if (Object.keys(process.env).length) throw new Error()')).toBe('done');
  });
});
