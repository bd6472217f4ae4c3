import type { ThemeFiles } from '../../branding/theme-archive.js';
import { viewOf } from '../view/view.js';
import { additionsOf } from './page-extras.js';
import { ThemeFailure } from './render-job.js';
import { drawTheme } from './render.js';
import { situations, situationTime } from './sample-pages.js';

const place = { origin: 'https://status.example.com', path: '/', canonical: 'https://status.example.com/' };

/** Draws a theme in every situation. Why one of them failed, in words for the author of the theme; null when none did. */
export async function testTheme(theme: ThemeFiles): Promise<string | null> {
  for (const [situation, snapshot] of Object.entries(situations)) {
    try {
      const view = viewOf(snapshot, { now: situationTime, locale: snapshot.page.locale, place, staleSince: null });
      await drawTheme(theme, view, additionsOf(view));
    } catch (error) {
      if (!(error instanceof ThemeFailure)) throw error;
      return `${error.message.replace(/\.$/, '')} (test drawing: ${situation}).`;
    }
  }
  return null;
}
