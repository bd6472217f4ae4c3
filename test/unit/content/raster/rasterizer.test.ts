import { afterAll, expect, test } from '@jest/globals';
import { imageSize } from 'image-size';
import { canDraw } from '../../../../src/content/raster/fonts.js';
import { RasterFailure, Rasterizer } from '../../../../src/content/raster/rasterizer.js';

const rasterizer = new Rasterizer();
afterAll(() => rasterizer.shutdown());

const draw = (content: string) =>
  rasterizer.render({
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">${content}</svg>`,
    fitTo: { mode: 'height', value: 50 },
  });

test('renders an SVG as PNG in the requested height', async () => {
  const png = await draw('<rect width="200" height="100" fill="red"/>');
  expect(imageSize(png)).toMatchObject({ type: 'png', width: 100, height: 50 });
});

test('renders text in the letters of several languages', async () => {
  const empty = await draw('');
  const texts = await Promise.all(
    ['Status', 'Статус', 'Κατάσταση', 'Przełęcz ő'].map(text => draw(`<text y="50">${text}</text>`)),
  );
  const all = [empty, ...texts].map(png => png.toString('base64'));
  expect(new Set(all).size).toBe(all.length);
});

test('says why an SVG cannot be rendered, and renders the next one', async () => {
  const broken = rasterizer.render({ svg: '<svg', fitTo: { mode: 'width', value: 10 } });
  await expect(broken).rejects.toThrow(RasterFailure);
  await expect(broken).rejects.toThrow(/^cannot be rendered: /);
  expect((await draw('')).length).toBeGreaterThan(0);
});

test('refuses jobs while too many wait', async () => {
  const results = await Promise.allSettled(Array.from({ length: 25 }, () => draw('')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});

test.each([
  ['All systems operational – 99.9 %', true],
  ['Все системы работают', true],
  ['Όλα τα συστήματα λειτουργούν', true],
  ['جميع الأنظمة تعمل', false],
  ['すべてのシステム', false],
  ['Acme 🚀', false],
])('%s can be drawn: %s', (text, expected) => {
  expect(canDraw(text)).toBe(expected);
});
