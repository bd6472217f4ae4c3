import type { Locale } from '../../src/i18n/locales.js';
import type { ThemeFiles } from '../../src/branding/theme-archive.js';
import type { PageSnapshot } from '../../src/status-page/view/snapshot.js';
import { isTemplate } from '../../src/status-page/themes/assets.js';
import type { Commission, ThemeSource } from '../../src/status-page/themes/render-job.js';
import { Drawer } from '../../src/status-page/themes/renderer.js';
import { situations, situationTime } from '../../src/status-page/themes/sample-pages.js';
import { type Additions, variablesOf } from '../../src/status-page/themes/variables.js';
import { type PageView, type Place, viewOf } from '../../src/status-page/view/view.js';

export const ownPlace: Place = {
  origin: 'https://status.example.com',
  path: '/',
  canonical: 'https://status.example.com/',
};
export const placeBelow: Place = {
  origin: 'https://all-clear.example',
  path: '/status/ab12cd34/',
  canonical: 'https://status.example.com/',
};

export interface ThemeSetting {
  snapshot?: PageSnapshot;
  now?: Date;
  locale?: Locale;
  zone?: string;
  place?: Place;
  additions?: Additions;
}

export function viewIn({
  snapshot = situations['an incident'],
  now = situationTime,
  locale = 'en',
  zone,
  place = ownPlace,
}: ThemeSetting = {}): PageView {
  const page = zone ? { ...snapshot.page, zone } : snapshot.page;
  return viewOf({ ...snapshot, page }, { now, locale, place, staleSince: null });
}

/** A theme of texts, by the paths of its files: `includes/a.liquid`, `locales/en.json`, `assets/a.css`. */
export function themeOf(files: Record<string, string | object>): ThemeFiles {
  const theme: ThemeFiles = { templates: new Map(), locales: new Map(), assets: new Map() };
  for (const [path, content] of Object.entries(files)) {
    const name = path.slice(path.indexOf('/') + 1);
    if (path.startsWith('assets/')) theme.assets.set(name, Buffer.from(content as string));
    else if (path.startsWith('locales/')) theme.locales.set(name.replace('.json', ''), content);
    else theme.templates.set(path.replace('.liquid', ''), content as string);
  }
  return theme;
}

/** What the process that draws is told of a theme, and of the page. */
export function orderOf(
  files: Record<string, string | object>,
  setting: ThemeSetting = {},
): { source: ThemeSource; commission: Commission } {
  const { templates, locales, assets } = themeOf(files);
  const view = viewIn(setting);
  return {
    source: {
      templates,
      locales,
      assets: new Map([...assets].filter(isDrawn).map(([name, bytes]) => [`assets/${name}`, bytes.toString()])),
    },
    commission: {
      variables: structuredClone(variablesOf(view, setting.additions)),
      locale: view.locale,
      zone: view.page.zone,
      now: view.now.toISOString(),
      assets: {
        path: `${view.place.path}theme/`,
        origin: view.place.origin,
        hashes: new Map([...assets].filter(each => !isDrawn(each)).map(([name]) => [name, 'hash'])),
      },
    },
  };
}

const isDrawn = ([name, bytes]: [string, Buffer]) => isTemplate(name, bytes);

/** What templates print, drawn right here: nothing hostile may be drawn so. Assets that are drawn go by `assets/a.css`. */
export function drawHere(files: Record<string, string | object>, setting: ThemeSetting = {}): Record<string, string> {
  const { source, commission } = orderOf(files, setting);
  const { templates, assets } = new Drawer(source).draw(commission);
  return Object.fromEntries([...templates, ...[...assets].map(([name, text]) => [`assets/${name}`, text])]);
}

/** What one template prints. */
export const print = (
  template: string,
  setting: ThemeSetting = {},
  files: Record<string, string | object> = {},
): string => drawHere({ 'status-page.liquid': template, ...files }, setting)['status-page']!;
