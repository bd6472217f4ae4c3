import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { Fields, pagingNames } from './fields.js';

const StatuspagePage = /* GraphQL */ `
  fragment StatuspagePage on Page { id name url websiteUrl timezoneName isVisibleToSearch createdAt updatedAt }`;

interface PageRecord {
  id: string;
  name: string;
  url: string;
  websiteUrl: string | null;
  timezoneName: string;
  isVisibleToSearch: boolean;
  createdAt: string;
  updatedAt: string;
}

/** `url` is the website that the page belongs to; its own address where it has none. */
const renderPage = (record: PageRecord) => ({
  id: record.id,
  name: record.name,
  subdomain: record.id,
  url: record.websiteUrl ?? record.url,
  time_zone: record.timezoneName,
  hidden_from_search: !record.isVisibleToSearch,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

const ListPages = /* GraphQL */ `
  query ListStatuspagePages($number: Int, $perPage: Int) {
    result: pages(page: $number, perPage: $perPage) { nodes { ...StatuspagePage } }
  }
  ${StatuspagePage}`;

export const RetrievePage = /* GraphQL */ `
  query RetrieveStatuspagePage($page: ID!) { result: page(id: $page) { ...StatuspagePage } }
  ${StatuspagePage}`;

const UpdatePage = /* GraphQL */ `
  mutation UpdateStatuspagePage($page: ID!, $input: UpdatePageInput!) {
    result: updatePage(id: $page, input: $input) { page { ...StatuspagePage } }
  }
  ${StatuspagePage}`;

export const pageDocuments = [ListPages, RetrievePage, UpdatePage];

function readInput({ input, warnings }: StatuspageRequest) {
  const fields = new Fields(input, warnings);
  const isHidden = fields.flag('hidden_from_search');
  return {
    name: fields.text('name'),
    websiteUrl: fields.text('url'),
    timezone: fields.text('time_zone'),
    isVisibleToSearch: isHidden === undefined ? undefined : !isHidden,
  };
}

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
  {
    method: 'PATCH',
    path: '/pages/:page',
    priority: 'write',
    record: 'page',
    fields: ['name', 'url', 'time_zone', 'hidden_from_search'],
    async handle(request) {
      const { page: id } = request.path;
      const { page } = await request.run<{ page: PageRecord }>(UpdatePage, { page: id, input: readInput(request) });
      return renderPage(page);
    },
  },
];
