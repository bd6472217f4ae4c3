import { type AlertFormat, toKey, toLine, toObject, toText, toTime, toTitle } from './format.js';
import { bearer } from './signature.js';

export const betterStack: AlertFormat = {
  label: 'Better Stack',
  description: 'The incident webhooks of Better Stack Uptime.',
  matches: body => toObject(body.data).type === 'incident',
  parse: ({ data }) => {
    const { id, attributes, relationships } = toObject(data);
    const incident = toObject(attributes);
    const monitor = toLine(toObject(toObject(toObject(relationships).monitor).data).id);
    return [
      {
        fingerprint: toKey(id),
        group: toKey(incident.incident_group_id) || toKey(id),
        status: incident.resolved_at ? 'resolved' : 'firing',
        title: toTitle(incident.name, incident.cause, incident.url),
        text: toText(incident.cause),
        labels: { url: toLine(incident.url), monitor_id: monitor },
        service: toLine(incident.name),
        startsAt: toTime(incident.started_at),
      },
    ];
  },
  ...bearer,
};
