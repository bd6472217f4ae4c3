import { snakeCase } from '../../core/snake-case.js';
import { renderMarkdown } from '../../content/markdown/render.js';
import { getBrandImagePath } from '../../pages/branding/brand-image.js';
import { imageTypes } from '../../pages/images/measure.js';
import { parseColour, toHex, chooseReadable, white } from '../../pages/branding/contrast.js';
import { toIso } from '../view/snapshot-times.js';
import { absoluteUrl, noticeUrl } from '../view/urls.js';
import {
  type ComponentView,
  getPastSpanMs,
  listUpdates,
  type NoticeView,
  type PageView,
  sortByEnd,
  sortUpdates,
  type UpdateView,
} from '../view/view.js';
import type { SerializedMap, SerializedHtml } from './deserialize.js';
import { serializeMetric } from './metric-variables.js';

export interface PageExtras {
  /** HTML for the head and for the end of the body: analytics, live updates. */
  head?: string;
  body?: string;
  /** The contact methods of subscribers, by name: `email`, `sms`. */
  subscriptionOptions?: Record<string, { url: string; icon: string }>;
}

const serializeHtml = (html: string): SerializedHtml => ({ $html: html });
const serializeMap = (entries: [string, unknown][]): SerializedMap => ({
  $pairs: entries.filter(([, value]) => value !== null && value !== undefined),
});
const secondsBetween = (from: Date | null, to: Date | null) =>
  from && to ? Math.round((to.getTime() - from.getTime()) / 1000) : null;

/**
 * The variables of the templates: plain data without cycles, in which shared objects stay shared. The components of a
 * notice contain their children; the components of the page contain their present notices.
 */
export function createVariables(view: PageView, extras: PageExtras = {}): Record<string, unknown> {
  const { page, mount } = view;
  const { notices, componentNotices } = serializeNotices(view);
  return {
    page: {
      name: page.name,
      link: `${mount.origin}${mount.path}`.replace(/\/$/, ''),
      locale: view.locale,
      timezone: page.timezone,
      state: view.state,
      visible_to_search: page.isVisibleToSearch,
      meta_title: page.metaTitle ?? page.name,
      meta_description: page.metaDescription,
      website_url: page.websiteUrl ?? null,
      terms_url: page.termsUrl ?? null,
      privacy_url: page.privacyUrl ?? null,
      copyright: `© ${page.name}`,
      timeline_sort_order: page.timelineSortOrder,
      timeline_threshold_in_days: Math.floor(getPastSpanMs(page) / 86_400_000),
      content_for_head: serializeHtml(
        `${page.isVisibleToSearch ? '' : '<meta name="robots" content="noindex, nofollow">'}${extras.head ?? ''}`,
      ),
      content_for_body: serializeHtml(extras.body ?? ''),
      support: serializeMap([
        ['email', page.supportEmail],
        ['telephone', page.supportTelephone],
        ['url', page.supportUrl],
      ]),
      social: serializeMap([]),
      subscription_options: serializeMap(Object.entries(extras.subscriptionOptions ?? {})),
      brand: serializeBrand(view),
      components: { roots: view.components.map(component => serializeComponent(component, componentNotices)) },
      notices,
      metrics: view.metrics.map(metric => serializeMetric(metric, view.readAt)),
      apologies: { current: notices.present.map(toApology), recent: notices.past_recent.map(toApology) },
    },
    current_subscriber: null,
  };
}

function serializeBrand({ brand, images, mount }: PageView): Record<string, unknown> {
  const colours = Object.fromEntries(Object.entries(brand).map(([name, colour]) => [snakeCase(name), colour]));
  return {
    ...colours,
    color_state_info: brand.colorBodyLinks,
    color_state_alert: brand.colorStateWarning,
    color_navbar_button_text: toHex(chooseReadable(parseColour(brand.colorNavbarButtonBackground), white)),
    // Present, since themes test the object before they print its `url`.
    logo: images.logo ? { url: `${mount.path}${getBrandImagePath('logo', images.logo)}` } : null,
    favicon: images.favicon
      ? {
          url: `${mount.path}${getBrandImagePath('favicon', images.favicon)}`,
          content_type: imageTypes[images.favicon.format],
        }
      : null,
    header_background: null,
  };
}

