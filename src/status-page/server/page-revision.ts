import { daysOfHistory } from '../view/history.js';
import { noticesAtMost } from '../view/snapshot.js';
import { LRUCache } from 'lru-cache';
import { publicAddress } from '../../core/config.js';
import { warmMarkdown } from '../../markdown/render.js';
import type { Locale } from '../../i18n/locales.js';
import type { Drawing } from './public-route.js';
import { faces } from './public-routes.js';
import { nextMove } from '../view/next-change.js';
import { type Packed, pack } from './compressed-response.js';
import type { Route } from './request-target.js';
import type { PageSnapshot } from '../view/snapshot.js';
import type { DrawnTheme } from '../themes/render.js';
import type { Dresser } from '../themes/theme-service.js';
import { type PageView, type Place, viewOf } from '../view/view.js';

/** A page is served on hosts of its own, and below a path for those who have no DNS to give it one. */
export type PlaceName = 'host' | 'path';

export interface Asking {
  place: PlaceName;
  route: Route;
  hits: number;
}

const rememberedAtMost = 1_000;

/** Drawings of all pages together, in bytes; the least asked for go first, and are drawn again when somebody asks. */
const drawings = new LRUCache<string, Packed>({ maxSize: 64 * 1024 * 1024, sizeCalculation: ({ size }) => size });

let made = 0;

/**
 * A page at one moment: a snapshot, and the drawings made of it so far. It never changes; when the page does, or when time moves something on it, another
 * takes its place.
 */
export class Site {
  private readonly number = ++made;
  private readonly pending = new Map<string, Promise<Packed | null>>();
  private readonly dresses = new Map<PlaceName, Promise<DrawnTheme | null>>();
  private readonly asked = new Map<string, Asking>();
  /** By what requests it was found: to be forgotten with it. */
  readonly words = new Set<string>();
  private here: PageView | undefined;
  private retired = false;
  /** When time moves something on the page, by this process's clock. */
  readonly until: number;

  constructor(
    readonly snapshot: PageSnapshot,
    /** The database's clock, as far as it is ahead of ours: milliseconds. */
    private readonly clockAhead: number,
    readonly staleSince: Date | null,
    private readonly dresser: Dresser,
    private readonly now = new Date(Date.now() + clockAhead),
  ) {
    this.until = nextMove(snapshot, now).getTime() - clockAhead;
  }

  get id(): string {
    return this.snapshot.page.id;
  }

  /** False once another took its place. */
  get current(): boolean {
    return !this.retired;
  }

  retire(): void {
    this.retired = true;
    for (const { place, route } of this.asked.values()) drawings.delete(this.keyOf(place, route));
  }

  /** What visitors ask of it: what its successor is to have ready. Returns the count, to be moved on by who finds the drawing elsewhere. */
  count(place: PlaceName, route: Route, hits = 1): Asking {
    const key = `${place} ${route.key}`;
    const asking = this.asked.get(key) ?? { place, route, hits: 0 };
    asking.hits += hits;
    this.asked.set(key, asking);
    // Anybody may ask for anything: what was asked first is forgotten.
    if (this.asked.size > rememberedAtMost) this.asked.delete(this.asked.keys().next().value!);
    return asking;
  }

  /** The page itself before all else. */
  mostAsked(many: number): Asking[] {
    const isFront = ({ route }: Asking) => Number(route.face.path === '');
    return [...this.asked.values()]
      .sort((one, other) => isFront(other) - isFront(one) || other.hits - one.hits)
      .slice(0, many);
  }

  /** The same page at this moment. */
  later(staleSince = this.staleSince): Site {
    return new Site(this.snapshot, this.clockAhead, staleSince, this.dresser);
  }

