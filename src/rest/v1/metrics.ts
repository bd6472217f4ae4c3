import { readMetricData } from '../request/metric-data.js';
import type { Route } from './route.js';

const MetricV1 = /* GraphQL */ `
  fragment MetricV1 on Metric {
    id
    name
    unit
    color
    decimal_places: decimalPlaces
    latest_value: latestValue
    latest_at: latestValueAt
    created_at: createdAt
    updated_at: updatedAt
  }`;

const ListMetrics = /* GraphQL */ `
  query ListMetrics(
    $page_id: ID!, $filter: MetricFilter, $page: Int, $per_page: Int,
    $include_version: Boolean!
  ) {
    body: metrics(pageId: $page_id, filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...MetricV1 version @include(if: $include_version) }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${MetricV1}`;

const RetrieveMetric = /* GraphQL */ `
  query RetrieveMetric($page_id: ID!, $metric_id: ID!) {
    response: metric(pageId: $page_id, id: $metric_id) { ...MetricV1 }
  }
  ${MetricV1}`;

const RecordMetric = /* GraphQL */ `
  mutation RecordMetric($page_id: ID!, $metric_id: ID!, $input: RecordMetricInput!) {
    body: recordMetric(pageId: $page_id, id: $metric_id, input: $input) { response: metric { ...MetricV1 } }
  }
  ${MetricV1}`;

export const metricRoutes: Route[] = [
  ['GET', '/pages/:page_id/metrics', ListMetrics],
  ['GET', '/pages/:page_id/metrics/:metric_id', RetrieveMetric],
  ['POST', '/pages/:page_id/metrics/:metric_id/data', RecordMetric, undefined, readMetricData],
];
