import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Refusal } from '../../../src/core/errors.js';
import { isStorable } from '../../../src/core/validation.js';
import { decide } from '../../../src/alerts/alert.rules.js';
import { confirmSubscription } from '../../../src/alerts/confirm-subscription.js';
import { parseAlerts, readPayload } from '../../../src/alerts/receive.service.js';
import { formats } from '../../../src/alerts/formats/registry.js';
import {
  alertBodies,
  betterStackBody,
  cloudwatchBody,
  pagerdutyBody,
  snsConfirmation,
  uptimeKumaBody,
} from '../../support/alert-payloads.js';

const toEnumName = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();
const parse = (body: object) => parseAlerts(readPayload(JSON.stringify(body)));

test.each(Object.entries(alertBodies))(
  'a body of %s is told by its shape, and by no other format',
  (name, createBody) => {
    const body = createBody();
    expect(toEnumName(readPayload(JSON.stringify(body)).format)).toBe(name);
    const content = 'Message' in body ? JSON.parse(body.Message) : body;
    const matching = Object.entries(formats).filter(([, format]) => format.matches(content));
    // The shape of our own is the least of all.
    expect(
      matching.map(([matched]) => toEnumName(matched)).filter(matched => matched !== 'OWN' || name === 'OWN'),
    ).toEqual([name]);
  },
);

test.each(Object.entries(alertBodies))(
  'an alert of %s has the same fingerprint and group when it is over',
  (_, createBody) => {
    const [[firing], [resolved]] = [parse(createBody(true)), parse(createBody(false))];
    expect([firing!.status, resolved!.status]).toEqual(['firing', 'resolved']);
    expect([resolved!.fingerprint, resolved!.group]).toEqual([firing!.fingerprint, firing!.group]);
    expect(firing).toMatchObject({ service: 'shop', title: expect.stringContaining('shop') });
  },
);

describe('What is about no trouble has no alerts', () => {
  test.each([
    ['a test of Uptime Kuma', { heartbeat: null, monitor: null, msg: 'Test' }],
    ['a planned maintenance of Uptime Kuma', { ...uptimeKumaBody(), heartbeat: { status: 3 } }],
    ['a priority of PagerDuty', { event: { ...pagerdutyBody().event, event_type: 'incident.priority_updated' } }],
    ['a test of PagerDuty', { event: { event_type: 'pagey.ping', data: { message: 'Hello' } } }],
    ['an empty list', { alerts: [] }],
    ['an alarm of CloudWatch without data', { AlarmName: 'shop', NewStateValue: 'INSUFFICIENT_DATA' }],
    ['the end of a subscription of SNS', { ...cloudwatchBody(), Type: 'UnsubscribeConfirmation' }],
  ])('%s', (_, body) => expect(parse(body)).toEqual([]));
});

test('a status update of PagerDuty has its message as text, and belongs to its incident', () => {
  const { data } = pagerdutyBody().event;
  const body = {
    event: {
      event_type: 'incident.status_update_published',
      data: { id: 'PUPDATE', message: 'We restart it.', incident: data },
    },
  };
  expect(parse(body)).toMatchObject([{ group: 'PGR0VU2', text: 'We restart it.', status: 'firing' }]);
});

test.each([
  ['[]', 'The body must be a JSON object.'],
  ['{', 'The body is not JSON.'],
  ['{"hello":1}', 'Field paths of the source read any other JSON.'],
  ['{"hello":1}', 'The body is in none of the known formats: Alertmanager, Grafana, PagerDuty, '],
])('%s is refused with what was expected', (text, message) => {
  expect(() => readPayload(text)).toThrow(message);
});

