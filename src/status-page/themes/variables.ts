import { snakeCase } from '../../core/snake-case.js';
import { renderMarkdown } from '../../markdown/render.js';
import { colourOf, hexOf, readable, white } from '../../branding/contrast.js';
import { noticeAddress } from '../view/urls.js';
import type { ComponentView, NoticeView, PageView, UpdateView } from '../view/view.js';
import type { ToldMap, ToldMarkup } from './deserialize.js';

/** What a theme is handed beside the page itself. */
export interface Additions {
  /** HTML for the head and for the end of the body: analytics, live updates. */
  head?: string;
  body?: string;
  /** The ways to subscribe that a visitor has, by name: `email`, `sms`, `slack`, `microsoft_team`. */
  subscriptionOptions?: Record<string, { url: string; icon: string }>;
}

/** Deeper levels of components are not shown: templates call themselves for each. */
const deepestLevel = 50;

const markup = (html: string): ToldMarkup => ({ $markup: html });
const mapOf = (entries: [string, unknown][]): ToldMap => ({
  $pairs: entries.filter(([, value]) => value !== null && value !== undefined),
});
const moment = (date: Date | null) => date?.toISOString() ?? null;
const seconds = (from: Date | null, to: Date | null) =>
  from && to ? Math.round((to.getTime() - from.getTime()) / 1000) : null;

/**
 * The page as templates know it: plain data, without circles. What several things name is one object. A notice names its components with those below them;
 * the components of the page name their present notices.
 */
export function variablesOf(view: PageView, additions: Additions = {}): Record<string, unknown> {
  const { page, place } = view;
  const { notices, componentNotices } = tellNotices(view);
  return {
    page: {
      name: page.name,
      link: `${place.origin}${place.path}`.replace(/\/$/, ''),
      locale: view.locale,
      timezone: page.timezone,
      state: view.state,
      visible_to_search: page.visibleToSearch,
      meta_title: page.metaTitle ?? page.name,
      meta_description: page.metaDescription,
      website_url: null,
      terms_url: null,
      privacy_url: null,
      copyright: null,
      timeline_sort_order: page.timelineSortOrder,
      timeline_threshold_in_days: Math.floor(page.timelineThreshold / 86_400),
      content_for_head: markup(
        `${page.visibleToSearch ? '' : '<meta name="robots" content="noindex, nofollow">'}${additions.head ?? ''}`,
      ),
      content_for_body: markup(additions.body ?? ''),
      support: mapOf([
        ['email', page.supportEmail],
        ['telephone', page.supportTelephone],
        ['url', page.supportUrl],
      ]),
      social: mapOf([]),
      subscription_options: mapOf(Object.entries(additions.subscriptionOptions ?? {})),
      brand: tellBrand(view),
      components: { roots: view.components.map(component => tellComponent(component, componentNotices)) },
      notices,
      apologies: { current: notices.present, recent: notices.past_recent },
    },
    current_subscriber: null,
  };
}

function tellBrand({ brand }: PageView): Record<string, unknown> {
  const colours = Object.fromEntries(Object.entries(brand).map(([name, colour]) => [snakeCase(name), colour]));
  return {
    ...colours,
    color_state_info: brand.colorBodyLinks,
    color_state_alert: brand.colorStateWarning,
    color_navbar_button_text: hexOf(readable(colourOf(brand.colorNavbarButtonBackground), white)),
    // Themes ask for the thing itself before they print its `url`.
    logo: null,
    favicon: null,
    header_background: null,
  };
}

function tellNotices(view: PageView) {
  const components = new Map([...view.componentsById.values()].map(component => [component, tellNamed(component)]));
  for (const [{ children, depth }, told] of components)
    if (depth < deepestLevel) told.children.push(...children.map(child => components.get(child)!));
  const all = new Map(view.notices.map(notice => [notice, tellNotice(view, notice, components)]));
  const told = (notices: readonly NoticeView[]) => notices.map(notice => all.get(notice)!);
  const past = [...view.past, ...view.general].sort((one, other) => other.endedAt!.getTime() - one.endedAt!.getTime());
  const planned = ({ type }: NoticeView) => type === 'planned';
  return {
    notices: {
      present: told(view.present),
      future: told(view.future),
      past_recent: told(past.filter(({ timelineState }) => timelineState === 'past_recent')),
      past_distant: told(past.filter(({ timelineState }) => timelineState === 'past_distant')),
      planned: { present: told(view.present.filter(planned)), future: told(view.future.filter(planned)) },
      unplanned: { present: told(view.present.filter(notice => !planned(notice))) },
    },
    componentNotices: (component: ComponentView) => told(component.present),
  };
}

type Told = Record<string, unknown>;

const tellNamed = ({ id, name, description, state }: ComponentView) => ({
  id,
  name,
  description,
  state,
  children: [] as Told[],
});

function tellComponent(component: ComponentView, noticesOf: (component: ComponentView) => Told[]): Told {
  const children =
    component.depth < deepestLevel ? component.children.map(child => tellComponent(child, noticesOf)) : [];
  return { ...tellNamed(component), children, notices: { present: noticesOf(component) } };
}

function tellNotice(view: PageView, notice: NoticeView, components: ReadonlyMap<ComponentView, Told>): Told {
  const { beganAt, endedAt, beginsAt, endsAt } = notice;
  const link = noticeAddress(view, notice);
  const updates = view.page.timelineSortOrder === 'desc' ? notice.updates.toReversed() : notice.updates;
  return {
    id: notice.id,
    type: notice.type,
    state: notice.state ?? 'closed',
    timeline_state: notice.timelineState,
    subject: notice.subject,
    synopsis: notice.synopsis,
    description: notice.subject,
    link,
    began_at: moment(beganAt),
    ended_at: moment(endedAt),
    begins_at: moment(beginsAt),
    ends_at: moment(endsAt),
    expected_ended_at: moment(endsAt),
    closed_at: moment(endedAt),
    duration: seconds(beganAt, endedAt),
    expected_duration: seconds(beginsAt, endsAt),
    created_at: moment(notice.createdAt),
    updated_at: moment(notice.updatedAt),
    tag_list: notice.tags,
    updates: updates.map(update => tellUpdate(update, link)),
    components: notice.components.map(component => components.get(component)!),
  };
}

const tellUpdate = ({ id, content, createdAt }: UpdateView, link: string): Told => ({
  id,
  content: markup(renderMarkdown(content)),
  created_at: moment(createdAt),
  link: `${link}#update-${id}`,
});
