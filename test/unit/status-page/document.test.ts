import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { locales } from '../../../src/i18n/locales.js';
import type { Drawing } from '../../../src/status-page/server/public-route.js';
import { favicon } from '../../../src/status-page/html/favicon.js';
import { history } from '../../../src/status-page/html/history-page.js';
import { permalink } from '../../../src/status-page/html/notice-page.js';
import { documentOf, drawn } from '../../support/rendered-page.js';
import {
  arabic,
  crowded,
  incident,
  operational,
  type Situation,
  situations,
  viewOfSituation,
} from '../../support/sample-pages.js';

const validator = new HtmlValidate(
  new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'] }),
);

async function complaintsAbout(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} at ${line}:${column}`),
  );
}

describe('the HTML', () => {
  test.each(Object.entries({ ...situations, crowded, arabic }))('is valid: %s', async (_, situation) => {
    const view = viewOfSituation(situation);
    const notices = view.notices.map(({ path }) => documentOf(view, permalink, { path: { notice: path } }));
    for (const html of [documentOf(view), documentOf(view, history, { path: { month: '2026-11' } }), ...notices])
      expect(await complaintsAbout(html)).toEqual([]);
  });

  test.each(locales)('is valid in %s', async locale => {
    expect(await complaintsAbout(documentOf(viewOfSituation(incident, { locale })))).toEqual([]);
  });

  test('would not be called valid if it were not', async () => {
    expect(
      await complaintsAbout(documentOf(viewOfSituation(incident)).replace('<h3>', '<h6>').replace('</main>', '')),
    ).not.toEqual([]);
  });
});

describe('the weight', () => {
  const packed = (situation: Situation) =>
    brotliCompressSync(documentOf(viewOfSituation(situation)), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      .length;

  test('of a page with 50 components and 10 notices is 30 kB at most', () => {
    expect(crowded.snapshot.components.length).toBeGreaterThanOrEqual(50);
    expect(crowded.snapshot.notices.length).toBeGreaterThanOrEqual(10);
    expect(packed(crowded)).toBeLessThanOrEqual(30_000);
  });

  test.each(locales)('of the page of the demonstration is 8 kB at most: %s', locale => {
    expect(packed({ ...incident, circumstances: { ...incident.circumstances, locale } })).toBeLessThanOrEqual(8_000);
  });
});

describe('the policy', () => {
  const policyOf = ({ headers }: Drawing) =>
    new Map(
      headers!
        ['Content-Security-Policy']!.split('; ')
        .map(directive => [directive.split(' ')[0]!, directive.split(' ').slice(1)]),
    );
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const withAnalytics = (vendorAnalyticsId: string | null): Situation => ({
    ...operational,
    snapshot: { ...operational.snapshot, page: { ...operational.snapshot.page, vendorAnalyticsId } },
  });

  test.each([
    ['without analytics', null],
    ['with them', 'G-AB12CD34EF'],
  ])('names what is in the document, and nothing else may be in it: %s', (_, id) => {
    const drawing = drawn(viewOfSituation(withAnalytics(id)));
    const html = String(drawing.body);
    const policy = policyOf(drawing);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('style-src')).toEqual(
      [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => hash(text!)),
    );
    expect(policy.get('script-src')!.filter(source => source.startsWith("'"))).toEqual(
      [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => hash(text!)),
    );
    expect(html).not.toMatch(/ style="| on[a-z]+="|<base|<iframe|<object|<img/);
  });

  test('names no other origin, but for the vendor of analytics where its identifier is set', () => {
    expect(
      [...policyOf(drawn(viewOfSituation(withAnalytics(null)))).values()].flat().filter(source => source.includes('.')),
    ).toEqual([]);
    const policy = policyOf(drawn(viewOfSituation(withAnalytics('G-AB12CD34EF'))));
    expect(policy.get('script-src')).toContain('https://www.googletagmanager.com');
  });

  test.each(['G-AB12CD34EF', 'UA-123456-1'])('%s is an identifier of analytics', id => {
    expect(documentOf(viewOfSituation(withAnalytics(id)))).toContain(`gtag/js?id=${id}`);
  });

  test.each(['', 'g-ab12', 'G-AB12CD34EF ', "G-1');alert(1)//", 'UA-1', '<script>', 'G-AB12\nCD34', 'GTM-ABC123'])(
    '%j is none: nothing is added',
    id => {
      expect(documentOf(viewOfSituation(withAnalytics(id)))).toBe(documentOf(viewOfSituation(withAnalytics(null))));
    },
  );
});

test('the sign in the tab follows the state, and its address changes with it', () => {
  const signs = [operational, situations.maintenance, incident].map(situation =>
    String(drawn(viewOfSituation(situation), favicon).body),
  );
  expect(new Set(signs).size).toBe(3);
  expect(documentOf(viewOfSituation(incident))).toContain('href="/favicon.svg?degraded"');
  expect(documentOf(viewOfSituation(operational))).toContain('href="/favicon.svg?operational"');
});
