import { tokenOf } from '../../notices/notice.text.js';
import type { Asked, Face } from '../server/public-route.js';
import { inOrder, type NoticeView, type PageView } from '../view/view.js';
import { type Canvas, canvasOf } from './render-context.js';
import { documentOf, siteTitle } from './document.js';
import { developmentMark } from './announcements.js';
import { html, type Markup } from './html.js';
import { windowLines } from './maintenance.js';
import { lasting, said } from './time.js';
import { chipsOf, wordsOf } from './notice-card.js';
import { updateOf } from './notice-updates.js';

/** "permanent link to the notice on the public page; it is regenerated when the subject changes": what is before the hyphen stays, old ones lead here. */
export const permalink: Face = {
  path: 'notices/:notice',
  query: ['lang'],
  needs: asked => (askedToken(asked) ? { token: askedToken(asked)! } : null),
  addresses: ({ notices }) => notices.map(({ path }) => `notices/${path}`),
  draw: (view, asked) => {
    const notice = noticeOf(view, asked);
    if (!notice) return null;
    const canvas = canvasOf(view);
    const path = `notices/${notice.path}`;
    if (asked.path.notice !== notice.path)
      return { type: 'text/plain; charset=utf-8', body: '', status: 301, headers: { Location: canvas.to(path) } };
    return documentOf(canvas, {
      path,
      title: titleOf(canvas, notice),
      description: notice.synopsis.trim().slice(0, 300) || view.page.metaDescription,
      main: article(canvas, notice),
    });
  },
};

/** Nothing is asked of the database for what cannot be a link: a token, and a slug or nothing behind it. */
function askedToken({ path: { notice = '' } }: Asked): string | null {
  return /^[a-z0-9]{16}(?:-|$)/.test(notice) ? tokenOf(notice) : null;
}

function noticeOf({ notices }: PageView, asked: Asked): NoticeView | undefined {
  const token = askedToken(asked);
  return token === null ? undefined : notices.find(({ path }) => tokenOf(path) === token);
}

function titleOf({ texts, view }: Canvas, { state, subject }: NoticeView): string {
  const title = `${subject} – ${siteTitle(view)}`;
  return state ? `${texts.t(`state.${state}`)}: ${title}` : title;
}

function article(canvas: Canvas, notice: NoticeView): Markup {
  const { view, texts, to, own } = canvas;
  const address = `${view.place.canonical}notices/${notice.path}`;
  return html`
    <article class="notice">
      <p><a href="${to('')}">${texts.t('notice.back')}</a></p>
      ${wordsOf(canvas, notice)}
      <h1><span${own}>${notice.subject}</span>${notice.type === 'general' && html` ${developmentMark(canvas)}`}</h1>
      ${windowLines(canvas, notice)}
      <ul class="facts">${factsOf(canvas, notice).map(fact => html`<li>${fact}</li>`)}</ul>
      ${chipsOf(canvas, notice, false)}
      <section aria-labelledby="updates">
        <h2 id="updates">${texts.t('notice.updates')}</h2>
        ${notice.updates.length ? inOrder(view, notice.updates).map(update => updateOf(canvas, update)) : html`<p class="quiet">${texts.t('notice.noUpdates')}</p>`}
      </section>
      <p class="quiet">${texts.t('notice.link')}: <a href="${address}">${address}</a></p>
    </article>`;
}

/** When it began and ended, and how long it took, or takes so far. */
function factsOf(canvas: Canvas, { type, beganAt, endedAt, createdAt, timelineState }: NoticeView): Markup[] {
  const { texts } = canvas;
  if (type === 'general') return [said(canvas, 'notice.published', createdAt)];
  const facts: Markup[] = [];
  if (beganAt) facts.push(said(canvas, 'notice.started', beganAt));
  if (endedAt) facts.push(said(canvas, 'notice.ended', endedAt));
  if (beganAt && endedAt)
    facts.push(
      html`${texts.t('notice.duration', { duration: texts.duration(endedAt.getTime() - beganAt.getTime()) })}`,
    );
  if (beganAt && timelineState === 'present') facts.push(lasting(canvas, beganAt));
  return facts;
}
