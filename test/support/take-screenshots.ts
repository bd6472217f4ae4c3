import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Face } from '../../src/status-page/server/public-route.js';
import { history } from '../../src/status-page/html/history-page.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import { permalink } from '../../src/status-page/html/notice-page.js';
import type { PageView } from '../../src/status-page/view/view.js';
import { chromiumArguments, chromiumPath } from './browser.js';
import { arabic, branded, crowded, incident, now, situations, viewOfSituation } from './sample-pages.js';

interface Shot {
  view: PageView;
  face?: Face;
  path?: Record<string, string>;
  width?: number;
  height?: number;
  isDark?: boolean;
}

const incidentView = viewOfSituation(incident);
const shots: Record<string, Shot> = {
  ...Object.fromEntries(
    Object.entries(situations).map(([name, situation]) => [name, { view: viewOfSituation(situation) }]),
  ),
  'incident-dark': { view: incidentView, isDark: true },
  'incident-phone': { view: incidentView, width: 390, height: 844 },
  'operational-phone-dark': { view: viewOfSituation(situations.operational), width: 390, height: 844, isDark: true },
  'incident-arabic': { view: viewOfSituation(arabic) },
  notice: { view: incidentView, face: permalink, path: { notice: incidentView.present[0]!.path } },
  history: { view: incidentView, face: history, path: { month: '2026-11' } },
  branded: { view: viewOfSituation(branded) },
  crowded: { view: viewOfSituation(crowded) },
};

const folder = process.argv[2] ?? 'docs/screenshots';
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath()!, args: chromiumArguments });
for (const [name, { view, face = frontPage, path = {}, width = 960, height = 1150, isDark = false }] of Object.entries(
  shots,
)) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    timezoneId: 'Europe/Berlin',
  });
  await page.clock.setFixedTime(now);
  const drawing = await face.draw(view, { path, query: {} });
  await page.setContent(String(drawing!.body));
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}
await browser.close();
