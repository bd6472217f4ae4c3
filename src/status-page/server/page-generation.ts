import type { PublicUrl } from '../../core/config.js';
import type { Locale } from '../../i18n/locales.js';
import { warmMarkdown } from '../../content/markdown/render.js';
import { completeRendering, mayBeThemed, type RenderedTheme } from '../routing/public-route.js';
import type { ThemeService } from '../themes/theme-service.js';
import type { RequiredImage } from '../view/load-image.js';
import type { RequiredNotices } from '../view/load-notices.js';
import { getMount, type MountType } from '../view/mount.js';
import { nextChange } from '../view/next-change.js';
import type { NoticeSlice, PageSnapshot, SnapshotPage } from '../view/snapshot.js';
import { findOmittedLists } from '../view/urls.js';
import { buildView, withSlice } from '../view/build-view.js';
import { listTexts, type PageView } from '../view/view.js';
import { type CompressedResponse, compressResponse } from './compressed-response.js';
import type { RouteMatch } from './match-route.js';
import { publicRoutes } from './public-routes.js';

export interface GenerationDependencies {
  publicUrl: PublicUrl;
  themes: ThemeService;
  /** Loads notices that the snapshot of the page lacks; null where that is not possible. */
  loadNotices(page: SnapshotPage, required: RequiredNotices): Promise<NoticeSlice | null>;
  /** Loads an image of the brand; null where that is not possible. */
  loadImage(pageId: string, required: RequiredImage): Promise<Buffer | null>;
  /** Renders an SVG as PNG in its own size. */
  renderSocialImage(svg: string): Promise<Buffer>;
}

interface GenerationTimes {
  /** How far the database's clock is ahead of this process's clock. */
  clockOffsetMs: number;
  /** Since when the page may be out of date; null while it is up to date. */
  staleSince: Date | null;
  /** The moment that the page shows, by the database's clock. */
  now?: Date;
  /** The generation that this one supersedes. */
  previous?: PageGeneration;
}

/**
 * A page at one moment: it renders every response from one snapshot.
 * It is immutable: when the page changes, or when time alone changes what it shows, a new generation supersedes it.
 */
export class PageGeneration {
  readonly staleSince: Date | null;
  /** In milliseconds of this process's clock, as `retryThemeAt`. */
  private readonly changeAt: number;
  private retryThemeAt = Number.POSITIVE_INFINITY;
  private readonly clockOffsetMs: number;
  private readonly now: Date;
  private readonly themes = new Map<MountType, Promise<RenderedTheme | null>>();
  private readonly renderedThemes = new Map<MountType, RenderedTheme>();
  /** Without the previous generation itself, which would hold all generations in memory. */
  private readonly previousThemes: ReadonlyMap<MountType, RenderedTheme> | undefined;
  private hostView: PageView | undefined;

  constructor(
    readonly snapshot: PageSnapshot,
    private readonly dependencies: GenerationDependencies,
    { clockOffsetMs, staleSince, now = new Date(Date.now() + clockOffsetMs), previous }: GenerationTimes,
  ) {
    this.previousThemes = previous?.renderedThemes;
    this.clockOffsetMs = clockOffsetMs;
    this.staleSince = staleSince;
    this.now = now;
    this.changeAt = nextChange(snapshot, now).getTime() - clockOffsetMs;
  }

  /** When time alone changes the page next, or its theme is tried again, in milliseconds of this process's clock. */
  get nextChangeAt(): number {
    return Math.min(this.changeAt, this.retryThemeAt);
  }

  /** Changes with what is on the page, and not with time. Empty: unknown. */
  get changeId(): string {
    return String(this.snapshot.changeCount ?? '');
  }

  get id(): string {
    return this.snapshot.page.id;
  }

  /** Whether visitors have to prove that they may see the page. */
  get isPrivate(): boolean {
    return this.snapshot.page.access != null;
  }

  get hasTheme(): boolean {
    return this.snapshot.themeVersion !== null;
  }

  /** A generation of the same snapshot at the present moment. */
  renew(staleSince: Date | null): PageGeneration {
    const { snapshot, dependencies, clockOffsetMs } = this;
    return new PageGeneration(snapshot, dependencies, { clockOffsetMs, staleSince, previous: this });
  }

  /** Null: not found. */
  async render(mountType: MountType, { route, parameters, locale }: RouteMatch): Promise<CompressedResponse | null> {
    const ownView = this.getView(mountType, locale);
    const required = route.requiredNotices?.(parameters, ownView);
    const slice = required && (await this.dependencies.loadNotices(this.snapshot.page, required));
    const view = slice ? withSlice(ownView, slice) : ownView;
    // Markdown is rendered text by text beforehand, so that other requests are answered in between.
    const notices = slice ? view.notices : [view.present, view.future, view.general, view.past].flat();
    const hasTexts = route.hasTexts ?? (route.isThemed && this.hasTheme);
    const release = await warmMarkdown(hasTexts ? notices.flatMap(listTexts) : []);
    try {
      return await this.renderRoute(mountType, { route, parameters }, view, slice ? {} : linkTo(view));
    } finally {
      release();
    }
  }

