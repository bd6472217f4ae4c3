import { crc32, deflateSync } from 'node:zlib';
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

test('references that repeat a text take a bounded amount of memory', async () => {
  const uses = [1, 2, 3].map(level => `<g id="l${level}">${`<use href="#l${level - 1}"/>`.repeat(10)}</g>`).join('');
  const text = `<g id="l0"><text>${'@'.repeat(60_000)}</text></g>`;
  const before = process.memoryUsage.rss();
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before);
  }, 20);
  try {
    await expect(draw(`<defs>${text}${uses}</defs><use href="#l3"/>`)).rejects.toThrow('and 192 MB');
  } finally {
    clearInterval(timer);
  }
  expect(most).toBeLessThan(400 * 1024 * 1024);
  expect((await draw('')).length).toBeGreaterThan(0);
});

function createChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** 16 bits for each of red, green, blue and opacity. */
function createPng(side: number): Buffer {
  const header = Buffer.from([0, 0, side >> 8, side & 0xff, 0, 0, side >> 8, side & 0xff, 16, 6, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(Buffer.alloc((side * 8 + 1) * side))),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

test('an image of the largest size is drawn', async () => {
  const href = `data:image/png;base64,${createPng(4_096).toString('base64')}`;
  expect((await draw(`<image width="100" height="100" href="${href}"/>`)).length).toBeGreaterThan(0);
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

test('pages take turns, and what is of none goes first', async () => {
  const order: string[] = [];
  const render = async (name: string, pageId?: string) => {
    const fitTo = { mode: 'height', value: 10 } as const;
    await rasterizer.render({ svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', fitTo }, pageId);
    order.push(name);
  };
  await Promise.all([
    ...[1, 2, 3].map(number => render(`first ${number}`, 'first')),
    render('second', 'second'),
    render('ours'),
  ]);
  expect(order).toEqual(['first 1', 'ours', 'second', 'first 2', 'first 3']);
});
