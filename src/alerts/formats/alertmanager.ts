import {
  type Alert,
  type AlertFormat,
  findText,
  hashLabels,
  type JsonObject,
  readList,
  toKey,
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
  const group = toKey(body.groupKey, 1_000) || hashLabels(toLabels(body.groupLabels));
  // Once for all alerts, which have one text in common.
  const [title, message] = [toLine(body.title), toText(body.message)];
  return readList(body, 'alerts').map(alert => {
    const labels = toLabels(alert.labels);
    const annotations = toObject(alert.annotations);
    return {
      fingerprint: toKey(alert.fingerprint) || hashLabels(labels),
      group,
      status: alert.status === 'resolved' ? 'resolved' : 'firing',
      // Rules of before annotations have their summary among the labels.
      title: toTitle(annotations.summary, annotations.title, labels.summary, labels.alertname, title),
      text: findText(annotations.description, annotations.message, annotations.runbook) || message,
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
