import { fillSlot, type RenderContext, slot } from './render-context.js';
import { html, type Markup } from './html.js';

const toDatetime = (moment: Date) => moment.toISOString().replace(/\.\d+Z$/, 'Z');

/** A time in the zone of the page. The client script shows it in the visitor's zone. */
function renderTime({ view, translator }: RenderContext, moment: Date): Markup {
  const text = translator.formatShortDateTime(moment, view.page.zone, view.now);
  return html`<time datetime="${toDatetime(moment)}">${text}</time>`;
}

/** A time range in the zone of the page. */
export function renderTimeRange({ view, translator }: RenderContext, begin: Date, end: Date): Markup {
  const range = translator.capitalize(translator.formatTimeRange(begin, end, view.page.zone));
  return html`<time datetime="${toDatetime(begin)}" data-end="${toDatetime(end)}">${range}</time>`;
}

type TimeLabelKey =
  | 'notice.started'
  | 'notice.ended'
  | 'notice.published'
  | 'notice.nextUpdate'
  | 'notice.edited'
  | 'footer.updated'
  | 'footer.stale';

/** "Started 20 Nov, 14:02 CET" */
export function renderLabelledTime(context: RenderContext, label: TimeLabelKey, moment: Date): Markup {
  return fillSlot(context.translator.t(label, { time: slot }), renderTime(context, moment));
}

/** "Duration so far: 47 minutes". The client script updates it. */
export function renderDuration(
  { view, translator }: RenderContext,
  label: 'notice.durationSoFar' | 'notice.noUpdateFor',
  since: Date,
): Markup {
  const duration = translator.formatDuration(view.now.getTime() - since.getTime());
  return fillSlot(
    translator.t(label, { duration: slot }),
    html`<span data-since="${toDatetime(since)}">${duration}</span>`,
  );
}

/** "in 3 days", always beside an absolute time. The client script updates it. */
export function renderRelativeTime({ view, translator }: RenderContext, moment: Date): Markup {
  return html`<span data-ago="${toDatetime(moment)}">${translator.formatRelativeTime(moment, view.now)}</span>`;
}

/** "18 minutes ago · 20 Nov, 15:12 CET" */
export function renderAge(context: RenderContext, moment: Date): Markup {
  return html`${renderRelativeTime(context, moment)} · ${renderTime(context, moment)}`;
}
