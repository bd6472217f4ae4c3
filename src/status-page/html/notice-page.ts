import { extractToken } from '../../notices/notice-text.rules.js';
import type { RouteParameters, PublicRoute } from '../routing/public-route.js';
import { renderRedirect } from '../routing/responses.js';
import { findNotice, requireNotice } from '../view/urls.js';
import { sortUpdates, type NoticeView } from '../view/view.js';
import { type RenderContext, createRenderContext } from './render-context.js';
import { renderDocument, getSiteTitle } from './document.js';
import { feeds, methodLabels, renderBackLink } from './header.js';
import { html, type Markup } from './html.js';
import { renderMaintenanceWindow } from './maintenance.js';
import { renderDuration, renderLabelledTime } from './time.js';
import { renderAffectedComponents, renderNoticeStatus } from './notice-card.js';
import { renderRevisions, renderUpdate, renderUpdateContent, renderWhen } from './notice-updates.js';

/**
 * "permanent link to the notice on the public page; it is regenerated when the subject changes": the token before the
 * hyphen stays, and paths with an old slug redirect.
 */
export const noticePage: PublicRoute = {
  path: 'notices/:notice',
  hasTexts: true,
  query: ['lang'],
  requiredNotices: (parameters, view) => {
    const token = parseToken(parameters);
    return token === null ? null : requireNotice(view, token);
  },
  listPaths: ({ notices }) => notices.map(({ path }) => `notices/${path}`),
  render: (view, parameters) => {
    const token = parseToken(parameters);
    const notice = token === null ? null : findNotice(view.notices, token);
    if (!notice) return null;
    const context = createRenderContext(view);
    const path = `notices/${notice.path}`;
    if (parameters.path.notice !== notice.path) return renderRedirect(301, context.urlFor(path));
    return renderDocument(context, {
      path,
      title: formatTitle(context, notice),
      description: notice.synopsis.trim().slice(0, 300) || view.page.metaDescription,
      main: renderArticle(context, notice),
    });
  },
};

/** The token of a path like `abc-slug`. Null for any other form, without a database query. */
function parseToken({ path: { notice = '' } }: RouteParameters): string | null {
  return /^[a-z0-9]{16}(?:-|$)/.test(notice) ? extractToken(notice) : null;
}

function formatTitle({ translator, view }: RenderContext, { state, subject }: NoticeView): string {
  const title = `${subject} – ${getSiteTitle(view)}`;
  return state ? `${translator.t(`state.${state}`)}: ${title}` : title;
}

function renderArticle(page: RenderContext, notice: NoticeView): Markup {
  const context: RenderContext = { ...page, textHeadings: 3 };
  const { view, translator, contentAttributes } = context;
  const updates = sortUpdates(view, notice.updates).map(update => renderUpdate(context, notice, update));
  return html`
    <article class="notice">
      ${renderBackLink(context)}
      ${renderNoticeStatus(context, notice)}
      <h1><span${contentAttributes}>${notice.subject}</span></h1>
      ${renderMaintenanceWindow(context, notice)}
      <ul class="facts">${listFacts(context, notice).map(fact => html`<li>${fact}</li>`)}</ul>
      ${renderAffectedComponents(context, notice)}
      ${renderPostmortem(context, notice)}
      <section aria-labelledby="updates">
        <h2 id="updates">${translator.t('notice.updates')}</h2>
        ${
          notice.updates.length
            ? html`<div class="updates">${updates}</div>`
            : html`<p class="quiet">${translator.t('notice.noUpdates')}</p>`
        }
        ${
          notice.omittedUpdates > 0 &&
          html`<p class="quiet">${translator.t('notice.earlierUpdates', { count: notice.omittedUpdates })}</p>`
        }
      </section>
      ${renderFollowLinks(context, notice)}
    </article>`;
}

/** As many components as the query of a link can name. */
const maxPreselected = 30;

/** While there is more to come: the form for messages about its components, and a feed with its updates. */
function renderFollowLinks({ view, translator, urlFor }: RenderContext, notice: NoticeView): Markup | null {
  if (notice.timelineState !== 'present' && notice.timelineState !== 'future') return null;
  const ids = notice.components.map(({ id }) => id).join();
  const components: Record<string, string> =
    ids && notice.components.length <= maxPreselected ? { components: ids } : {};
  const links = [
    ...(view.page.subscriptionOptions ?? []).map(method => [
      urlFor('subscribe', { by: method, ...components }),
      translator.t(methodLabels[method]),
    ]),
    ...feeds.map(([path, name]) => [urlFor(path, { notice: extractToken(notice.path) }), name]),
  ];
  return html`
    <nav aria-labelledby="follow">
      <h2 id="follow">${translator.t('notice.follow')}</h2>
      <ul class="links">${links.map(([url, name]) => html`<li><a href="${url}">${name}</a></li>`)}</ul>
    </nav>`;
}

/** Above the updates, which it sums up. */
function renderPostmortem(context: RenderContext, { postmortem }: NoticeView): Markup | null {
  if (!postmortem) return null;
  return html`
    <section aria-labelledby="postmortem">
      <h2 id="postmortem">${context.translator.t('notice.postmortem')}</h2>
      <div id="update-${postmortem.id}">
        ${renderWhen(context, postmortem)}
        ${renderUpdateContent(context, postmortem)}
        ${renderRevisions(context, postmortem)}
      </div>
    </section>`;
}

/** Begin, end and duration, or the duration so far. */
function listFacts(context: RenderContext, notice: NoticeView): Markup[] {
  const { type, beganAt, endedAt, nextUpdateBy, silentSince, createdAt, timelineState } = notice;
  const { translator } = context;
  if (type === 'general') return [renderLabelledTime(context, 'notice.published', createdAt)];
  const facts: Markup[] = [];
  if (beganAt) facts.push(renderLabelledTime(context, 'notice.started', beganAt));
  if (endedAt) facts.push(renderLabelledTime(context, 'notice.ended', endedAt));
  if (beganAt && endedAt) {
    const duration = translator.formatDuration(endedAt.getTime() - beganAt.getTime());
    facts.push(html`${translator.t('notice.duration', { duration })}`);
  }
  if (beganAt && timelineState === 'present') facts.push(renderDuration(context, 'notice.durationSoFar', beganAt));
  if (silentSince) facts.push(html`<strong>${renderDuration(context, 'notice.noUpdateFor', silentSince)}</strong>`);
  if (nextUpdateBy) facts.push(renderLabelledTime(context, 'notice.nextUpdate', nextUpdateBy));
  return facts;
}
