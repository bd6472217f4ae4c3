import type { StatuspageRoute } from './route.js';
import { Fields, pagingNames } from './fields.js';

const StatuspagePage = /* GraphQL */ `
  fragment StatuspagePage on Page { id name url timezone createdAt updatedAt }`;

interface PageRecord {
  id: string;
  name: string;
  url: string;
  timezone: string;
  createdAt: string;
  updatedAt: string;
}

const renderPage = ({ id, name, url, timezone, createdAt, updatedAt }: PageRecord) => ({
  id,
  name,
  url,
  time_zone: timezone,
  created_at: createdAt,
  updated_at: updatedAt,
});

const ListPages = /* GraphQL */ `
  query ListStatuspagePages($number: Int, $perPage: Int) {
    result: pages(page: $number, perPage: $perPage) { nodes { ...StatuspagePage } }
  }
  ${StatuspagePage}`;

export const RetrievePage = /* GraphQL */ `
  query RetrieveStatuspagePage($page: ID!) { result: page(id: $page) { ...StatuspagePage } }
  ${StatuspagePage}`;

export const pageDocuments = [ListPages, RetrievePage];

export const pageRoutes: readonly StatuspageRoute[] = [
  {
    method: 'GET',
    path: '/pages',
    priority: 'list',
    query: pagingNames,
    async handle({ query, run }) {
      const { page: number, perPage } = new Fields(query).paging();
      return (await run<{ nodes: PageRecord[] }>(ListPages, { number, perPage })).nodes.map(renderPage);
    },
  },
  {
    method: 'GET',
    path: '/pages/:page',
    priority: 'read',
    handle: async ({ path: { page }, run }) => renderPage(await run<PageRecord>(RetrievePage, { page })),
  },
];
