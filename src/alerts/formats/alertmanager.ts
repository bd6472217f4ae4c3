import {
  type Alert,
  type AlertFormat,
  hashLabels,
  type JsonObject,
  readList,
  toLabels,
  toLine,
  toObject,
  toText,
  toTime,
  toTitle,
} from './format.js';
import { bearer } from './signature.js';

/** The alerts of a body of Alertmanager, whose fields Grafana has as well. */
export function parseAlerts(body: JsonObject): Alert[] {
  const group = toLine(body.groupKey, 1_000) || hashLabels(body.groupLabels);
  return readList(body, 'alerts').map(alert => {
    const labels = toLabels(alert.labels);
    const annotations = toObject(alert.annotations);
    return {
      fingerprint: toLine(alert.fingerprint) || hashLabels(labels),
      group,
      status: alert.status === 'resolved' ? 'resolved' : 'firing',
      title: toTitle(annotations.summary, annotations.title, labels.alertname),
      text: toText(annotations.description),
      labels,
      service: labels.service || labels.job || '',
      startsAt: toTime(alert.startsAt),
    };
  });
}

export const alertmanager: AlertFormat = {
  label: 'Alertmanager',
  description: 'Prometheus Alertmanager, version 4 of its webhook.',
  matches: body => body.version === '4' && 'groupKey' in body,
  parse: parseAlerts,
  ...bearer,
};
