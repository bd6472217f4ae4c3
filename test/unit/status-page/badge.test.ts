import { describe, expect, test } from '@jest/globals';
import { badge } from '../../../src/status-page/badge/badge.js';
import { textWidth } from '../../../src/status-page/badge/text-width.js';
import { bodyOf, component, draw, hostileTexts, notice, viewFor } from '../../support/page-views.js';
import { named, parseXml, textOf, type XmlElement } from '../../support/xml-tree.js';

const components = [component(1, 'Shop'), component(2, 'Checkout', 1), component(3, 'Search')];
const incident = notice(7, 'unplanned', 'identified', { componentIds: [2] });
const maintenance = notice(8, 'planned', 'underway', { componentIds: [3] });
const view = viewFor({ components, notices: [incident, maintenance] });

const read = async (...asked: Parameters<typeof bodyOf> extends [unknown, ...infer Rest] ? Rest : never) =>
  parseXml(await bodyOf(badge, ...asked));
const words = (svg: XmlElement) => named(svg, 'text').map(({ text }) => text);

describe('badge.svg', () => {
  test.each([
    ['of a page where all is well', viewFor(), {}, 'Acme: Operational'],
    ['of a page in trouble', view, {}, 'Acme: Degraded'],
    ['of a page under maintenance', viewFor({ components, notices: [maintenance] }), {}, 'Acme: Maintenance'],
    ['of a component that is named', view, { component: '2' }, 'Checkout: Degraded'],
    ['of one above', view, { component: '1' }, 'Shop: Partially degraded'],
    ['of one under maintenance', view, { component: '3' }, 'Search: Maintenance'],
  ])('%s says it, to the eye and to a screen reader', async (_, one, query, title) => {
    const svg = await read(one, query);
    expect(svg).toMatchObject({ name: 'svg', attributes: { role: 'img', 'aria-label': title } });
    expect(textOf(svg, 'title')).toBe(title);
    expect(words(svg)).toEqual(title.split(': '));
  });

  test('as a dot is a sign without a word, but for who cannot see it', async () => {
    const svg = await read(view, { style: 'dot' });
    expect(words(svg)).toEqual([]);
    expect(textOf(svg, 'title')).toBe('Acme: Degraded');
    const well = await read(viewFor(), { style: 'dot' });
    expect(named(svg, 'path')[0]!.attributes.d).not.toBe(named(well, 'path')[0]!.attributes.d);
  });

  test('as text is the sentence of the page', async () => {
    expect(words(await read(viewFor({ components, notices: [incident] }), { style: 'text' }))).toEqual([
      'Checkout is degraded',
    ]);
    expect(words(await read(view, { style: 'text', component: '3' }))).toEqual(['Search: Maintenance']);
  });

  test.each(['light', 'dark'])('its words are told from what they stand on: %s', async theme => {
    const svg = await read(view, { theme });
    const [name] = named(svg, 'text');
    expect(name!.attributes.fill).not.toBe(named(svg, 'rect')[0]!.attributes.fill);
  });

  test('is dark where that is asked for', async () => {
    expect(await bodyOf(badge, view, { theme: 'dark' })).not.toBe(await bodyOf(badge, view, { theme: 'light' }));
    expect(await bodyOf(badge, view, { theme: 'light', style: 'flat' })).toBe(await bodyOf(badge, view));
  });

  test('reads from right to left in Arabic: the state stands left of the name', async () => {
    const [name, state] = named(await read(viewFor({ locale: 'ar' })), 'text');
    expect(name!.attributes.direction).toBe('rtl');
    expect(Number(state!.attributes.x)).toBeLessThan(Number(name!.attributes.x));
  });

  test.each<Record<string, string>>([
    { component: '99' },
    { component: '02' },
    { style: 'toString' },
    { style: 'round' },
    { theme: 'pink' },
  ])('there is none for %j', async query => {
    expect(await badge.draw(view, { path: {}, query })).toBeNull();
  });

  test('nothing in a name turns the direction of what follows', async () => {
    expect(words(await read(viewFor({ page: { name: 'A\u202egnp\u2066' } })))).toEqual(['Agnp', 'Operational']);
  });

  test('says its type and its charset', async () => {
    expect(await draw(badge, view)).toMatchObject({ type: 'image/svg+xml; charset=utf-8' });
  });

  test.each(hostileTexts.flatMap(name => ['flat', 'dot', 'text'].map(style => ({ style, name }))))(
    'is nothing but its shapes: %j',
    async ({ style, name }) => {
      const hostile = viewFor({
        page: { name },
        components: [component(1, name)],
        notices: [notice(1, 'unplanned', 'investigating', { componentIds: [1] })],
      });
      const svg = await read(hostile, { style });
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
    'every word keeps within the picture and off the others: %j',
    async ({ style, locale }) => {
      for (const name of ['A', 'Acme Corporation', '状態ページ', '😀'.repeat(99), 'W'.repeat(99)]) {
        const svg = await read(viewFor({ page: { name }, locale }), { style });
        const texts = locale === 'ar' ? named(svg, 'text').reverse() : named(svg, 'text');
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

test('text is about as wide as its letters: more letters, wider ones and ideographs take more room, marks none', () => {
  expect(textWidth('ii')).toBeCloseTo(2 * textWidth('i'));
  expect(textWidth('mm')).toBeGreaterThan(textWidth('ii'));
  expect(textWidth('状')).toBeGreaterThan(textWidth('a'));
  expect(textWidth('e\u0301')).toBe(textWidth('e'));
});
