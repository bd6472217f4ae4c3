import type {
  PublicRoute,
  RenderedResponse,
  Rendering,
  RouteParameters,
} from '../../src/status-page/routing/public-route.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import type { PageView } from '../../src/status-page/view/view.js';

/** The response of a route that renders without a promise. */
export function completeNow(rendering: Rendering): RenderedResponse | null {
  if (rendering instanceof Promise) throw new Error('the route waits for something');
  if (rendering === null || !('next' in rendering)) return rendering;
  for (;;) {
    const part = rendering.next();
    if (part.done) return part.value;
  }
}

/** Renders a route that must exist and render without a promise. */
export function renderResponse(
  view: PageView,
  route: PublicRoute = frontPage,
  { path = {}, query = {} }: Partial<RouteParameters> = {},
): RenderedResponse {
  const response = completeNow(route.render(view, { path, query }));
  if (!response) throw new Error(`no response of ${route.path}`);
  return response;
}

export const renderDocument = (view: PageView, route?: PublicRoute, parameters?: Partial<RouteParameters>): string =>
  String(renderResponse(view, route, parameters).body);

/** The text of an HTML document, without styles, scripts and tags, and with character references decoded. */
export function visibleText(html: string): string {
  return html
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof characterReferences) => characterReferences[name])
    .replace(/\s+/g, ' ')
    .trim();
}

const characterReferences = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
