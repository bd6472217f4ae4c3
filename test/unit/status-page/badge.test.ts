import { describe, expect, test } from '@jest/globals';
import { badge } from '../../../src/status-page/badge/badge.js';
import { estimateTextWidth } from '../../../src/content/raster/text-width.js';
import { renderBody, component, renderRoute, hostileTexts, notice, createView } from '../../support/page-views.js';
import { childrenNamed, parseXml, childText, type XmlElement } from '../../support/xml-tree.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = notice(7, 'unplanned', 'identified', { componentIds: [2] });
const maintenance = notice(8, 'planned', 'underway', { componentIds: [3] });
const view = createView({ components, notices: [incident, maintenance] });

const readBadge = async (...options: Parameters<typeof renderBody> extends [unknown, ...infer Rest] ? Rest : never) =>
  parseXml(await renderBody(badge, ...options));
const readTexts = (svg: XmlElement) => childrenNamed(svg, 'text').map(({ text }) => text);

describe('badge.svg', () => {
  test.each([
    ['of an operational page', createView(), {}, 'Acme: Operational'],
    ['of a degraded page', view, {}, 'Acme: Degraded'],
    ['of a page under maintenance', createView({ components, notices: [maintenance] }), {}, 'Acme: Maintenance'],
    ['of a component that an incident names', view, { component: '2' }, 'Checkout: Degraded'],
    ['of its parent', view, { component: '1' }, 'Shop: Partially degraded'],
    ['of a component under maintenance', view, { component: '3' }, 'Search: Maintenance'],
  ])('%s shows the state as text and as its accessible name', async (_, one, query, title) => {
    const svg = await readBadge(one, query);
    expect(svg).toMatchObject({ name: 'svg', attributes: { role: 'img', 'aria-label': title } });
    expect(childText(svg, 'title')).toBe(title);
    expect(readTexts(svg)).toEqual(title.split(': '));
  });

  test('in style dot has an icon and an accessible name, but no visible text', async () => {
    const svg = await readBadge(view, { style: 'dot' });
    expect(readTexts(svg)).toEqual([]);
    expect(childText(svg, 'title')).toBe('Acme: Degraded');
    const operational = await readBadge(createView(), { style: 'dot' });
    expect(childrenNamed(svg, 'path')[0]!.attributes.d).not.toBe(childrenNamed(operational, 'path')[0]!.attributes.d);
  });

  test('in style text has the sentence of the banner', async () => {
    expect(readTexts(await readBadge(createView({ components, notices: [incident] }), { style: 'text' }))).toEqual([
      'Degraded: Checkout',
    ]);
    expect(readTexts(await readBadge(view, { style: 'text', component: '3' }))).toEqual(['Search: Maintenance']);
  });

  test.each(['light', 'dark'])('has text that differs from its background in the theme %s', async theme => {
    const svg = await readBadge(view, { theme });
    const [name] = childrenNamed(svg, 'text');
    expect(name!.attributes.fill).not.toBe(childrenNamed(svg, 'rect')[0]!.attributes.fill);
  });

  test('has different colours in the dark theme, and is light by default', async () => {
    expect(await renderBody(badge, view, { theme: 'dark' })).not.toBe(
      await renderBody(badge, view, { theme: 'light' }),
    );
    expect(await renderBody(badge, view, { theme: 'light', style: 'flat' })).toBe(await renderBody(badge, view));
  });

  test('in Arabic reads from right to left, with the state left of the name', async () => {
    const [name, state] = childrenNamed(await readBadge(createView({ locale: 'ar' })), 'text');
    expect(name!.attributes.direction).toBe('rtl');
    expect(Number(state!.attributes.x)).toBeLessThan(Number(name!.attributes.x));
  });

  test.each<Record<string, string>>([
    { component: '99' },
    { component: '02' },
    { style: 'toString' },
    { style: 'round' },
    { theme: 'pink' },
  ])('is not found for %j', async query => {
    expect(await badge.render(view, { path: {}, query })).toBeNull();
  });

  test('removes bidirectional control characters from names', async () => {
    expect(readTexts(await readBadge(createView({ page: { name: 'A\u202egnp\u2066' } })))).toEqual([
      'Agnp',
      'Operational',
    ]);
  });

  test('has its content type with a charset', async () => {
    expect(await renderRoute(badge, view)).toMatchObject({ type: 'image/svg+xml; charset=utf-8' });
  });

  test.each(hostileTexts.flatMap(name => ['flat', 'dot', 'text'].map(style => ({ style, name }))))(
    'consists of known elements without children, handlers or links: %j',
    async ({ style, name }) => {
      const hostile = createView({
        page: { name },
        components: [component(1, name)],
        notices: [notice(1, 'unplanned', 'investigating', { componentIds: [1] })],
      });
      const svg = await readBadge(hostile, { style });
      expect(
        svg.children.map(child => child.name).filter(child => !['title', 'rect', 'path', 'text'].includes(child)),
      ).toEqual([]);
      for (const child of svg.children) {
        expect(child.children).toEqual([]);
        expect(Object.keys(child.attributes).filter(attribute => /^on|href/i.test(attribute))).toEqual([]);
      }
      expect(Number(svg.attributes.width)).toBeLessThan(1000);
    },
  );

  test.each(['flat', 'text'].flatMap(style => (['en', 'ar'] as const).map(locale => ({ style, locale }))))(
    'keeps texts within the image and apart from each other: %j',
    async ({ style, locale }) => {
      for (const name of ['A', 'Acme Corporation', '状態ページ', '😀'.repeat(99), 'W'.repeat(99)]) {
        const svg = await readBadge(createView({ page: { name }, locale }), { style });
        const texts = locale === 'ar' ? childrenNamed(svg, 'text').reverse() : childrenNamed(svg, 'text');
        const spans = texts.map(({ attributes: { x, textLength } }) => [
          Number(x) - Number(textLength) / 2,
          Number(x) + Number(textLength) / 2,
        ]);
        for (const [index, [start, end]] of spans.entries()) {
          expect(start).toBeGreaterThanOrEqual(index ? spans[index - 1]![1]! : 0);
          expect(end).toBeLessThanOrEqual(Number(svg.attributes.width));
        }
      }
    },
  );
});

test('the estimated width grows with the number and the width of characters, and ignores combining marks', () => {
  expect(estimateTextWidth('ii')).toBeCloseTo(2 * estimateTextWidth('i'));
  expect(estimateTextWidth('mm')).toBeGreaterThan(estimateTextWidth('ii'));
  expect(estimateTextWidth('状')).toBeGreaterThan(estimateTextWidth('a'));
  expect(estimateTextWidth('e\u0301')).toBe(estimateTextWidth('e'));
});
