import { type AlertFormat, isObject, toLine, toObject, toText, toTime, toTitle } from './format.js';
import { bearer } from './signature.js';

const down = 0;
const up = 1;

export const uptimeKuma: AlertFormat = {
  label: 'Uptime Kuma',
  description: 'The webhook notifications of Uptime Kuma, with the body that it presets (application/json).',
  matches: body => 'heartbeat' in body && 'monitor' in body && 'msg' in body,
  isTest: ({ heartbeat, monitor }) => !isObject(heartbeat) || !isObject(monitor),
  // Of the other states, pending is not trouble yet, and maintenance is planned.
  parse: ({ heartbeat, monitor, msg }) => {
    if (!isObject(heartbeat) || !isObject(monitor)) return [];
    if (heartbeat.status !== down && heartbeat.status !== up) return [];
    const id = toLine(monitor.id);
    const tags = Array.isArray(monitor.tags) ? monitor.tags.map(toObject) : [];
    return [
      {
        fingerprint: id,
        group: id,
        status: heartbeat.status === up ? 'resolved' : 'firing',
        title: toTitle(monitor.name, msg),
        text: toText(heartbeat.msg) || toText(msg),
        labels: Object.fromEntries([
          ...tags.map(({ name, value }) => [toLine(name), toLine(value)]),
          ['monitor_id', id],
          ['url', toLine(monitor.url) || toLine(monitor.hostname)],
        ]),
        service: toLine(monitor.name),
        // A repetition has the time of its own beat.
        startsAt: heartbeat.important === false ? null : toTime(`${toLine(heartbeat.time).replace(' ', 'T')}Z`),
      },
    ];
  },
  ...bearer,
};
