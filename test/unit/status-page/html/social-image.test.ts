import { afterAll, describe, expect, test } from '@jest/globals';
import { imageSize } from 'image-size';
import { Rasterizer } from '../../../../src/content/raster/rasterizer.js';
import { createSocialImageCache } from '../../../../src/status-page/server/social-image-cache.js';
import { socialImage } from '../../../../src/status-page/html/social-image.js';
import { completeRendering } from '../../../../src/status-page/routing/public-route.js';
import type { PageView } from '../../../../src/status-page/view/view.js';
import { renderDocument } from '../../../support/rendered-page.js';
import { arabic, incident, operational, buildSampleView } from '../../../support/sample-pages.js';

const rasterizer = new Rasterizer();
afterAll(() => rasterizer.shutdown());

const render = async (view: PageView, logo: Buffer | null = null) => {
  const response = await completeRendering(socialImage.render(view, { path: {}, query: {} }, null, logo));
  return String(response!.body);
};
const listTexts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);

describe('the image of a link', () => {
  test('has the name, the state in words and colour, and the host', async () => {
    expect(listTexts(await render(buildSampleView(incident)))).toEqual([
      'Meridian Freight',
      'Degraded: Card payments',
      'status.meridian.example',
    ]);
    const [degraded, well] = await Promise.all([incident, operational].map(one => render(buildSampleView(one))));
    expect(/<path[^>]* fill="(#\w+)"/.exec(degraded!)![1]).not.toBe(/<path[^>]* fill="(#\w+)"/.exec(well!)![1]);
  });

  test('has the logo in place of the name', async () => {
    const view = {
      ...buildSampleView(incident),
      images: { logo: { format: 'svg' as const, hash: '0123456789abcdef', width: 240, height: 80 } },
    };
    expect(socialImage.requiredImage!({ path: {}, query: {} }, view)).toEqual({
      hash: '0123456789abcdef',
      format: 'png',
    });
    const svg = await render(view, Buffer.from('png'));
    expect(svg).toContain('<image x="80" y="39" width="216" height="72"');
    expect(listTexts(svg)).not.toContain('Meridian Freight');
    const webp = { ...view, images: { logo: { ...view.images.logo, format: 'webp' as const } } };
    expect(socialImage.requiredImage!({ path: {}, query: {} }, webp)).toBeNull();
    expect(listTexts(await render(webp))).toContain('Meridian Freight');
  });

  test('breaks and cuts long texts', async () => {
    const view = buildSampleView(incident);
    const component = { ...view.banner.component!, name: 'A name of many words '.repeat(20).trim() };
    const lines = listTexts(await render({ ...view, banner: { ...view.banner, component } })).slice(1, -1);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/…$/);
    for (const line of lines) expect(line!.length).toBeLessThan(40);
  });

  test('leaves out words for whose letters there is no font', async () => {
    expect(listTexts(await render(buildSampleView(arabic)))).toEqual(['Meridian Freight', 'status.meridian.example']);
  });

  test('is a PNG of the size that the document says, and is rendered once', async () => {
    let count = 0;
    const renderSocialImage = createSocialImageCache(job => {
      count += 1;
      return rasterizer.render(job);
    });
    const view = buildSampleView(incident);
    const first = await renderSocialImage(await render(view));
    const second = await renderSocialImage(await render(view));
    expect(imageSize(first)).toMatchObject({ type: 'png', width: 1200, height: 630 });
    expect([second, count]).toEqual([first, 1]);
    const document = renderDocument(view);
    expect(document).toContain(
      '<meta property="og:image" content="https://status.meridian.example/og.png?degraded">' +
        '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">' +
        '<meta name="twitter:card" content="summary_large_image">',
    );
  });
});
