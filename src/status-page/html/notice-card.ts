import type { Translator } from '../../i18n/translator.js';
import { getShownImpact } from '../../notices/impact.rules.js';
import { findUniquePath } from '../view/component-path.js';
import type { NoticeView, PageView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';
import { renderDuration, renderLabelledTime, renderRelativeTime, renderTimeRange } from './time.js';
import { renderNoticeIcon, getTone } from './status-icons.js';
import { renderUpdates } from './notice-updates.js';
import { renderMoreLink } from './pager.js';

/** From this one on, open notices are folded to a row each. */
const maxUnfoldedNotices = 2;

/** Current notices: the body of the panel whose head is the banner. */
export function renderPresentNotices(context: RenderContext): Markup | null {
  const { view, translator } = context;
  if (!view.present.length) return null;
  return html`
    <section class="open" aria-labelledby="present">
      <h2 id="present" class="unseen">${translator.t('notice.present')}</h2>
      ${view.present.map((notice, index) =>
        index < maxUnfoldedNotices ? renderNoticeCard(context, notice) : renderFoldedNotice(context, notice),
      )}
      ${renderMoreLink(context, view.omitted.present, 'notices')}
    </section>`;
}

function renderNoticeCard(context: RenderContext, notice: NoticeView): Markup {
  return html`
    <article class="card edge ${getTone(notice)}">
      ${renderNoticeStatus(context, notice)}
      <h3>${renderNoticeLink(context, notice)}</h3>
      ${renderCardBody(context, notice)}
    </article>`;
}

/** Subject, icon, type, state and age in a row that unfolds to the rest of the card. */
function renderFoldedNotice(context: RenderContext, notice: NoticeView): Markup {
  const { beganAt, createdAt, subject } = notice;
  return html`
    <details class="card edge ${getTone(notice)}">
      <summary>
        <h3${context.contentAttributes}>${subject}</h3>
        ${renderNoticeStatus(context, notice)}
        <p class="when">${renderRelativeTime(context, beganAt ?? createdAt)}</p>
      </summary>
      <p class="when">${renderNoticeLink(context, notice)}</p>
      ${renderCardBody(context, notice)}
    </details>`;
}

const renderCardBody = (context: RenderContext, notice: NoticeView): Markup => html`
  ${renderTimes(context, notice)}
  ${renderNextUpdate(context, notice)}
  ${renderAffectedComponents(context, notice)}
  ${renderUpdates(context, notice)}`;

/** "Incident · Identified", with its icon. */
export function renderNoticeStatus({ translator }: RenderContext, notice: NoticeView): Markup {
  const labels = [translator.t(`state.${notice.type}`), notice.state && translator.t(`state.${notice.state}`)].filter(
    Boolean,
  );
  return html`<p class="words">${renderNoticeIcon(notice)}${labels.join(' · ')}</p>`;
}

export function renderNoticeLink({ urlFor, contentAttributes }: RenderContext, notice: NoticeView): Markup {
  return html`<a href="${urlFor(`notices/${notice.path}`)}"${contentAttributes}>${notice.subject}</a>`;
}

const minuteMs = 60_000;

function renderTimes(context: RenderContext, { type, beganAt, beginsAt, endsAt }: NoticeView): Markup {
  const window =
    type === 'planned' &&
    beginsAt &&
    endsAt &&
    html`<p class="window">${renderTimeRange(context, beginsAt, endsAt)}</p>`;
  if (!beganAt) return html`${window}`;
  const started = renderLabelledTime(context, 'notice.started', beganAt);
  const duration =
    context.view.now.getTime() - beganAt.getTime() >= minuteMs &&
    html`${renderDuration(context, 'notice.durationSoFar', beganAt)} · `;
  return html`${window}<p class="when">${duration}${started}</p>`;
}

/** "Next update by 20 Nov, 15:30 CET"; and "No update for 3 hours", where that is too long. */
export function renderNextUpdate(context: RenderContext, { nextUpdateBy, silentSince }: NoticeView): Markup {
  const next = nextUpdateBy && renderLabelledTime(context, 'notice.nextUpdate', nextUpdateBy);
  const silence = silentSince && html`<strong>${renderDuration(context, 'notice.noUpdateFor', silentSince)}</strong>`;
  return html`${[silence, next].map(line => line && html`<p class="when">${line}</p>`)}`;
}

/** Bounds the page size: a thousand notices may each name a thousand components. */
const maxChips = 30;

/** The components of a notice, each a link to its row in the component list. */
export function renderAffectedComponents(
  { view, translator, contentAttributes, componentsUrl }: RenderContext,
  notice: NoticeView,
): Markup | null {
  const { components } = notice;
  if (!components.length) return null;
  const chips = components.slice(0, maxChips).map(
    ({ id }) => html`
      <li><a href="${componentsUrl}#c${id}"><bdi${contentAttributes}>${formatName(view, id)}</bdi>${renderImpact(
        translator,
        notice,
        id,
      )}</a></li>`,
  );
  return html`
    <ul class="chips" aria-label="${translator.t('notice.affected')}">
      ${chips}
      ${components.length > maxChips && html`<li>+${components.length - maxChips}</li>`}
    </ul>`;
}

/** " · Major outage"; a maintenance has no impacts. */
function renderImpact({ t }: Translator, notice: NoticeView, componentId: number): Markup | null {
  return notice.type === 'unplanned' ? html` · ${t(`state.${getShownImpact(notice, componentId)}`)}` : null;
}

/** "Object storage › Frankfurt", and more of its parents where others are called so. */
const formatName = (view: PageView, id: number): string =>
  findUniquePath(view, view.componentsById.get(id)!, 2).join(' › ');
