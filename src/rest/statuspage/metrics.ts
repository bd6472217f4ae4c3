import { invalid } from '../../core/errors.js';
import type { Metadata } from '../../pages/metadata.js';
import { problems } from '../../core/problems.js';
import { retryChange } from './attempts.js';
import { Fields, pagingNames } from './fields.js';
import { metricDataRoutes, metricDataDocuments } from './metric-data.js';
import { providerId } from './metric-providers.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { changeMetadata, readChanges, renderStored, type StoredFields } from './stored-fields.js';

const StatuspageMetric = /* GraphQL */ `
  fragment StatuspageMetric on Metric {
    id name unit decimalPlaces isShown latestValueAt version metadata createdAt updatedAt
    page { id }
  }`;

interface MetricRecord {
  id: number;
  name: string;
  unit: string | null;
  decimalPlaces: number;
  isShown: boolean;
  latestValueAt: string | null;
  version: number;
  metadata: Metadata | null;
  createdAt: string;
  updatedAt: string;
  page: { id: string };
}

const axis = 'the axis follows from the values';

const storedFields: StoredFields = {
  metric_identifier: { type: 'shortText', fallback: '' },
  transform: { type: 'shortText', fallback: null, instead: 'values are kept as they are sent' },
  y_axis_min: { type: 'number', fallback: 0, instead: axis },
  y_axis_max: { type: 'number', fallback: 0, instead: axis },
  y_axis_hidden: { type: 'flag', fallback: false, instead: 'the page always shows it' },
  tooltip_description: { type: 'shortText', fallback: '', instead: 'the page does not show it' },
};

const renderMetric = (record: MetricRecord) => ({
  id: String(record.id),
  page_id: record.page.id,
  metrics_provider_id: providerId,
  metrics_display_id: String(record.id),
  name: record.name,
  suffix: record.unit ?? '',
  display: record.isShown,
  decimal_places: record.decimalPlaces,
  ...renderStored(storedFields, record),
  backfilled: false,
  most_recent_data_at: record.latestValueAt,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

const ListMetrics = /* GraphQL */ `
  query ListStatuspageMetrics($page: ID!, $number: Int, $perPage: Int) {
    result: metrics(pageId: $page, page: $number, perPage: $perPage) { nodes { ...StatuspageMetric } }
  }
  ${StatuspageMetric}`;

const RetrieveMetric = /* GraphQL */ `
  query RetrieveStatuspageMetric($page: ID!, $id: ID!) {
    result: metric(pageId: $page, id: $id) { ...StatuspageMetric }
  }
  ${StatuspageMetric}`;

const CreateMetric = /* GraphQL */ `
  mutation CreateStatuspageMetric($page: ID!, $input: CreateMetricInput!) {
    result: createMetric(pageId: $page, input: $input) { metric { ...StatuspageMetric } }
  }
  ${StatuspageMetric}`;

const UpdateMetric = /* GraphQL */ `
  mutation UpdateStatuspageMetric($page: ID!, $id: ID!, $version: [Int!], $input: UpdateMetricInput!) {
    result: updateMetric(pageId: $page, id: $id, ifVersion: $version, input: $input) {
      metric { ...StatuspageMetric }
    }
  }
  ${StatuspageMetric}`;

const DeleteMetric = /* GraphQL */ `
  mutation DeleteStatuspageMetric($page: ID!, $id: ID!) { result: deleteMetric(pageId: $page, id: $id) { deletedId } }`;

export const metricDocuments = [
  ListMetrics,
  RetrieveMetric,
  CreateMetric,
  UpdateMetric,
  DeleteMetric,
  ...metricDataDocuments,
];

interface Payload {
  metric: MetricRecord;
}

const fieldNames = ['name', 'suffix', 'display', 'decimal_places', ...Object.keys(storedFields)];

function readInput({ input, warnings }: StatuspageRequest, current: MetricRecord | null) {
  const fields = new Fields(input, warnings);
  const decimalPlaces = fields.number('decimal_places');
  return {
    name: fields.text('name'),
    unit: fields.text('suffix'),
    isShown: fields.flag('display'),
    decimalPlaces: decimalPlaces === undefined ? undefined : Math.trunc(decimalPlaces),
    metadata: changeMetadata(current, readChanges(fields, storedFields, current)),
  };
}

const read = ({ path: { page, id }, run }: StatuspageRequest) => run<MetricRecord>(RetrieveMetric, { page, id });

async function listMetrics({ path: { page }, query, run }: StatuspageRequest) {
  const { page: number, perPage } = new Fields(query).paging();
  const { nodes } = await run<{ nodes: MetricRecord[] }>(ListMetrics, { page, number, perPage });
  return nodes.map(renderMetric);
}

const list = '/pages/:page/metrics';
const item = `${list}/:id`;
const listOfProvider = '/pages/:page/metrics_providers/:id/metrics';
const written = { priority: 'write', record: 'metric', fields: fieldNames } as const;

export const metricRoutes: readonly StatuspageRoute[] = [
  ...metricDataRoutes,
  { method: 'GET', path: list, priority: 'list', query: pagingNames, handle: listMetrics },
  { method: 'GET', path: listOfProvider, priority: 'list', query: pagingNames, handle: listMetrics },
  {
    method: 'POST',
    path: listOfProvider,
    ...written,
    async handle(request) {
      const { page, id } = request.path;
      if (id !== providerId) throw invalid({ metrics_provider_id: [problems.unusable(`must be ${providerId}`)] });
      const { metric } = await request.run<Payload>(CreateMetric, { page, input: readInput(request, null) });
      return renderMetric(metric);
    },
  },
  { method: 'GET', path: item, priority: 'read', handle: async request => renderMetric(await read(request)) },
  {
    method: 'PATCH',
    path: item,
    ...written,
    handle: request =>
      retryChange(async () => {
        const current = await read(request);
        const input = readInput(request, current);
        const version = input.metadata ? current.version : null;
        return renderMetric((await request.run<Payload>(UpdateMetric, { ...request.path, version, input })).metric);
      }),
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle(request) {
      const record = await read(request);
      await request.run(DeleteMetric, request.path);
      return renderMetric(record);
    },
  },
];
