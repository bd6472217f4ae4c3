import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { parseTimestamp } from '../../core/timestamp.js';
import { readMetricData } from '../request/metric-data.js';
import type { StatuspageRoute } from './route.js';

const RecordMetric = /* GraphQL */ `
  mutation RecordStatuspageMetric($page: ID!, $id: ID!, $input: RecordMetricInput!) {
    result: recordMetric(pageId: $page, id: $id, input: $input) { page { id } }
  }`;

export const metricDocuments = [RecordMetric];

export const metricRoutes: readonly StatuspageRoute[] = [
  {
    method: 'POST',
    path: '/pages/:page/metrics/:id/data',
    priority: 'write',
    record: 'data',
    fields: ['value', 'timestamp'],
    async handle({ path: { page, id }, input, run }) {
      const data = readMetricData(input);
      const value = typeof data.value === 'string' && data.value.trim() ? Number(data.value) : data.value;
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw invalid({ value: [problems.invalid('must be a number')] });
      const timestamp = typeof data.timestamp === 'string' ? parseTimestamp(data.timestamp) : null;
      if (data.timestamp != null && !timestamp)
        throw invalid({ timestamp: [problems.invalid('must be in seconds since 1970')] });
      const at = timestamp ?? new Date();
      await run(RecordMetric, { page, id, input: { value, timestamp: at.toISOString() } });
      return { data: { timestamp: Math.floor(at.getTime() / 1000), value } };
    },
  },
];
