/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Locale } from '../../src/i18n/locales.js';
import { historyPage } from '../../src/status-page/html/history-page.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import { noticePage } from '../../src/status-page/html/notice-page.js';
import { launchBrowser } from './browser.js';
import { renderResponse } from './rendered-page.js';
import { type RenderServer, startRenderServer } from './theme-render-server.js';
import { type SamplePage, buildSampleView } from './sample-pages.js';

/** A browser, and drawings served to it. */
export interface Looking {
  server: RenderServer;
  /** The three kinds of documents of a situation; a view by language, as the service makes them. */
  show(name: string, situation: SamplePage): { front: string; month: string; notice?: string };
  /** A page in a world of its own, closed afterwards. What it asks of other origins, and what its policy stops, is gathered. */
  withPage(options: BrowserContextOptions, look: (page: Page, complaints: string[]) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function startLooking(): Promise<Looking> {
  const server = await startRenderServer();
  const browser = await launchBrowser();
  return {
    server,
    show: (name, situation) => {
      const root = name && `/${name}`;
      const view = ({ lang }: Record<string, string>) =>
        buildSampleView(situation, lang ? { locale: lang as Locale } : {});
      const notice = buildSampleView(situation).notices.at(-1)?.path;
      return {
        front: server.serve(`${root}/`, query => renderResponse(view(query), frontPage, { query })),
        month: server.serve(`${root}/history/2026-11`, query =>
          renderResponse(view(query), historyPage, { path: { month: '2026-11' }, query }),
        ),
        ...(notice && {
          notice: server.serve(`${root}/notices/${notice}`, query =>
            renderResponse(view(query), noticePage, { path: { notice }, query }),
          ),
        }),
      };
    },
    withPage: async (options, look) => {
      const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...options });
      try {
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('request', request => new URL(request.url()).origin === server.url || complaints.push(request.url()));
        page.on(
          'console',
          message =>
            message.type() === 'error' && !/favicon|404/.test(message.text()) && complaints.push(message.text()),
        );
        page.on('pageerror', error => complaints.push(String(error)));
        await look(page, complaints);
      } finally {
        await context.close();
      }
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

export const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('main details, footer details'))
      details.open = true;
  });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** By the rules of WCAG 2.2 A and AA, and what is good practice beside them. */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const rules = {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    };
    // biome-ignore lint/suspicious/noExplicitAny: it was put there by the line above.
    const { violations } = await (window as any).axe.run(document, rules);
    // biome-ignore lint/suspicious/noExplicitAny: the types of axe are not those of this window.
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`);
  });
}
