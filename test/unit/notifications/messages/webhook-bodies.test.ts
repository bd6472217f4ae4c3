import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { renderStandardBody } from '../../../../src/notifications/messages/webhook-body.js';
import { renderStatuspageBody } from '../../../../src/notifications/messages/statuspage-body.js';
import { createTestSnapshot } from '../../../../src/notifications/messages/test-message.js';
import { type MessageSnapshot, publicationEvents } from '../../../../src/notifications/messages/message-snapshot.js';
import { createPlannedSnapshot, createSnapshot } from '../../../support/message-snapshots.js';

/** The schemas of docs/webhooks.md, which refuse what they do not name. */
const [standardSchema, statuspageSchema] = [
  ...readFileSync('docs/webhooks.md', 'utf8').matchAll(/^```json\n(.*?)^```/gms),
].map(([, json]) => closeObjects(JSON.parse(json!)));

function closeObjects(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.properties && value.type === 'object' ? { ...value, additionalProperties: false } : value,
  );
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
const formats = [
  ['standard', renderStandardBody, ajv.compile(standardSchema!)],
  ['statuspage', renderStatuspageBody, ajv.compile(statuspageSchema!)],
] as const;

const impacts = ['degraded', 'partial-outage', 'major-outage'] as const;
const snapshots: MessageSnapshot[] = [
  ...publicationEvents.map(event => createSnapshot({ event })),
  ...(['investigating', 'recovering', 'false_alarm', 'resolved'] as const).flatMap(state =>
    impacts.map(impact =>
      createSnapshot({ notice: { state, components: [{ id: 1, name: 'Checkout', impact }], nextUpdateBy: null } }),
    ),
  ),
  ...(['scheduled', 'underway', 'complete'] as const).map(state => createPlannedSnapshot({ notice: { state } })),
  createSnapshot({
    event: 'postmortem',
    updates: [{ id: 2, content: 'Why', createdAt: '2026-11-20T13:02:00.000Z', kind: 'postmortem' }],
  }),
  createTestSnapshot(createSnapshot().page, '2026-11-20T13:02:00.000Z'),
];

describe.each(formats)('a body in the format %s', (_, render, validate) => {
  test('is valid by the schema in the documentation', () => {
    for (const snapshot of snapshots) expect([validate(render(snapshot)), validate.errors]).toEqual([true, null]);
  });

  test.each([
    ['ASCII', 'word '],
    ['Japanese', '通知'],
    ['control characters', '\u0001\n'],
    ['emoji', '👩‍👩‍👧‍👦'],
  ])('has less than 20 kB, and the link, whatever %s it contains', (_, unit) => {
    const long = unit.repeat(65_535 / unit.length);
    const name = unit.repeat(255 / unit.length);
    const snapshot = createSnapshot({
      text: long,
      page: { name },
      updates: Array.from({ length: 10 }, (_, id) => ({ id, content: long, createdAt: '2026-11-20T13:02:00.000Z' })),
      notice: { subject: name, components: Array.from({ length: 300 }, (_, id) => ({ id, name })) },
    });
    const body = JSON.stringify(render(snapshot));
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    expect(body).toContain(snapshot.notice.link);
    expect(validate(JSON.parse(body))).toBe(true);
  });
});

test('a body has the whole notice, the latest update and the link', () => {
  const snapshot = createSnapshot({ notice: { components: [{ id: 1, name: 'Checkout', impact: 'major-outage' }] } });
  const { link } = snapshot.notice;
  expect(renderStandardBody(snapshot)).toMatchObject({
    type: 'notice.published',
    timestamp: snapshot.at,
    data: {
      event: 'opened',
      page: { id: '5e1f00d5', name: 'Meridian', url: 'https://status.meridian.example' },
      notice: {
        id: 7,
        type: 'unplanned',
        state: 'investigating',
        subject: 'Payments fail',
        link,
        components: [{ id: 1, name: 'Checkout', impact: 'major-outage' }],
        updates: [{ id: 1, content: 'Card payments **fail**. We are looking into it.' }],
      },
      latest_update: { content: 'Card payments **fail**. We are looking into it.', created_at: snapshot.at },
      link,
    },
  });
  expect(renderStatuspageBody(snapshot)).toMatchObject({
    event_type: 'incident',
    page: { status_indicator: 'critical', status_description: 'Major System Outage' },
    incident: {
      id: '7',
      name: 'Payments fail',
      status: 'investigating',
      impact: 'critical',
      shortlink: link,
      incident_updates: [{ id: '1', body: 'Card payments fail. We are looking into it.', status: 'investigating' }],
      components: [{ id: '1', name: 'Checkout', status: 'major_outage' }],
    },
  });
});

test('a correction is of the type of the end that it may replace, once the notice is over', () => {
  const typeOf = (state: 'recovering' | 'resolved') =>
    renderStandardBody(createSnapshot({ event: 'correction', notice: { state } })).type;
  expect([typeOf('recovering'), typeOf('resolved')]).toEqual(['notice.updated', 'notice.ended']);
});
