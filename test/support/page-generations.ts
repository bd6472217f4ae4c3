import { RenderPool } from '../../src/status-page/themes/render-pool.js';
import { parsePublicUrl } from '../../src/core/config.js';
import { createLogger } from '../../src/core/logger.js';
import { PageGeneration, type GenerationDependencies } from '../../src/status-page/server/page-generation.js';
import { ThemeService } from '../../src/status-page/themes/theme-service.js';
import type { PageSnapshot } from '../../src/status-page/view/snapshot.js';
import { createTestSettings } from './settings.js';

const dependencies = {
  publicUrl: parsePublicUrl(createTestSettings()),
  themes: new ThemeService(() => null, null, new RenderPool(), createLogger('silent')),
};

/** A generation without a database, and without further notices unless `loadNotices` provides them. */
export const createGeneration = (
  snapshot: PageSnapshot,
  {
    now,
    loadNotices = async () => null,
    loadImage = async () => null,
    renderSocialImage = async () => Buffer.alloc(0),
  }: { now?: Date } & Partial<Pick<GenerationDependencies, 'loadNotices' | 'loadImage' | 'renderSocialImage'>> = {},
): PageGeneration =>
  new PageGeneration(
    snapshot,
    { ...dependencies, loadNotices, loadImage, renderSocialImage },
    { clockOffsetMs: 0, staleSince: null, now },
  );
