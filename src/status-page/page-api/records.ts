import { getTranslator } from '../../i18n/translator.js';
import { renderMarkdown } from '../../content/markdown/render.js';
import { computeDisplayedStates, type DisplayedState } from '../html/status-icons.js';
import { bannerText } from '../view/banner-text.js';
import { findLatestChange } from '../view/latest-change.js';
import { toIso } from '../view/snapshot-times.js';
import { absoluteUrl, noticeUrl, pageUrl } from '../view/urls.js';
import { type ComponentView, listUpdates, type NoticeView, type PageView, type UpdateView } from '../view/view.js';

/** Readers know these three only: what an incident affects in part is degraded, too. */
type ApiState = 'operational' | 'degraded' | 'under_maintenance';

/** The states of components, and those of the banner. */
const apiStates: Record<DisplayedState, ApiState> = {
  operational: 'operational',
  unknown: 'degraded',
  maintenance: 'under_maintenance',
  'partially-degraded': 'degraded',
  degraded: 'degraded',
  'partial-outage': 'degraded',
  'major-outage': 'degraded',
};

export const apiPath = ({ mount }: Pick<PageView, 'mount'>, name: string): string => `${mount.path}api/v1/${name}`;

export function toApiPage(view: PageView) {
  const { page, banner, componentsById, notices } = view;
  return {
    name: page.name,
    state: apiStates[banner.kind],
    state_text: bannerText(banner, getTranslator(view.locale)),
    url: pageUrl(view),
    links: {
      components: { href: apiPath(view, 'components'), count: componentsById.size },
      notices: { href: apiPath(view, 'notices'), count: notices.length },
    },
    created_at: page.createdAt,
    updated_at: findLatestChange(view).toISOString(),
  };
}

export function createComponentSerializer(view: PageView) {
  const states = computeDisplayedStates(view);
  return ({ id, name, description, parent, position, createdAt, updatedAt }: ComponentView) => ({
    id,
    state: apiStates[states.get(id) ?? 'operational'],
    name,
    description,
    parent_id: parent?.id ?? null,
    position,
    created_at: createdAt,
    updated_at: updatedAt,
  });
}

export function toApiNotice(notice: NoticeView, view: PageView) {
  const { id, type, state, timelineState, subject } = notice;
  const latest = notice.updates.at(-1);
  return {
    id,
    type,
    state,
    timeline_state: timelineState,
    subject,
    url: noticeUrl(view, notice),
    began_at: toIso(notice.beganAt),
    ended_at: toIso(notice.endedAt),
    begins_at: toIso(notice.beginsAt),
    ends_at: toIso(notice.endsAt),
    // Readers of earlier versions do not know it.
    ...(notice.nextUpdateBy && { next_update_by: toIso(notice.nextUpdateBy) }),
    created_at: toIso(notice.createdAt),
    updated_at: toIso(notice.updatedAt),
    latest_update: latest
      ? {
          state: latest.state,
          content: renderMarkdown(latest.content, absoluteUrl(view, '')),
          created_at: toIso(latest.createdAt),
        }
      : null,
  };
}

/** With the components that the notice names, and its updates, oldest first, the post-mortem last. */
export function toDetailedApiNotice(notice: NoticeView, view: PageView) {
  return {
    ...toApiNotice(notice, view),
    components: notice.components.map(createComponentSerializer(view)),
    updates: listUpdates(notice).map(update => toApiUpdate(update, view)),
  };
}

const toApiUpdate = ({ id, state, content, createdAt, updatedAt }: UpdateView, view: PageView) => ({
  id,
  state,
  content: renderMarkdown(content, absoluteUrl(view, '')),
  created_at: toIso(createdAt),
  updated_at: toIso(updatedAt),
});
