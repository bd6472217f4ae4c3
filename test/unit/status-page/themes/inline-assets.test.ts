import { expect, test } from '@jest/globals';
import { inlineAssets } from '../../../../src/status-page/themes/inline-assets.js';
import type { ThemeAsset } from '../../../../src/status-page/routing/public-route.js';

const asset = (name: string, type: string, body: Buffer): ThemeAsset => ({
  path: `theme/0123456789abcdef/${name}`,
  type,
  body,
  headers: {},
});
const inline = (body: string, assets: ThemeAsset[]) =>
  inlineAssets(
    {
      templates: new Map([['status-page', { type: 'text/html; charset=utf-8', body }]]),
      assets: new Map(assets.map(one => [one.path, one])),
    },
    '/status/ab12cd34/',
  );
const image = (bytes: number) => asset('a.png', 'image/png', Buffer.alloc(bytes));
const imageUrl = '/status/ab12cd34/theme/0123456789abcdef/a.png?v=1';
const count = (text: string, part: string) => text.split(part).length - 1;

test('an asset counts for the megabyte as often as it is used, and further uses keep its address', () => {
  const html = inline(`<img src="${imageUrl}">`.repeat(1_000), [image(300_000)]);
  expect([count(html, 'data:image/png'), count(html, imageUrl)]).toEqual([2, 998]);
  expect(html.length).toBeLessThan(1_000_000);
});

test('an asset without room is not encoded, however often it is named', () => {
  const startedAt = performance.now();
  const html = inline(`<img src="${imageUrl}">`.repeat(10_000), [image(2_000_000)]);
  expect(count(html, imageUrl)).toBe(10_000);
  // Encoding it each time takes 20 seconds.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
