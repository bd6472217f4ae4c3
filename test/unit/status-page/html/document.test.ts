import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { locales } from '../../../../src/i18n/locales.js';
import type { RenderedResponse } from '../../../../src/status-page/routing/public-route.js';
import { favicon } from '../../../../src/status-page/badge/favicon.js';
import { historyPage } from '../../../../src/status-page/html/history-page.js';
import { noticePage } from '../../../../src/status-page/html/notice-page.js';
import { renderDocument, renderResponse } from '../../../support/rendered-page.js';
import {
  arabic,
  crowded,
  incident,
  operational,
  type SamplePage,
  samplePages,
  buildSampleView,
} from '../../../support/sample-pages.js';

const validator = new HtmlValidate(
  new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'] }),
);

async function validateHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} at ${line}:${column}`),
  );
}

describe('the HTML of a page', () => {
  test.each(Object.entries({ ...samplePages, crowded, arabic }))(
    'is valid for the sample page %s',
    async (_, samplePage) => {
      const view = buildSampleView(samplePage);
      const notices = view.notices.map(({ path }) => renderDocument(view, noticePage, { path: { notice: path } }));
      for (const html of [
        renderDocument(view),
        renderDocument(view, historyPage, { path: { month: '2026-11' } }),
        ...notices,
      ])
        expect(await validateHtml(html)).toEqual([]);
    },
  );

  test.each(locales)('is valid in %s', async locale => {
    expect(await validateHtml(renderDocument(buildSampleView(incident, { locale })))).toEqual([]);
  });

  test('fails validation when it is invalid', async () => {
    expect(
      await validateHtml(renderDocument(buildSampleView(incident)).replace('<h3>', '<h6>').replace('</main>', '')),
    ).not.toEqual([]);
  });
});

describe('the compressed size', () => {
  const compressedSize = (samplePage: SamplePage) =>
    brotliCompressSync(renderDocument(buildSampleView(samplePage)), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      .length;

  test('of a page with 50 components and 10 notices is 30 kB at most', () => {
    expect(crowded.snapshot.components.length).toBeGreaterThanOrEqual(50);
    expect(crowded.snapshot.notices.length).toBeGreaterThanOrEqual(10);
    expect(compressedSize(crowded)).toBeLessThanOrEqual(30_000);
  });

  test('of a page with 40 components and 5 notices is 10 kB at most', () => {
    const { components, notices } = crowded.snapshot;
    const snapshot = { ...crowded.snapshot, components: components.slice(0, 40), notices: notices.slice(0, 5) };
    expect([snapshot.components.length, snapshot.notices.length]).toEqual([40, 5]);
    expect(compressedSize({ ...crowded, snapshot })).toBeLessThanOrEqual(10_000);
  });

  test.each(locales)('of the demo page is 10 KiB at most in %s', locale => {
    expect(compressedSize({ ...incident, viewOptions: { ...incident.viewOptions, locale } })).toBeLessThanOrEqual(
      10 * 1024,
    );
  });
});

describe('the Content-Security-Policy', () => {
  const parsePolicy = ({ headers }: RenderedResponse) =>
    new Map(
      headers!
        ['Content-Security-Policy']!.split('; ')
        .map(directive => [directive.split(' ')[0]!, directive.split(' ').slice(1)]),
    );
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const withAnalytics = (vendorAnalyticsId: string | null): SamplePage => ({
    ...operational,
    snapshot: { ...operational.snapshot, page: { ...operational.snapshot.page, vendorAnalyticsId } },
  });

  test.each([
    ['without analytics', null],
    ['with analytics', 'G-AB12CD34EF'],
  ])('allows the inline styles and scripts of the document by hash, and nothing else, %s', (_, id) => {
    const response = renderResponse(buildSampleView(withAnalytics(id)));
    const html = String(response.body);
    const policy = parsePolicy(response);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('style-src')).toEqual(
      [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => hash(text!)),
    );
    expect(policy.get('script-src')!.filter(source => source.startsWith("'"))).toEqual(
      [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => hash(text!)),
    );
    expect(html).not.toMatch(/ style="| on[a-z]+="|<base|<iframe|<object|<img/);
  });

  test('allows no other origin, except the analytics vendor when a vendor id is set', () => {
    expect(
      [...parsePolicy(renderResponse(buildSampleView(withAnalytics(null)))).values()]
        .flat()
        .filter(source => source.includes('.')),
    ).toEqual([]);
    const policy = parsePolicy(renderResponse(buildSampleView(withAnalytics('G-AB12CD34EF'))));
    expect(policy.get('script-src')).toContain('https://www.googletagmanager.com');
  });

  test.each(['G-AB12CD34EF', 'UA-123456-1'])('loads analytics for the vendor id %s', id => {
    expect(renderDocument(buildSampleView(withAnalytics(id)))).toContain(`gtag/js?id=${id}`);
  });

  test.each(['', 'g-ab12', 'G-AB12CD34EF ', "G-1');alert(1)//", 'UA-1', '<script>', 'G-AB12\nCD34', 'GTM-ABC123'])(
    'ignores the invalid vendor id %j',
    id => {
      expect(renderDocument(buildSampleView(withAnalytics(id)))).toBe(
        renderDocument(buildSampleView(withAnalytics(null))),
      );
    },
  );
});

test('the favicon and its URL change with the state of the page', () => {
  const icons = [operational, samplePages.maintenance, incident].map(samplePage =>
    String(renderResponse(buildSampleView(samplePage), favicon).body),
  );
  expect(new Set(icons).size).toBe(3);
  expect(renderDocument(buildSampleView(incident))).toContain('href="/favicon.svg?degraded"');
  expect(renderDocument(buildSampleView(operational))).toContain('href="/favicon.svg?operational"');
});
