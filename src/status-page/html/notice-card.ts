import type { NoticeView } from '../view/view.js';
import type { Canvas } from './render-context.js';
import { html, type Markup } from './html.js';
import { lasting, said, windowOf } from './time.js';
import { noticeSignOf, toneOf } from './status-icons.js';
import { updatesOf } from './notice-updates.js';

/** What is going on: shown first, and above everything that is well. */
export function presentNotices(canvas: Canvas): Markup | null {
  const { view, texts } = canvas;
  if (!view.present.length) return null;
  return html`
    <section aria-labelledby="present">
      <h2 id="present" class="unseen">${texts.t('notice.present')}</h2>
      ${view.present.map(notice => card(canvas, notice))}
    </section>`;
}

function card(canvas: Canvas, notice: NoticeView): Markup {
  return html`
    <article class="card edge ${toneOf(notice)}">
      ${wordsOf(canvas, notice)}
      <h3>${linkTo(canvas, notice)}</h3>
      ${timesOf(canvas, notice)}
      ${chipsOf(canvas, notice)}
      ${updatesOf(canvas, notice)}
    </article>`;
}

/** "Incident · Identified", with its sign. */
export function wordsOf({ texts }: Canvas, notice: NoticeView): Markup {
  const words = [texts.t(`state.${notice.type}`), notice.state && texts.t(`state.${notice.state}`)].filter(Boolean);
  return html`<p class="words">${noticeSignOf(notice)}${words.join(' · ')}</p>`;
}

export function linkTo({ to, own }: Canvas, notice: NoticeView): Markup {
  return html`<a href="${to(`notices/${notice.path}`)}"${own}>${notice.subject}</a>`;
}

function timesOf(canvas: Canvas, { type, beganAt, beginsAt, endsAt }: NoticeView): Markup {
  const window =
    type === 'planned' && beginsAt && endsAt && html`<p class="window">${windowOf(canvas, beginsAt, endsAt)}</p>`;
  return html`${window}${beganAt && html`<p class="when">${said(canvas, 'notice.started', beganAt)} · ${lasting(canvas, beganAt)}</p>`}`;
}

/** A thousand notices may each name a thousand components. */
const chipsAtMost = 30;

/** The components that a notice names, each the way to its line in the list. */
export function chipsOf({ texts, own, to }: Canvas, { components }: NoticeView, isFront = true): Markup | null {
  if (!components.length) return null;
  const page = isFront ? '' : to('');
  return html`
    <ul class="chips" aria-label="${texts.t('notice.affected')}">
      ${components.slice(0, chipsAtMost).map(({ id, name }) => html`<li><a href="${page}#c${id}"${own}>${name}</a></li>`)}
      ${components.length > chipsAtMost && html`<li>+${components.length - chipsAtMost}</li>`}
    </ul>`;
}
