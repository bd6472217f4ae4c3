import { invalid, notFound } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { Fields, pagingNames } from './fields.js';
import { RetrievePage } from './pages.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';

/** The one provider of each page: All Clear fetches no values from other services. */
export const providerId = 'self';

async function retrieve({ path: { page }, run }: StatuspageRequest, id: string = providerId) {
  const { createdAt, updatedAt } = await run<{ createdAt: string; updatedAt: string }>(RetrievePage, { page });
  if (id !== providerId) throw notFound('metric');
  return {
    id,
    page_id: page,
    type: 'Self',
    disabled: false,
    metric_base_uri: null,
    last_revalidated_at: null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** A provider that would never have values is refused, in place of a metric that stays empty. */
function refuseOthers({ input }: StatuspageRequest): void {
  const type = new Fields(input).text('type')?.trim() || 'Self';
  const reason = 'is not taken: no values are fetched from other services. Use the type Self, and send the values';
  if (type.toLowerCase() !== 'self') throw invalid({ type: [problems.unusable(reason)] });
}

const list = '/pages/:page/metrics_providers';
const item = `${list}/:id`;
const written = { priority: 'write', record: 'metrics_provider', fields: ['type'] } as const;

export const metricProviderRoutes: readonly StatuspageRoute[] = [
  {
    method: 'GET',
    path: list,
    priority: 'list',
    query: pagingNames,
    handle: async request => (new Fields(request.query).paging().page === 1 ? [await retrieve(request)] : []),
  },
  {
    method: 'POST',
    path: list,
    ...written,
    async handle(request) {
      refuseOthers(request);
      return retrieve(request);
    },
  },
  { method: 'GET', path: item, priority: 'read', handle: request => retrieve(request, request.path.id) },
  {
    method: 'PATCH',
    path: item,
    ...written,
    async handle(request) {
      const record = await retrieve(request, request.path.id);
      refuseOthers(request);
      return record;
    },
  },
  { method: 'DELETE', path: item, priority: 'write', handle: request => retrieve(request, request.path.id) },
];
