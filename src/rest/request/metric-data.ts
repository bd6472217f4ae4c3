import { type Parameters, UploadedFile } from './parameters.js';

/**
 * The parameters of a value of a metric, which Statuspage's clients send below `data`, with a `timestamp` in seconds
 * since 1970. ISO 8601 is accepted as well.
 */
export function readMetricData(parameters: Parameters): Parameters {
  const { data } = parameters;
  const isRecord = typeof data === 'object' && data !== null && !Array.isArray(data) && !(data instanceof UploadedFile);
  const read = isRecord ? data : parameters;
  const { timestamp } = read;
  const isSeconds =
    typeof timestamp === 'number' || (typeof timestamp === 'string' && /^\d{1,12}(\.\d+)?$/.test(timestamp));
  if (!isSeconds) return read;
  const date = new Date(Number(timestamp) * 1000);
  return Number.isNaN(date.getTime()) ? read : { ...read, timestamp: date.toISOString() };
}
