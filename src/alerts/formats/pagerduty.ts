import { type AlertFormat, isObject, toKey, toLine, toObject, toText, toTime, toTitle } from './format.js';
import { hasSignature, hmac } from './signature.js';

/** Other events change nothing about whether there is trouble. */
const statuses = new Map<unknown, 'firing' | 'resolved'>([
  ['incident.triggered', 'firing'],
  ['incident.reopened', 'firing'],
  ['incident.unacknowledged', 'firing'],
  ['incident.acknowledged', 'firing'],
  ['incident.escalated', 'firing'],
  ['incident.status_update_published', 'firing'],
  ['incident.resolved', 'resolved'],
]);

export const pagerduty: AlertFormat = {
  label: 'PagerDuty',
  description: 'The webhooks of PagerDuty, version 3.',
  matches: body => isObject(body.event) && typeof body.event.event_type === 'string',
  isTest: ({ event }) => toObject(event).event_type === 'pagey.ping',
  parse: ({ event }) => {
    const { event_type: type, data: content } = toObject(event);
    const status = statuses.get(type);
    if (!status) return [];
    const data = toObject(content);
    // A status update is about an incident; it has a message of its own.
    const incident = isObject(data.incident) ? data.incident : data;
    const id = toKey(incident.id);
    const service = toObject(incident.service);
    return [
      {
        fingerprint: id,
        group: id,
        status,
        title: toTitle(incident.title, incident.summary),
        text: toText(data.message),
        labels: {
          urgency: toLine(incident.urgency),
          priority: toLine(toObject(incident.priority).summary),
          service_id: toLine(service.id),
        },
        service: toLine(service.summary) || toLine(service.id),
        startsAt: toTime(incident.created_at),
      },
    ];
  },
  isSigned: ({ headers, body }, secret) => hasSignature(headers['x-pagerduty-signature'], `v1=${hmac(secret, body)}`),
  // Each event has an id of its own, which another attempt to deliver it repeats.
  isReplayable: () => true,
  signature: 'the signature of the webhook subscription in `X-PagerDuty-Signature`',
};
