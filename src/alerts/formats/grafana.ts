import { parseAlerts } from './alertmanager.js';
import { type AlertFormat, type SignedRequest, toLine, toObject } from './format.js';
import { bearer, hasSignature, hmac } from './signature.js';

/** Older than this a signed request counts as a replay. */
const maxAgeSeconds = 300;

/** The time that Grafana signs, where its contact point names a header for it: ours is this one. */
function isSignedWithTime({ headers, body }: SignedRequest, secret: string): boolean {
  const time = String(headers['x-grafana-alerting-timestamp'] ?? '');
  const age = Math.abs(Date.now() / 1000 - Number(time));
  return age <= maxAgeSeconds && hasSignature(headers['x-grafana-alerting-signature'], hmac(secret, `${time}:`, body));
}

/**
 * The key of a test: the name of the contact point, a fingerprint and the time. That of alerts names their labels in
 * braces. The labels of a test can be chosen.
 */
const testKey = /^[^{}]*-[0-9a-f]{16}-\d+$/;

export const grafana: AlertFormat = {
  label: 'Grafana',
  description: 'The webhook contact point of Grafana Alerting.',
  matches: body => 'orgId' in body && Array.isArray(body.alerts),
  parse: parseAlerts,
  isTest: ({ groupKey, alerts }) =>
    testKey.test(toLine(groupKey)) ||
    (alerts as unknown[]).every(alert => {
      const { alertname, instance } = toObject(toObject(alert).labels);
      return alertname === 'TestAlert' && instance === 'Grafana';
    }),
  isSigned: (request, secret) => {
    const { headers, body } = request;
    if (bearer.isSigned(request, secret)) return true;
    return headers['x-grafana-alerting-timestamp'] === undefined
      ? hasSignature(headers['x-grafana-alerting-signature'], hmac(secret, body))
      : isSignedWithTime(request, secret);
  },
  // Another beginning of the same trouble has another `startsAt`.
  isReplayable: ({ headers }) => headers['x-grafana-alerting-timestamp'] === undefined,
  signature: 'the HMAC signature of the contact point in `X-Grafana-Alerting-Signature`',
};