function serializeNotices(view: PageView) {
  const components = new Map(
    [...view.componentsById.values()].map(component => [component, serializeComponentFields(component)]),
  );
  for (const [{ children }, serialized] of components)
    serialized.children.push(...children.map(child => components.get(child)!));
  const serializedByNotice = new Map(view.notices.map(notice => [notice, serializeNotice(view, notice, components)]));
  const serialize = (notices: readonly NoticeView[]) => notices.map(notice => serializedByNotice.get(notice)!);
  const past = sortByEnd([...view.past, ...view.general]);
  const isPlanned = ({ type }: NoticeView) => type === 'planned';
  return {
    notices: {
      present: serialize(view.present),
      future: serialize(view.future),
      past_recent: serialize(past.filter(({ timelineState }) => timelineState === 'past_recent')),
      past_distant: serialize(past.filter(({ timelineState }) => timelineState === 'past_distant')),
      planned: { present: serialize(view.present.filter(isPlanned)), future: serialize(view.future.filter(isPlanned)) },
      unplanned: { present: serialize(view.present.filter(notice => !isPlanned(notice))) },
      omitted: serializeOmitted(view),
    },
    componentNotices: (component: ComponentView) => serialize(component.present),
  };
}

/** How many notices the lists lack, and where they are listed. */
const serializeOmitted = (view: PageView): Serialized => ({
  present: view.omitted.present,
  future: view.omitted.future,
  past: view.omitted.general + view.omitted.past,
  open_url: absoluteUrl(view, 'notices'),
  past_url: absoluteUrl(view, 'history'),
});

type Serialized = Record<string, unknown>;

const serializeComponentFields = ({ id, name, description, state, manual, upstream }: ComponentView) => ({
  id,
  name,
  description,
  state,
  manual_status: manual?.state ?? null,
  note: manual?.note ?? null,
  upstream_state: upstream?.isShown ? upstream.state : null,
  upstream_host: upstream?.isShown ? upstream.host : null,
  children: [] as Serialized[],
});

function serializeComponent(
  component: ComponentView,
  noticesOf: (component: ComponentView) => Serialized[],
): Serialized {
  const children = component.children.map(child => serializeComponent(child, noticesOf));
  return { ...serializeComponentFields(component), children, notices: { present: noticesOf(component) } };
}

function serializeNotice(
  view: PageView,
  notice: NoticeView,
  components: ReadonlyMap<ComponentView, Serialized>,
): Serialized {
  const { beganAt, endedAt, beginsAt, endsAt, nextUpdateBy, silentSince } = notice;
  const link = noticeUrl(view, notice);
  // Existing themes know no post-mortem: it is the last update.
  const updates = sortUpdates(view, listUpdates(notice));
  return {
    id: notice.id,
    type: notice.type,
    state: notice.state ?? 'closed',
    timeline_state: notice.timelineState,
    subject: notice.subject,
    synopsis: notice.synopsis,
    description: notice.subject,
    link,
    began_at: toIso(beganAt),
    ended_at: toIso(endedAt),
    begins_at: toIso(beginsAt),
    ends_at: toIso(endsAt),
    expected_ended_at: toIso(endsAt),
    closed_at: toIso(endedAt),
    duration: secondsBetween(beganAt, endedAt),
    expected_duration: secondsBetween(beginsAt, endsAt),
    next_update_by: toIso(nextUpdateBy),
    silent_since: toIso(silentSince),
    created_at: toIso(notice.createdAt),
    updated_at: toIso(notice.updatedAt),
    tag_list: notice.tags,
    updates: updates.map(update => serializeUpdate(update, link, view)),
    components: notice.named.map(component => components.get(component)!),
  };
}

/** Themes that use the legacy lists print `created_at` as the start, which is earlier for a back-dated notice. */
const toApology = (notice: Serialized): Serialized => ({
  ...notice,
  created_at: notice.began_at ?? notice.created_at,
});

const serializeUpdate = ({ id, content, postedAt }: UpdateView, link: string, { mount }: PageView): Serialized => ({
  id,
  content: serializeHtml(renderMarkdown(content, mount.path)),
  created_at: toIso(postedAt),
  link: `${link}#update-${id}`,
});
