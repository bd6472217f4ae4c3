import { publicRoutes } from '../../src/status-page/server/public-routes.js';
import type { TestService } from './service.js';

/** What no visitor without access may find in any response of a private page. */
export const privateWords = ['Kraken', 'Leviathan', 'abyss', 'harbour-help'];

/** A value for the parameters of each route that has some. A new route needs a line here. */
const parameters: Record<string, (notice: { id: number; path: string }) => string[]> = {
  'brand/:hash/:name': () => ['abcdef', 'logo.svg'],
  'images/:name': () => ['0123456789abcdef-20x10.png'],
  'history/:month': () => [new Date().toISOString().slice(0, 7)],
  'history/:month/statistics.json': () => [new Date().toISOString().slice(0, 7)],
  'notices/:notice': ({ path }) => [path],
  'incidents/:notice': ({ id }) => [String(id)],
  'incident/:notice': ({ id }) => [String(id)],
  'maintenance/:notice': ({ id }) => [String(id)],
  'schedules/:notice': ({ id }) => [String(id)],
  'status/:slug/rss': () => ['meridian'],
  'theme/:hash/:name': () => ['abcdef', 'style.css'],
  'api/v1/notices/:notice': ({ id }) => [String(id)],
};

/** The paths of all routes of a page, from the table of routes. */
export const listRoutePaths = (notice: { id: number; path: string }): string[] =>
  publicRoutes.flatMap(({ path, aliases = [] }) =>
    [path, ...aliases].map(one => {
      if (!one.includes(':')) return one;
      const fill = parameters[path];
      if (!fill) throw new Error(`The test has no parameters for the route ${path}.`);
      const values = fill(notice);
      return one.replace(/:\w+/g, () => values.shift()!);
    }),
  );

/** The routes that answer each visitor anew. */
export const uncachedPaths = [
  'events',
  'events?after=1',
  'subscribe',
  'subscribe?by=sms',
  'confirm',
  'preferences',
  'access',
  'access?enter=1',
  'confirm/x.y.z.aaaaaaaaaaaaaaaaaaaaaa',
  'unsubscribe/x',
  'preferences/x',
  'preferences/request/x',
  'access?code=x.y.z',
  '?key=x.y.z',
  'feed.atom?key=x',
  'missing',
  'og.png?major-outage',
  'widget.json?component=1',
];

export interface PrivatePage {
  id: string;
  host: string;
  notice: { id: number; path: string };
  component: { id: number };
}

/** Creates a page with words that are private. */
export async function createPrivatePage(
  { post, graphql }: Pick<TestService, 'post' | 'graphql'>,
  input: object,
  settings: object = {},
): Promise<PrivatePage> {
  const page = (
    await post('/v1/pages', {
      name: 'Meridian',
      support_email: 'harbour-help@example.com',
      meta_description: 'All about the Kraken',
      ...settings,
    })
  ).json.response;
  const component = (await post(`/v1/pages/${page.id}/components`, { name: 'Kraken' })).json.response;
  const notice = (
    await post(`/v1/pages/${page.id}/notices`, {
      subject: 'Leviathan is slow',
      initial_comment: 'It is in the abyss.',
      component_ids: [component.id],
    })
  ).json.response;
  const result = { id: page.id, host: `${page.id}.localhost`, component };
  const path = new URL(notice.link).pathname.split('/').at(-1)!;
  await setVisibility({ graphql }, page.id, input);
  return { ...result, notice: { id: notice.id, path } };
}

export async function setVisibility({ graphql }: Pick<TestService, 'graphql'>, pageId: string, input: object) {
  const { json } = await graphql(
    `mutation($pageId: ID!, $input: SetPageVisibilityInput!) {
      setPageVisibility(pageId: $pageId, input: $input) { page { visibility emailDomains } }
    }`,
    { pageId, input },
  );
  return json;
}
