import type { Canvas } from './render-context.js';
import { filled, slot } from './render-context.js';
import { html, type Markup } from './html.js';

const written = (moment: Date) => moment.toISOString().replace(/\.\d+Z$/, 'Z');

/** A moment in the page's zone. The script adds the visitor's. */
export function momentOf({ view, texts }: Canvas, moment: Date): Markup {
  return html`<time datetime="${written(moment)}">${texts.dateTime(moment, view.page.zone)}</time>`;
}

/** From when to when, in the page's zone. */
export function windowOf({ view, texts }: Canvas, begin: Date, end: Date): Markup {
  return html`<time datetime="${written(begin)}" data-end="${written(end)}">${texts.capital(texts.window(begin, end, view.page.zone))}</time>`;
}

type TextOfTime = 'notice.started' | 'notice.ended' | 'notice.published' | 'footer.updated' | 'footer.stale';

/** "Started 20 November 2026, 14:02 CET" */
export function said(canvas: Canvas, text: TextOfTime, moment: Date): Markup {
  return filled(canvas.texts.t(text, { time: slot }), momentOf(canvas, moment));
}

/** "Duration so far: 47 minutes", always beside an absolute time: the script keeps it true. */
export function lasting({ view, texts }: Canvas, since: Date): Markup {
  const duration = texts.duration(view.now.getTime() - since.getTime());
  return filled(
    texts.t('notice.durationSoFar', { duration: slot }),
    html`<span data-since="${written(since)}">${duration}</span>`,
  );
}

/** "in 3 days", always beside an absolute time, and kept true likewise. */
export function ago({ view, texts }: Canvas, moment: Date): Markup {
  return html`<span data-ago="${written(moment)}">${texts.relative(moment, view.now)}</span>`;
}
