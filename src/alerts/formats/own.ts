import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { type AlertFormat, hashLabels, readList, toKey, toLabels, toLine, toText, toTime, toTitle } from './format.js';
import { bearer } from './signature.js';

export const own: AlertFormat = {
  label: 'All Clear',
  description: 'The JSON of our own, for scripts: `{ "alerts": [{ "title", "status" }] }`.',
  matches: body => Array.isArray(body.alerts),
  parse: body =>
    readList(body, 'alerts').map((alert, index) => {
      const { status, title } = alert;
      if (status !== 'firing' && status !== 'resolved')
        throw invalid({ [`alerts.${index}.status`]: [problems.notIncluded(['firing', 'resolved'])] });
      if (!toLine(title)) throw invalid({ [`alerts.${index}.title`]: [problems.blank] });
      const service = toLine(alert.service);
      const fingerprint = toKey(alert.fingerprint) || hashLabels(toLine(title), service);
      return {
        fingerprint,
        status,
        service,
        group: toKey(alert.group, 1_000) || fingerprint,
        title: toTitle(title),
        text: toText(alert.text),
        labels: toLabels(alert.labels),
        startsAt: toTime(alert.startsAt),
      };
    }),
  ...bearer,
};
