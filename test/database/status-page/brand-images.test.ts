import { mkdtempSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageSize } from 'image-size';
import { exportPages } from '../../../src/status-page/server/export.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { sentencesByField } from '../../support/user-errors.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const service = useOwnService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian & Sons' })).id;
});

const visit = (path: string) => requestPage(service.url, `${page}.localhost`, path);
const createSvg = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><script>alert(1)</script><path fill="${fill}" d="M0 0h240v80z"/></svg>`;
/** 1 × 1 pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const encode = (text: string) => Buffer.from(text).toString('base64');

async function setImages(input: object, ifVersion?: number) {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $ifVersion: Int, $input: SetBrandImagesInput!) {
      setBrandImages(pageId: $page, ifVersion: $ifVersion, input: $input) {
        brand { logoUrl logoDarkUrl faviconUrl colorStateOk version }
      }
    }`,
    { page, ifVersion, input },
  );
  return json.errors ? { error: json.errors[0].extensions } : json.data.setBrandImages;
}

describe('the images of a brand', () => {
  test('are uploaded, and have URLs that contain a hash', async () => {
    const before = (await service.graphql(`{ brand(pageId: "${page}") { version logoUrl faviconUrl } }`)).json.data
      .brand;
    expect(before).toEqual({ version: 1, logoUrl: null, faviconUrl: null });
    const { brand } = await setImages({
      logo: encode(createSvg('red')),
      logoDark: encode(createSvg('blue')),
      favicon: png,
    });
    const url = `http://${page}.localhost:\\d+/brand/[0-9a-f]{16}`;
    expect(brand).toEqual({
      logoUrl: expect.stringMatching(`^${url}/logo\\.svg$`),
      logoDarkUrl: expect.stringMatching(`^${url}/logo-dark\\.svg$`),
      faviconUrl: expect.stringMatching(`^${url}/favicon\\.png$`),
      colorStateOk: '#27ae60',
      version: 2,
    });
  });

  test('stand on the page in place of its name and of the state icon', async () => {
    const { text } = await waitForResponse(
      () => visit('/'),
      response => response.text.includes('class="logo"'),
    );
    expect(text).toMatch(
      /<h1 class="name"><a href="\/" dir="auto"><picture><source media="\(prefers-color-scheme:dark\)" srcset="\/brand\/[0-9a-f]{16}\/logo-dark\.svg"><img class="logo" src="\/brand\/[0-9a-f]{16}\/logo\.svg" alt="Meridian &amp; Sons" width="240" height="80"><\/picture><\/a><\/h1>/,
    );
    expect(text).toMatch(/<link rel="icon" type="image\/png" href="\/brand\/[0-9a-f]{16}\/favicon\.png">/);
    const path = (await requestPage(service.url, 'localhost', `/status/${page}/`)).text;
    expect(path).toContain(`src="/status/${page}/brand/`);
  });

  test('are served sanitized, with a long cache lifetime, and an SVG as PNG, too', async () => {
    const source = /src="(\/brand[^"]+)"/.exec((await visit('/')).text)![1]!;
    const logo = await visit(source);
    expect(logo.text).toContain('fill="red"');
    expect(logo.text).not.toContain('script');
    expect(logo.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const raster = await visit(source.replace('.svg', '.png'));
    expect([raster.headers['content-type'], imageSize(raster.bytes)]).toMatchObject([
      'image/png',
      { width: 288, height: 96 },
    ]);
    const outdated = await visit(source.replace(/[0-9a-f]{16}/, '0123456789abcdef'));
    expect([outdated.status, outdated.headers['cache-control']]).toEqual([
      200,
      expect.not.stringContaining('immutable'),
    ]);
    for (const path of ['/brand/none/logo.gif', '/brand/none/favicon.svg', '/brand/none/constructor'])
      expect((await visit(path)).status).toBe(404);
  });

  test('are variables of a theme', async () => {
    const rows = await service.graphql(
      `mutation ($page: ID!, $zip: Bytes!) { setTheme(pageId: $page, input: { zip: $zip }) { page { id } } }`,
      {
        page,
        zip: (await import('../../support/zip-writer.js'))
          .writeZip([
            {
              name: 'status-page.liquid',
              content: '{{ page.brand.logo.url }} {{ page.brand.favicon.url }} {{ page.brand.favicon.content_type }}',
            },
          ])
          .toString('base64'),
      },
    );
    expect(rows.json.errors).toBeUndefined();
    const { text } = await waitForResponse(
      () => visit('/'),
      response => !response.text.includes('<html'),
    );
    expect(text).toMatch(/^\/brand\/[0-9a-f]{16}\/logo\.svg \/brand\/[0-9a-f]{16}\/favicon\.png image\/png$/);
    await service.graphql(`mutation { deleteTheme(pageId: "${page}") { page { id } } }`);
  });

  test('are exported', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
    try {
      await exportPages(service, folder);
      const source = /src="(\/brand[^"]+)"/.exec(readFileSync(join(folder, page, 'index.html'), 'utf8'))![1]!;
      expect(readFileSync(join(folder, page, source), 'utf8')).toContain('fill="red"');
      const names = readdirSync(join(folder, page, 'brand'), { recursive: true, encoding: 'utf8' });
      expect(
        names
          .filter(name => /\w\.(svg|png)$/.test(name))
          .map(name => name.slice(17))
          .sort(),
      ).toEqual(['favicon.png', 'logo-dark.png', 'logo-dark.svg', 'logo.png', 'logo.svg']);
      expect(existsSync(join(folder, page, 'favicon.svg'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ['no image', { logo: encode('GIF89a') }, { logo: '`logo` is not an SVG, PNG or WebP image.' }],
    ['an empty file', { favicon: '' }, { favicon: '`favicon` is not an SVG, PNG or WebP image.' }],
    ['a JPEG', { logo: '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//' }, { logo: '`logo` is not an SVG, PNG or WebP image.' }],
    [
      'too large',
      { logo: Buffer.alloc(256 * 1024 + 1).toString('base64') },
      { logo: '`logo` is larger than 256 kB (262144 bytes).' },
    ],
    [
      'an SVG that cannot be rendered',
      { logo: encode('<svg viewBox="0 0 10 10"><path d="M0 0"/></svg>') },
      { logo: expect.stringMatching(/^`logo` cannot be rendered: /) },
    ],
    [
      'an SVG with deeply nested elements',
      { logo: encode(`<svg viewBox="0 0 10 10">${'<g>'.repeat(20_000)}${'</g>'.repeat(20_000)}</svg>`) },
      { logo: '`logo` has elements in more than 100 others.' },
    ],
    [
      'a picture of many pixels',
      { logo: encode('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5000 10"/>') },
      { logo: '`logo` is larger than 4096 × 4096 pixels.' },
    ],
  ])('stay as they were if one is refused: %s', async (_, input, fields) => {
    const { error } = await setImages({ logoDark: null, ...input });
    expect(sentencesByField({ errors: [{ extensions: error }] })).toEqual(fields);
    const { json } = await service.graphql(`{ brand(pageId: "${page}") { version logoDarkUrl } }`);
    expect(json.data.brand).toEqual({ version: 2, logoDarkUrl: expect.any(String) });
  });

  test('are not changed by the same image, and not at another version', async () => {
    expect((await setImages({ logo: encode(createSvg('red')) })).brand.version).toBe(2);
    expect((await setImages({ logo: null }, 1)).error.code).toBe('PRECONDITION_FAILED');
  });

  test('are replaced and removed', async () => {
    const { brand } = await setImages({ logo: png, logoDark: null, favicon: null });
    expect(brand).toMatchObject({
      logoUrl: expect.stringMatching(/logo\.png$/),
      logoDarkUrl: null,
      faviconUrl: null,
      version: 3,
    });
    const { text } = await waitForResponse(
      () => visit('/'),
      response => response.text.includes('/logo.png"'),
    );
    expect(text).toContain('href="/favicon.svg?operational"');
    expect(text).not.toContain('<source');
  });

  test('need a token that may write', async () => {
    const { json } = await service.graphql(
      `mutation { setBrandImages(pageId: "${page}", input: { logo: null }) { page { id } } }`,
      {},
      { token: null },
    );
    expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});
