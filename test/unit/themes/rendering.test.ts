import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ThemeFailure } from '../../../src/status-page/themes/render-job.js';
import { drawTheme } from '../../../src/status-page/themes/render.js';
import { drawingFlags } from '../../../src/status-page/themes/render-process.js';
import { situations } from '../../../src/status-page/themes/sample-pages.js';
import { testTheme } from '../../../src/status-page/themes/test-render.js';
import { closeWorkshop } from '../../../src/status-page/themes/process-pool.js';
import { apologyTheme, tableTheme, timelineTheme } from '../../support/existing-themes.js';
import { drawHere, placeBelow, themeOf, viewIn } from '../../support/theme-rendering.js';

afterAll(() => closeWorkshop());

const page = (template: string) => themeOf({ 'status-page.liquid': template });
const failure = (files: Record<string, string>) =>
  drawTheme(themeOf(files), viewIn()).then(String, (error: Error) => `${error.name}: ${error.message}`);
const sandboxed = 'sandbox allow-scripts allow-forms allow-popups';
const burning = '{% for a in (1..3000) %}{% for b in (1..3000) %}{{ b }}{% endfor %}{% endfor %}';

describe('a theme that is drawn apart', () => {
  test('says what it says when it is drawn right here', async () => {
    for (const files of [timelineTheme, apologyTheme, tableTheme]) {
      const { templates } = await drawTheme(themeOf(files), viewIn());
      const here = drawHere(files);
      expect([...templates.keys()]).toEqual(Object.keys(here).filter(name => !name.includes('/')));
      for (const [name, { body }] of templates)
        expect(String(body).replaceAll(/theme\/[0-9a-f]{16}/g, 'theme/hash')).toBe(
          here[name]!.replaceAll(/theme\/[0-9a-f]{16}/g, 'theme/hash'),
        );
    }
  });

  test('is sent as HTML, and below a path of the service in a sandbox', async () => {
    const theme = themeOf(timelineTheme);
    const own = await drawTheme(theme, viewIn());
    const below = await drawTheme(theme, viewIn({ place: placeBelow }));
    expect([...own.templates.values()].map(({ type, headers }) => [type, headers])).toEqual(
      Array(3).fill(['text/html; charset=utf-8', {}]),
    );
    expect([...below.templates.values()].map(({ headers }) => headers)).toEqual(
      Array(3).fill({ 'Content-Security-Policy': sandboxed }),
    );
  });

  test('has files of the right kind', async () => {
    const { assets } = await drawTheme(themeOf(timelineTheme), viewIn());
    expect([...assets].map(([name, { type }]) => [name, type])).toEqual([
      ['style.css', 'text/css; charset=utf-8'],
      ['print.css', 'text/css; charset=utf-8'],
      ['logo.svg', 'image/svg+xml'],
      ['favicon.png', 'image/png'],
      ['script.js', 'text/javascript; charset=utf-8'],
      ['terms.unknown', 'application/octet-stream'],
    ]);
    expect(assets.get('script.js')!.body.toString()).toBe('document.body.dataset.js = "{{ untouched }}"');
    expect(assets.get('style.css')!.body.toString()).toContain(`url("/${assets.get('logo.svg')!.path}")`);
  });

  test('has files that no document can abuse', async () => {
    const policies = async (place = viewIn().place) =>
      [...(await drawTheme(themeOf(timelineTheme), viewIn({ place }))).assets.values()].map(
        ({ headers }) => headers?.['Content-Security-Policy'],
      );
    const picture = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    expect(await policies()).toEqual([undefined, undefined, picture, undefined, undefined, undefined]);
    expect(await policies(placeBelow)).toEqual([sandboxed, sandboxed, picture, sandboxed, sandboxed, sandboxed]);
  });

  test('has an address for a file that is another one exactly when the file is', async () => {
    const paths = async (files: Record<string, string | object>, snapshot = situations['an incident']) => {
      const { assets, templates } = await drawTheme(themeOf({ ...timelineTheme, ...files }), viewIn({ snapshot }));
      for (const { path } of [assets.get('style.css')!, assets.get('favicon.png')!])
        expect(templates.get('status-page')!.body).toContain(`"/${path}"`);
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
    // A sheet may name any other file: they move together.
    expect(isSame(await paths({ 'assets/logo.svg': '<svg></svg>' }))).toEqual([false, false, false, true]);
    expect(isSame(await paths({}, situations['all well']))).toEqual([false, false, true, true]);
  });

  test('never holds up another: one burns its time while the other is drawn', async () => {
    const order: string[] = [];
    const slow = drawTheme(page(burning), viewIn()).catch((error: Error) => order.push(error.message));
    await drawTheme(page('quick'), viewIn()).then(() => order.push('quick'));
    await slow;
    expect(order).toEqual(['quick', 'The theme took longer than 500 ms.']);
  });

  test('waits for its turn where many are drawn', async () => {
    const themes = Array.from({ length: 8 }, (_, index) =>
      page(index % 4 === 3 ? '{% for a in (1..99999999) %}{% endfor %}' : `${index}`),
    );
    const drawn = await Promise.all(
      themes.map(theme =>
        drawTheme(theme, viewIn()).then(
          ({ templates }) => templates.get('status-page')!.body,
          () => 'failed',
        ),
      ),
    );
    expect(drawn).toEqual(['0', '1', '2', 'failed', '4', '5', '6', 'failed']);
  });

  test('finds nothing of the drawing before it', async () => {
    const theme = page(
      '{{ a }}{% assign a = page.name %}{% increment n %}{% cycle 1, 2 %}{% ifchanged %}x{% endifchanged %}',
    );
    for (let time = 0; time < 3; time++)
      expect((await drawTheme(theme, viewIn())).templates.get('status-page')!.body).toBe('01x');
  });
});

describe('what a theme does wrong is told to its author', () => {
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
    [{ 'status-page.liquid': burning }, 'The theme took longer than 500 ms.'],
    [
      { 'status-page.liquid': '{% for a in (1..99999999) %}{% endfor %}' },
      '"status-page.liquid", line 1: needed more than 64 MB',
    ],
    [{ 'status-page.liquid': '{% if a %}'.repeat(3_000) }, '"status-page.liquid", line 1: is nested too deeply'],
    [{ 'status-page.liquid': '{% \u202e\u0007 %}' }, '"status-page.liquid", line 1: tag "?" not found'],
  ];

  test.each(faults.map(([files, message]) => [message, files] as const))('%s', async (message, files) => {
    expect(await failure(files)).toBe(`ThemeFailure: ${message}`);
  });

  test('more than the memory that it has, where time does not run out first', async () => {
    expect(await failure({ 'status-page.liquid': '{% assign l = (1..30000000) %}' })).toMatch(
      /^ThemeFailure: The theme (needed more than 64 MB|took longer than 500 ms)\.$/,
    );
  });

  test('too many files for the memory that it has', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`includes/${index}.liquid`, `${index}${'ж'.repeat(500_000)}`]),
    );
    expect(await failure({ 'status-page.liquid': '', ...files })).toMatch(
      /^ThemeFailure: .*(needed more than 64 MB|took longer than 500 ms)/,
    );
  });
});

