import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { frontPage } from '../../src/status-page/html/page.js';
import { chromiumPath } from './browser.js';
import { crowded, incident, situations, viewOfSituation } from './situations.js';

const folder = process.argv[2] ?? 'docs/screenshots';
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath()!, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
const shots: [string, ReturnType<typeof viewOfSituation>, { width: number; dark?: boolean }][] = [
  ...Object.entries(situations).map(([name, one]) => [name, viewOfSituation(one), { width: 1024 }] as never),
  ['incident-dark', viewOfSituation(incident), { width: 1024, dark: true }],
  ['incident-phone', viewOfSituation(incident), { width: 390 }],
  ['incident-arabic', viewOfSituation(incident, { locale: 'ar' }), { width: 1024 }],
  ['crowded', viewOfSituation(crowded), { width: 1024 }],
];
for (const [name, view, { width, dark }] of shots) {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: dark ? 'dark' : 'light', timezoneId: 'Europe/Berlin' });
  const drawing = await frontPage.draw(view, { path: {}, query: {} });
  await page.setContent(String(drawing!.body));
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  await page.close();
}
await browser.close();
