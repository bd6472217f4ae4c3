import type { Locale } from '../../src/i18n/locales.js';
import type { ThemeFiles } from '../../src/pages/branding/theme-archive.js';
import type { PageSnapshot } from '../../src/status-page/view/snapshot.js';
import { isTemplateAsset } from '../../src/status-page/themes/assets.js';
import type { RenderJob, ThemeSource } from '../../src/status-page/themes/render-job.js';
import { ThemeRenderer } from '../../src/status-page/themes/renderer.js';
import { samplePages, sampleTime } from '../../src/status-page/themes/sample-pages.js';
import { type PageExtras, createVariables } from '../../src/status-page/themes/variables.js';
import { buildView } from '../../src/status-page/view/build-view.js';
import type { PageView, Mount } from '../../src/status-page/view/view.js';

export const ownHostMount: Mount = {
  origin: 'https://status.example.com',
  path: '/',
  canonical: 'https://status.example.com/',
};
export const pathMount: Mount = {
  origin: 'https://all-clear.example',
  path: '/status/ab12cd34/',
  canonical: 'https://status.example.com/',
};

export interface ThemeRenderOptions {
  snapshot?: PageSnapshot;
  now?: Date;
  locale?: Locale;
  zone?: string;
  mount?: Mount;
  extras?: PageExtras;
}

export function createView({
  snapshot = samplePages['an incident'],
  now = sampleTime,
  locale = 'en',
  zone,
  mount = ownHostMount,
}: ThemeRenderOptions = {}): PageView {
  const page = zone ? { ...snapshot.page, zone } : snapshot.page;
  return buildView({ ...snapshot, page }, { now, locale, mount, staleSince: null });
}

/** Creates a theme from the texts of its files by path: `includes/a.liquid`, `locales/en.json`, `assets/a.css`. */
export function createTheme(files: Record<string, string | object>): ThemeFiles {
  const theme: ThemeFiles = { templates: new Map(), locales: new Map(), assets: new Map() };
  for (const [path, content] of Object.entries(files)) {
    const name = path.slice(path.indexOf('/') + 1);
    if (path.startsWith('assets/')) theme.assets.set(name, Buffer.from(content as string));
    else if (path.startsWith('locales/')) theme.locales.set(name.replace('.json', ''), content);
    else theme.templates.set(path.replace('.liquid', ''), content as string);
  }
  return theme;
}

/** Creates what the render process gets: the files of a theme, and the job for a page. */
export function createRenderJob(
  files: Record<string, string | object>,
  options: ThemeRenderOptions = {},
): { source: ThemeSource; job: RenderJob } {
  const { templates, locales, assets } = createTheme(files);
  const view = createView(options);
  return {
    source: {
      templates,
      locales,
      assets: new Map([...assets].filter(isTemplate).map(([name, bytes]) => [`assets/${name}`, bytes.toString()])),
    },
    job: {
      variables: structuredClone(createVariables(view, options.extras)),
      locale: view.locale,
      zone: view.page.zone,
      now: view.now.toISOString(),
      assets: {
        path: `${view.mount.path}theme/`,
        origin: view.mount.origin,
        hashes: new Map([...assets].filter(each => !isTemplate(each)).map(([name]) => [name, 'hash'])),
      },
    },
  };
}

const isTemplate = ([name, bytes]: [string, Buffer]) => isTemplateAsset(name, bytes);

/** Renders in this process, without its limits: not for hostile themes. Assets are returned as `assets/a.css`. */
export function renderInline(
  files: Record<string, string | object>,
  options: ThemeRenderOptions = {},
): Record<string, string> {
  const { source, job } = createRenderJob(files, options);
  const { templates, assets } = new ThemeRenderer(source).render(job);
  return Object.fromEntries([...templates, ...[...assets].map(([name, text]) => [`assets/${name}`, text])]);
}

/** Renders one template in this process. */
export const renderTemplate = (
  template: string,
  options: ThemeRenderOptions = {},
  files: Record<string, string | object> = {},
): string => renderInline({ 'status-page.liquid': template, ...files }, options)['status-page']!;
