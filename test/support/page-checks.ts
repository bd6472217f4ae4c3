/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Locale } from '../../src/i18n/locales.js';
import { historyPage } from '../../src/status-page/html/history-page.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import { noticePage } from '../../src/status-page/html/notice-page.js';
import { connectToBrowser } from './browser.js';
import { renderResponse } from './rendered-page.js';
import { type RenderServer, startRenderServer } from './theme-render-server.js';
import { type SamplePage, buildSampleView } from './sample-pages.js';

/** A browser, and a server for rendered sample pages. */
export interface BrowserChecks {
  server: RenderServer;
  /** Serves the three documents of a sample page under a name, in the language of `?lang=`. */
  serveSamplePage(name: string, samplePage: SamplePage): { front: string; month: string; notice?: string };
  /**
   * Runs checks on a page in a browser context of its own. `errors` collects requests to other origins and console
   * errors, which include violations of the content security policy.
   */
  withPage(options: BrowserContextOptions, check: (page: Page, errors: string[]) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function startBrowserChecks(): Promise<BrowserChecks> {
  const server = await startRenderServer();
  const browser = await connectToBrowser();
  return {
    server,
    serveSamplePage: (name, samplePage) => {
      const root = name && `/${name}`;
      const buildView = ({ lang }: Record<string, string>) =>
        buildSampleView(samplePage, lang ? { locale: lang as Locale } : {});
      const notice = buildSampleView(samplePage).notices.at(-1)?.path;
      return {
        front: server.serve(`${root}/`, query => renderResponse(buildView(query), frontPage, { query })),
        month: server.serve(`${root}/history/2026-11`, query =>
          renderResponse(buildView(query), historyPage, { path: { month: '2026-11' }, query }),
        ),
        ...(notice && {
          notice: server.serve(`${root}/notices/${notice}`, query =>
            renderResponse(buildView(query), noticePage, { path: { notice }, query }),
          ),
        }),
      };
    },
    withPage: async (options, check) => {
      const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...options });
      try {
        const page = await context.newPage();
        const errors: string[] = [];
        page.on('request', request => new URL(request.url()).origin === server.url || errors.push(request.url()));
        page.on(
          'console',
          message => message.type() === 'error' && !/favicon|404/.test(message.text()) && errors.push(message.text()),
        );
        page.on('pageerror', error => errors.push(String(error)));
        await check(page, errors);
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

export const openAllDetails = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('main details, footer details'))
      details.open = true;
  });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks the rules of WCAG 2.2 A and AA and the best practices of axe. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const rules = {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    };
    // biome-ignore lint/suspicious/noExplicitAny: `axe` was injected above.
    const { violations } = await (window as any).axe.run(document, rules);
    // biome-ignore lint/suspicious/noExplicitAny: the types of axe do not apply to this window.
    return violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`);
  });
}