  private async renderRoute(
    mountType: MountType,
    { route, parameters }: Pick<RouteMatch, 'route' | 'parameters'>,
    view: PageView,
    links: Record<string, string>,
  ): Promise<CompressedResponse | null> {
    const theme = mayBeThemed(route, parameters) ? await this.renderTheme(mountType) : null;
    const requiredImage = route.requiredImage?.(parameters, view);
    const image = requiredImage ? await this.dependencies.loadImage(this.id, requiredImage) : null;
    const rendered = await completeRendering(route.render(view, parameters, theme, image));
    const response =
      route.isRasterized && rendered
        ? { ...rendered, body: await this.dependencies.renderSocialImage(String(rendered.body)) }
        : rendered;
    return response && compressResponse(response, { ...this.commonHeaders, ...links }, this.isPrivate);
  }

  /**
   * The page with its name and design, and nothing that is on it: what visitors see who may not see a private page.
   * Built from a snapshot without contents, so that nothing has to be left out when it is rendered.
   */
  withoutContent(): PageGeneration {
    const { page, brand, readAt } = this.snapshot;
    const { id, name, timezone, zone, locale, access, domain, createdAt } = page;
    const shown: SnapshotPage = {
      id,
      name,
      timezone,
      zone,
      locale,
      access,
      domain,
      createdAt,
      updatedAt: createdAt,
      supportEmail: null,
      supportTelephone: null,
      supportUrl: null,
      subscriptionOptions: [],
      isVisibleToSearch: false,
      metaTitle: null,
      metaDescription: null,
      vendorAnalyticsId: null,
      timelineThresholdSeconds: page.timelineThresholdSeconds,
      timelineSortOrder: 'asc',
      shouldShowUptime: false,
    };
    const snapshot: PageSnapshot = {
      readAt,
      page: shown,
      brand,
      images: {},
      components: [],
      notices: [],
      themeVersion: null,
    };
    const { clockOffsetMs, now } = this;
    return new PageGeneration(snapshot, this.dependencies, { clockOffsetMs, staleSince: null, now });
  }

  /** The view of the page at this moment, in a language; null is the page's own. */
  getView(mountType: MountType, locale: Locale | null): PageView {
    this.hostView ??= this.buildHostView();
    return this.withMount(this.hostView, mountType, locale);
  }

  /** All paths of the page at this mount, without query parameters. */
  async listPaths(mountType: MountType): Promise<string[]> {
    const view = this.getView(mountType, null);
    const theme = await this.renderTheme(mountType);
    return publicRoutes.flatMap(route =>
      route.path.includes(':') ? (route.listPaths?.(view, theme) ?? []) : [route.path],
    );
  }

  private get commonHeaders(): Record<string, string> {
    return this.snapshot.page.isVisibleToSearch ? {} : { 'X-Robots-Tag': 'noindex, nofollow' };
  }

  /** Rendered once per mount, in the page's own language: a theme renders all its templates together. */
  private renderTheme(mountType: MountType): Promise<RenderedTheme | null> {
    const { themeVersion } = this.snapshot;
    if (themeVersion === null) return Promise.resolve(null);
    let theme = this.themes.get(mountType);
    if (!theme) {
      theme = this.tryTheme(mountType, themeVersion);
      this.themes.set(mountType, theme);
    }
    return theme;
  }

  private async tryTheme(mountType: MountType, version: string): Promise<RenderedTheme | null> {
    const last = this.previousThemes?.get(mountType) ?? null;
    const { theme, retryAt } = await this.dependencies.themes.render(this.getView(mountType, null), version, last);
    if (theme) this.renderedThemes.set(mountType, theme);
    if (retryAt !== null) this.retryThemeAt = Math.min(this.retryThemeAt, retryAt);
    return theme;
  }

  private buildHostView(): PageView {
    return buildView(this.snapshot, {
      now: this.now,
      locale: this.snapshot.page.locale,
      mount: this.getMount('host'),
      staleSince: this.staleSince,
    });
  }

  /** Mount and locale change nothing else of a view, so its large parts are computed once and shared. */
  private withMount(view: PageView, mountType: MountType, locale: Locale | null): PageView {
    return { ...view, locale: locale ?? view.locale, mount: this.getMount(mountType) };
  }

  private getMount = (mountType: MountType) => getMount(this.snapshot.page, mountType, this.dependencies.publicUrl);
}

/** Formats that have no place for a link have it in a header (RFC 8288), which scripts of other origins may read. */
function linkTo(view: PageView): Record<string, string> {
  const links = findOmittedLists(view).map(({ url }) => `<${url}>; rel="related"`);
  return links.length ? { Link: links.join(', '), 'Access-Control-Expose-Headers': 'Link' } : {};
}
