import type { ThemeFiles } from '../../pages/branding/theme-archive.js';
import type { RenderedResponse, RenderedTheme, TemplateName, ThemeAsset } from '../routing/public-route.js';
import type { PageView } from '../view/view.js';
import { createAsset, hashStaticAssets, isTemplateAsset, maxTemplateBytes, sandboxPolicy } from './assets.js';
import { ThemeFailure, type ThemeSource } from './render-job.js';
import { createPageExtras } from './page-extras.js';
import { createVariables } from './variables.js';
import type { RenderPool } from './render-pool.js';

/** Called when a page changes, not for each visit. Throws ThemeFailure, a message for the operator, or RendererBusy. */
export async function renderTheme(pool: RenderPool, theme: ThemeFiles, view: PageView): Promise<RenderedTheme> {
  const { origin, path } = view.mount;
  const hashes = await hashStaticAssets(theme);
  const result = await pool.render(getSource(theme), {
    variables: createVariables(view, createPageExtras(view)),
    locale: view.locale,
    zone: view.page.zone,
    now: view.now.toISOString(),
    assets: { path: `${path}theme/`, origin, hashes },
  });
  const isBelow = path !== '/';
  const headers: Record<string, string> = isBelow ? { 'Content-Security-Policy': sandboxPolicy } : {};
  const assets = [...theme.assets].map(([name, bytes]): [string, ThemeAsset] => {
    const text = result.assets.get(name);
    return [
      name,
      createAsset(name, hashes.get(name) ?? result.assetHash, text === undefined ? bytes : Buffer.from(text), isBelow),
    ];
  });
  const templates = [...result.templates].map(([name, body]): [TemplateName, RenderedResponse] => [
    name,
    { type: 'text/html; charset=utf-8', body, headers },
  ]);
  return { templates: new Map(templates), assets: new Map(assets) };
}

const sources = new WeakMap<ThemeFiles, ThemeSource>();

/** Returns the same object for the same theme, by which the pool finds the process that loaded it. */
function getSource(theme: ThemeFiles): ThemeSource {
  let source = sources.get(theme);
  if (!source) {
    const templates = [...theme.assets].filter(([name, bytes]) => isTemplateAsset(name, bytes));
    const tooLarge = templates.find(([, bytes]) => bytes.length > maxTemplateBytes);
    if (tooLarge) throw new ThemeFailure(`"assets/${tooLarge[0]}" is larger than ${maxTemplateBytes / 1024} kB.`);
    const texts = templates.map(
      ([name, bytes]) => [`assets/${name}`, bytes.toString().replace(/^\uFEFF/, '')] as const,
    );
    source = { templates: theme.templates, locales: theme.locales, assets: new Map(texts) };
    sources.set(theme, source);
  }
  return source;
}
