import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { Rasterizer } from '../../src/content/raster/rasterizer.js';
import { completeRendering, type PublicRoute } from '../../src/status-page/routing/public-route.js';
import { historyPage } from '../../src/status-page/html/history-page.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import { noticePage } from '../../src/status-page/html/notice-page.js';
import { socialImage, socialImageSize } from '../../src/status-page/html/social-image.js';
import type { PageView } from '../../src/status-page/view/view.js';
import { findBrowser } from './find-browser.js';
import {
  arabic,
  buildSampleView,
  crowded,
  incident,
  logo,
  now,
  operational,
  outage,
  samplePages,
  withLogo,
} from './sample-pages.js';

interface Screenshot {
  view: PageView;
  route?: PublicRoute;
  path?: Record<string, string>;
  width?: number;
  height?: number;
  isDark?: boolean;
  /** What a visitor does before. */
  prepare?(page: Page): Promise<void>;
}

const incidentView = buildSampleView(incident);
const withMessages: PageView = {
  ...incidentView,
  page: { ...incidentView.page, subscriptionOptions: ['email', 'sms'] },
};
const phone = { width: 390, height: 844 };
const screenshots: Record<string, Screenshot> = {
  ...Object.fromEntries(
    Object.entries(samplePages).map(([name, samplePage]) => [name, { view: buildSampleView(samplePage) }]),
  ),
  'incident-dark': { view: incidentView, isDark: true },
  'incident-phone': { view: incidentView, ...phone },
  'outage-phone-dark': { view: buildSampleView(outage), ...phone, isDark: true },
  'operational-phone-dark': { view: buildSampleView(operational), ...phone, isDark: true },
  'incident-arabic': { view: buildSampleView(arabic) },
  notice: { view: incidentView, route: noticePage, path: { notice: incidentView.present[0]!.path } },
  history: { view: buildSampleView(outage), route: historyPage, path: { month: '2026-11' } },
  day: {
    view: buildSampleView(outage),
    prepare: async page => {
      await page.locator('button.d').last().click();
      await page.locator('ul[popover]').last().scrollIntoViewIfNeeded();
    },
  },
  subscribe: { view: withMessages, height: 500, prepare: page => page.locator('header summary').click() },
  branded: { view: buildSampleView(withLogo) },
  crowded: { view: buildSampleView(crowded) },
};

const folder = process.argv[2] ?? 'docs/screenshots';
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch(await findBrowser());
for (const [name, screenshot] of Object.entries(screenshots)) {
  const { view, route = frontPage, path = {}, width = 960, height = 1150, isDark = false, prepare } = screenshot;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    timezoneId: 'Europe/Berlin',
  });
  await page.clock.setFixedTime(now);
  const response = await completeRendering(route.render(view, { path, query: {} }));
  await page.route('**/*', request => {
    const { pathname } = new URL(request.request().url());
    if (pathname.startsWith('/brand/')) return request.fulfill({ contentType: 'image/svg+xml', body: logo });
    if (pathname !== '/') return request.fulfill({ status: 404 });
    return request.fulfill({ contentType: response!.type, headers: response!.headers, body: String(response!.body) });
  });
  await page.goto(view.mount.canonical);
  await prepare?.(page);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}
await browser.close();

const rasterizer = new Rasterizer();
const logoPng = await rasterizer.render({ svg: logo, fitTo: { mode: 'height', value: 96 } });
for (const [name, samplePage] of Object.entries({ link: outage, 'link-branded': withLogo })) {
  const rendering = socialImage.render(buildSampleView(samplePage), { path: {}, query: {} }, null, logoPng);
  const response = await completeRendering(rendering);
  const fitTo = { mode: 'width' as const, value: socialImageSize.width };
  writeFileSync(`${folder}/${name}.png`, await rasterizer.render({ svg: String(response!.body), fitTo }));
}
rasterizer.shutdown();
