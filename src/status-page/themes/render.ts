import type { ThemeFiles } from '../../branding/theme-archive.js';
import type { Drawing } from '../server/public-route.js';
import type { PageView } from '../view/view.js';
import { assetOf, hashesOf, isTemplate, largestTemplate, sandbox, type ThemeAsset } from './assets.js';
import { type Commission, type Drawn, type TemplateName, ThemeFailure, type ThemeSource } from './render-job.js';
import { type Additions, variablesOf } from './variables.js';
import { drawApart } from './process-pool.js';

/** All that a theme makes of a page at one moment. */
export interface DrawnTheme {
  /** `status-page` always; the others where the theme has them. */
  templates: Map<TemplateName, Drawing>;
  assets: Map<string, ThemeAsset>;
}

/** Asked for when the page changes, not when a visitor comes. A theme that cannot be drawn is a ThemeFailure, whose message is for the operator. */
export async function drawTheme(theme: ThemeFiles, view: PageView, additions: Additions = {}): Promise<DrawnTheme> {
  const { origin, path } = view.place;
  const hashes = await hashesOf(theme);
  const drawn = await drawPatiently(sourceOf(theme), {
    variables: variablesOf(view, additions),
    locale: view.locale,
    zone: view.page.zone,
    now: view.now.toISOString(),
    assets: { path: `${path}theme/`, origin, hashes },
  });
  const isBelow = path !== '/';
  const headers: Record<string, string> = isBelow ? { 'Content-Security-Policy': sandbox } : {};
  const assets = [...theme.assets].map(([name, bytes]): [string, ThemeAsset] => {
    const text = drawn.assets.get(name);
    return [
      name,
      assetOf(name, hashes.get(name) ?? drawn.assetHash, text === undefined ? bytes : Buffer.from(text), isBelow),
    ];
  });
  const templates = [...drawn.templates].map(([name, body]): [TemplateName, Drawing] => [
    name,
    { type: 'text/html; charset=utf-8', body, headers },
  ]);
  return { templates: new Map(templates), assets: new Map(assets) };
}

/** What a machine does beside is no fault of a theme. */
async function drawPatiently(theme: ThemeSource, commission: Commission): Promise<Drawn> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await drawApart(theme, commission);
    } catch (error) {
      if (attempt === 3 || !(error instanceof ThemeFailure && error.wasHeldUp)) throw error;
    }
  }
}

const sources = new WeakMap<ThemeFiles, ThemeSource>();

/** One object for a theme, by which the processes know it again. */
function sourceOf(theme: ThemeFiles): ThemeSource {
  let source = sources.get(theme);
  if (!source) {
    const drawn = [...theme.assets].filter(([name, bytes]) => isTemplate(name, bytes));
    const large = drawn.find(([, bytes]) => bytes.length > largestTemplate);
    if (large) throw new ThemeFailure(`"assets/${large[0]}" is larger than ${largestTemplate / 1024} kB.`);
    const texts = drawn.map(([name, bytes]) => [`assets/${name}`, bytes.toString().replace(/^\uFEFF/, '')] as const);
    source = { templates: theme.templates, locales: theme.locales, assets: new Map(texts) };
    sources.set(theme, source);
  }
  return source;
}
