import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Rasterize } from '../../content/raster/rasterizer.js';
import { socialImageSize } from '../html/social-image.js';

const maxCacheBytes = 8 * 1024 * 1024;

/** Renders social images, each once: a page changes far more often than its image. */
export function createSocialImageCache(rasterize: Rasterize): (svg: string) => Promise<Buffer> {
  const images = new LRUCache<string, Buffer, string>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ length }) => length + 1,
    fetchMethod: (_key, _stale, { context: svg }) =>
      rasterize({ svg, fitTo: { mode: 'width', value: socialImageSize.width } }),
  });
  return svg => images.forceFetch(createHash('sha256').update(svg).digest('base64'), { context: svg });
}