test('any JSON is read or refused, and what is read can be stored', () => {
  const fields = Object.values(alertBodies).flatMap(createBody => JSON.stringify(createBody()).match(/"\w+"(?=:)/g)!);
  const names = [...new Set(fields)].map(name => JSON.parse(name) as string);
  const { body } = fc.letrec(tie => ({
    body: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('incident', '4', 'incident.triggered', 'firing', 'resolved', '', '\0', '\ud800', at),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('body'), { maxLength: 3 }),
      tie('body'),
    ),
  }));
  const shaped = fc.tuple(fc.constantFrom(...Object.values(alertBodies)), body).map(([createBody, noise]) => ({
    ...createBody(),
    ...(noise as object),
  }));
  let readCount = 0;
  fc.assert(
    fc.property(fc.oneof(body, shaped), input => {
      try {
        for (const alert of parse(input as object)) {
          readCount += 1;
          const texts = [alert.title, alert.text, alert.service, alert.group, alert.fingerprint];
          for (const text of [...texts, ...Object.entries(alert.labels).flat()]) expect(isStorable(text)).toBe(true);
          expect([...alert.title].length).toBeLessThanOrEqual(255);
          expect(alert.title.trim()).not.toBe('');
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(readCount).toBeGreaterThan(100);
});

test('labels of a group that are nested as deep as a body may be are read', () => {
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const body = `{"version":"4","groupKey":"","groupLabels":${nested},"alerts":[{"labels":{"alertname":"Ping"}}]}`;
  expect(parseAlerts(readPayload(body))).toMatchObject([{ title: 'Ping', status: 'firing' }]);
});

const at = '2026-11-25T10:00:00Z';

describe('The words of an alert of Prometheus or Grafana', () => {
  const withWords = (labels: object, annotations: object, body: object = {}) =>
    parse({ ...alertBodies.GRAFANA(), alerts: [{ status: 'firing', labels, annotations }], ...body })[0];
  test.each<[string, object, object, object, string, string]>([
    ['a summary among the labels', { summary: 'Host down', alertname: 'Ping' }, {}, {}, 'Host down', '**Firing**'],
    ['the annotation `message`', { alertname: 'Pod' }, { message: 'It loops' }, {}, 'Pod', 'It loops'],
    ['the annotation `runbook`', { alertname: 'Pod' }, { runbook: 'Restart it' }, {}, 'Pod', 'Restart it'],
    ['the title and message of the body', {}, {}, { title: 'Payments', message: 'Value: 7' }, 'Payments', 'Value: 7'],
  ])('can be in %s', (_, labels, annotations, body, title, text) => {
    const alert = withWords(labels, annotations, body);
    expect([alert!.title, alert!.text.split('\n')[0]]).toEqual([title, text]);
  });
});

describe('A confirmation of Amazon SNS', () => {
  const good = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336';
  test.each([good, good.replace('.com/', '.com.cn/').replace('eu-west-1', 'cn-north-1')])('asks for %s', url => {
    expect(readPayload(JSON.stringify(snsConfirmation(url)))).toMatchObject({ format: 'sns', subscribeUrl: url });
  });

  test.each([
    good.replace('https', 'http'),
    good.replace('.amazonaws.com', '.amazonaws.com.example.com'),
    good.replace('sns.', 'sns.x.'),
    good.replace('sns.', 's3.'),
    good.replace('.com/', '.com:8443/'),
    good.replace('sns.', 'user@sns.'),
    good.replace('ConfirmSubscription', 'DeleteTopic'),
    good.replace('/?', '/path?'),
    `${good}&Action=DeleteTopic`,
    'no address',
  ])('refuses %s', url => {
    const refused = expect.objectContaining({ details: { fields: { SubscribeURL: [expect.anything()] } } });
    expect(() => readPayload(JSON.stringify(snsConfirmation(url)))).toThrow(refused as unknown as Error);
  });

  test.each([
    ['an answer that is not 200', async () => ({ status: 302 }), 'SNS answers with the status 302.'],
    [
      'no answer',
      () => Promise.reject(Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' })),
      'SNS cannot be reached (ECONNREFUSED).',
    ],
  ])('that gets %s says so', async (_, request, reason) => {
    const answer = request as unknown as Parameters<typeof confirmSubscription>[2];
    await expect(confirmSubscription(good, { allowPrivate: false }, answer)).rejects.toThrow(reason);
  });
});

test('a test incident of Better Stack looks like a real one, and a rule ignores it by its name', () => {
  const body = betterStackBody();
  const { attributes } = body.data;
  const [named] = parse({ ...body, data: { ...body.data, attributes: { ...attributes, name: 'Test of the page' } } });
  const rule = { label: null, value: 'Test*', action: 'IGNORE' as const };
  const rules = [{ ...rule, componentIds: [], templateId: null, shouldResolve: false }];
  expect([named!, parse(body)[0]!].map(alert => decide(rules, alert).action)).toEqual(['IGNORE', 'DRAFT']);
});

test('a repetition of Uptime Kuma, which has the time of its own beat, says nothing of the beginning', () => {
  const body = uptimeKumaBody();
  const heartbeat = { ...body.heartbeat, important: false };
  expect(parse({ ...body, heartbeat }).map(({ startsAt }) => startsAt)).toEqual([null]);
});

describe('The texts of a body are read once for all alerts, and one alert more than are stored', () => {
  const message = '\u{1f4a5}'.repeat(11_000);
  const alerts = Array.from({ length: 20_000 }, () => ({}));
  test.each([
    ['Alertmanager', { version: '4', groupKey: 'a' }],
    ['Grafana', { orgId: 1 }],
  ])('%s', (_, shape) => {
    const reads = jest.spyOn(String.prototype, 'toWellFormed');
    const read = parse({ ...shape, title: 'Down', message, alerts });
    const readTimes = reads.mock.contexts.filter(text => String(text) === message).length;
    reads.mockRestore();
    expect(readTimes).toBe(1);
    expect(read).toHaveLength(1_001);
    expect(read.at(-1)!.title).toBe('Down');
    expect([...read.at(-1)!.text].length).toBe(10_000);
  });
});
