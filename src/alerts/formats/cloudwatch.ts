import { type AlertFormat, findText, toKey, toLabels, toLine, toObject, toTime, toTitle } from './format.js';
import { bearer } from './signature.js';

/** The third state, INSUFFICIENT_DATA, is about the monitoring. */
const statuses = new Map<unknown, 'firing' | 'resolved'>([
  ['ALARM', 'firing'],
  ['OK', 'resolved'],
]);

export const cloudwatch: AlertFormat = {
  label: 'Amazon CloudWatch',
  description: 'The alarms of Amazon CloudWatch, by Amazon SNS.',
  matches: body => typeof body.AlarmName === 'string' && typeof body.NewStateValue === 'string',
  parse: body => {
    const status = statuses.get(body.NewStateValue);
    if (!status) return [];
    const trigger = toObject(body.Trigger);
    const dimensions = Array.isArray(trigger.Dimensions) ? trigger.Dimensions.map(toObject) : [];
    const id = toKey(body.AlarmArn) || toKey(body.AlarmName);
    return [
      {
        fingerprint: id,
        group: id,
        status,
        title: toTitle(body.AlarmName),
        text: findText(body.AlarmDescription, body.NewStateReason),
        labels: toLabels({
          region: body.Region,
          account: body.AWSAccountId,
          namespace: trigger.Namespace,
          metric: trigger.MetricName,
          ...Object.fromEntries(dimensions.map(({ name, value }) => [toLine(name), value])),
        }),
        service: toLine(body.AlarmName),
        startsAt: toTime(body.StateChangeTime),
      },
    ];
  },
  ...bearer,
};