  /** The bytes; null where the face shows nothing. `more` reads what the snapshot does not bring. */
  draw(
    place: PlaceName,
    route: Route,
    more: (needs: { month: string } | { token: string }) => Promise<PageSnapshot | null>,
  ): Promise<Packed | null> {
    const key = this.keyOf(place, route);
    const held = drawings.get(key);
    if (held) return Promise.resolve(held);
    let drawing = this.pending.get(key);
    if (!drawing) {
      drawing = this.make(place, route, more)
        .then(packed => {
          if (packed) drawings.set(key, packed);
          return packed;
        })
        .finally(() => this.pending.delete(key));
      this.pending.set(key, drawing);
    }
    return drawing;
  }

  /** All addresses that the page has at this place, without those that a query makes. */
  async addresses(place: PlaceName): Promise<string[]> {
    const [view, dress] = [this.view(place, null), await this.dress(place)];
    return faces.flatMap(face => (face.path.includes(':') ? (face.addresses?.(view, dress) ?? []) : [face.path]));
  }

  private keyOf(place: PlaceName, { key }: Route): string {
    return `${this.number} ${place} ${key}`;
  }

  private async make(place: PlaceName, route: Route, more: Parameters<Site['draw']>[2]): Promise<Packed | null> {
    const needs = route.face.needs?.(route.asked);
    const elsewhere = needs && !this.brings(needs) ? await more(needs) : null;
    const view = elsewhere
      ? this.seenFrom(this.viewOf(elsewhere), place, route.locale)
      : this.view(place, route.locale);
    // What is shown for the first time is rendered text by text, so that others are answered in between.
    const shown = [view.present, view.future, view.general, view.past].flat();
    await warmMarkdown(shown.flatMap(({ updates }) => updates.map(({ content }) => content)));
    const drawing: Drawing | null = await route.face.draw(
      view,
      route.asked,
      route.face.isThemed ? await this.dress(place) : null,
    );
    return drawing && pack(drawing, this.snapshot.page.visibleToSearch ? {} : { 'X-Robots-Tag': 'noindex, nofollow' });
  }

  /** Once for all that is drawn of this moment. A theme speaks the language of the page. */
  private dress(place: PlaceName): Promise<DrawnTheme | null> {
    if (this.snapshot.themeVersion === null) return Promise.resolve(null);
    let dress = this.dresses.get(place);
    if (!dress) {
      dress = this.dresser.dress(this.view(place, null), this.snapshot.themeVersion);
      this.dresses.set(place, dress);
    }
    return dress;
  }

  /** Whether the recent notices are all that is needed. */
  private brings(needs: { month: string } | { token: string }): boolean {
    const { notices } = this.snapshot;
    if ('token' in needs) return notices.some(({ path }) => path.startsWith(needs.token));
    // What ended within the days of the history is there, unless there was too much of it.
    const oldest = new Date(this.now.getTime() - daysOfHistory * 86_400_000).toISOString().slice(0, 7);
    return needs.month > oldest && notices.length < noticesAtMost;
  }

  /** The page as it is at this moment, in a language; null is its own. */
  view(place: PlaceName, locale: Locale | null): PageView {
    this.here ??= this.viewOf(this.snapshot);
    return this.seenFrom(this.here, place, locale);
  }

  private viewOf(snapshot: PageSnapshot): PageView {
    return viewOf(snapshot, {
      now: this.now,
      locale: snapshot.page.locale,
      place: placeOf(snapshot, 'host'),
      staleSince: this.staleSince,
    });
  }

  /** Neither where it is served nor in which language changes anything else of it: all that is large is made once. */
  private seenFrom(view: PageView, place: PlaceName, locale: Locale | null): PageView {
    return { ...view, locale: locale ?? view.locale, place: placeOf(this.snapshot, place) };
  }
}

const { scheme, baseHost, port, origin } = publicAddress();

function placeOf({ page: { id, domain } }: PageSnapshot, place: PlaceName): Place {
  const own = domain ? `https://${domain}` : `${scheme}://${id}.${baseHost}${port}`;
  return {
    origin: place === 'host' ? own : origin,
    path: place === 'host' ? '/' : `/status/${id}/`,
    canonical: `${own}/`,
  };
}
