import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { PublicRoute } from '../../src/status-page/server/public-route.js';
import { historyPage } from '../../src/status-page/html/history-page.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import { noticePage } from '../../src/status-page/html/notice-page.js';
import type { PageView } from '../../src/status-page/view/view.js';
import { findBrowser } from './find-browser.js';
import { arabic, branded, crowded, incident, now, samplePages, buildSampleView } from './sample-pages.js';

interface Screenshot {
  view: PageView;
  route?: PublicRoute;
  path?: Record<string, string>;
  width?: number;
  height?: number;
  isDark?: boolean;
}

const incidentView = buildSampleView(incident);
const screenshots: Record<string, Screenshot> = {
  ...Object.fromEntries(
    Object.entries(samplePages).map(([name, samplePage]) => [name, { view: buildSampleView(samplePage) }]),
  ),
  'incident-dark': { view: incidentView, isDark: true },
  'incident-phone': { view: incidentView, width: 390, height: 844 },
  'operational-phone-dark': { view: buildSampleView(samplePages.operational), width: 390, height: 844, isDark: true },
  'incident-arabic': { view: buildSampleView(arabic) },
  notice: { view: incidentView, route: noticePage, path: { notice: incidentView.present[0]!.path } },
  history: { view: incidentView, route: historyPage, path: { month: '2026-11' } },
  branded: { view: buildSampleView(branded) },
  crowded: { view: buildSampleView(crowded) },
};

const folder = process.argv[2] ?? 'docs/screenshots';
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch(await findBrowser());
for (const [name, { view, route = frontPage, path = {}, width = 960, height = 1150, isDark = false }] of Object.entries(
  screenshots,
)) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    timezoneId: 'Europe/Berlin',
  });
  await page.clock.setFixedTime(now);
  const response = await route.render(view, { path, query: {} });
  await page.setContent(String(response!.body));
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}
await browser.close();