test('a theme is tried in every situation, and the one that fails is named', async () => {
  for (const files of [timelineTheme, apologyTheme, tableTheme]) expect(await testTheme(themeOf(files))).toBeNull();
  const failsIn = (condition: string) => testTheme(page(`{% if ${condition} %}{% include 'missing' %}{% endif %}`));
  const why = '"status-page.liquid", line 1: there is no "includes/missing.liquid"';
  expect(await failsIn('true')).toBe(`${why} (test drawing: all well).`);
  expect(await failsIn('page.notices.unplanned.present.size > 0')).toBe(`${why} (test drawing: an incident).`);
  expect(await failsIn('page.notices.planned.present.size > 0')).toBe(`${why} (test drawing: a maintenance).`);
  expect(await failsIn('page.components.roots == empty')).toBe(`${why} (test drawing: an empty page).`);
  expect(await failsIn('false')).toBeNull();
});

test('a fault of ours is none of the theme', async () => {
  const view = { ...viewIn(), now: new Date(Number.NaN) };
  const error: unknown = await drawTheme(page(''), view).catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ThemeFailure);
});

describe('the process that draws', () => {
  const attempt = (code: string) => {
    const { stdout } = spawnSync(
      process.execPath,
      [
        ...drawingFlags(),
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
    ['make code of a text', "new Function('return 1')()", 'EvalError'],
    ['reach a prototype by name', '({}).__proto__.a = 1', 'TypeError'],
    ['take as much memory as it likes', 'const a = []; for (;;) a.push(new Array(1000).fill({}))', ''],
  ])('cannot %s', (_what, code, expected) => {
    expect(attempt(code)).toBe(expected);
  });

  test('can do what it is for', () => {
    expect(attempt("require('liquidjs')")).toBe('done');
    expect(attempt('if (Object.keys(process.env).length) throw new Error()')).toBe('done');
  });
});
