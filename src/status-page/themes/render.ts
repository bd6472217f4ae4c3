import type { ThemeFiles } from '../../pages/branding/theme-archive.js';
import type { RenderedResponse, RenderedTheme, TemplateName, ThemeAsset } from '../routing/public-route.js';
import type { PageView } from '../view/view.js';
import { createAsset, hashStaticAssets, isTemplateAsset, maxTemplateBytes, sandboxPolicy } from './assets.js';
import { ThemeFailure, type ThemeSource } from './render-job.js';
import { createPageExtras } from './page-extras.js';
import { createVariables } from './variables.js';
import type { RenderPool } from './render-pool.js';

/** What is needed of a theme to render it. Without its static assets, which can have 50 MB. */
export interface PreparedTheme {
  source: ThemeSource;
  /** Of the static assets, by name. */
  hashes: ReadonlyMap<string, string>;
  names: readonly string[];
}

export const prepareTheme = async (theme: ThemeFiles): Promise<PreparedTheme> => ({
  hashes: await hashStaticAssets(theme),
  source: getSource(theme),
  names: [...theme.assets.keys()],
});

export const renderTheme = async (pool: RenderPool, theme: ThemeFiles, view: PageView): Promise<RenderedTheme> =>
  renderPrepared(pool, await prepareTheme(theme), view, name => theme.assets.get(name)!);

/** Called when a page changes, not for each visit. Throws ThemeFailure, a message for the operator, or RendererBusy. */
export async function renderPrepared(
  pool: RenderPool,
  { source, hashes, names }: PreparedTheme,
  view: PageView,
  bodyOf: (name: string) => ThemeAsset['body'],
): Promise<RenderedTheme> {
  const { origin, path } = view.mount;
  const result = await pool.render(source, {
    variables: createVariables(view, createPageExtras(view)),
    locale: view.locale,
    zone: view.page.zone,
    now: view.now.toISOString(),
    assets: { path: `${path}theme/`, origin, hashes },
  });
  const isBelow = path !== '/';
  const headers: Record<string, string> = isBelow ? { 'Content-Security-Policy': sandboxPolicy } : {};
  const assets = names.map((name): [string, ThemeAsset] => {
    const text = result.assets.get(name);
    const body = text === undefined ? bodyOf(name) : Buffer.from(text);
    return [name, createAsset(name, hashes.get(name) ?? result.assetHash, body, isBelow)];
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
