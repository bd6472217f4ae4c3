import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderSms, sms } from '../../../../src/notifications/channels/sms.js';
import { simplifyForSms, countSegments } from '../../../../src/notifications/messages/sms-segments.js';
import { publicationEvents } from '../../../../src/notifications/messages/message-snapshot.js';
import { createSnapshot, createPlannedSnapshot } from '../../../support/message-snapshots.js';

const link = 'https://status.meridian.example/notices/abcdefgh12345678';

test('an SMS contains page, subject, state, text and link', () => {
  expect(renderSms(createSnapshot())).toBe(
    `Meridian: Payments fail (Investigating). Card payments fail. We are looking into it. ${link}`,
  );
  expect(renderSms(createPlannedSnapshot({ event: 'begun', notice: { state: 'underway' } }))).toBe(
    'Meridian: Database upgrade (In progress). Friday, 27 November 2026, 22:00 - 23:30 CET. ' +
      `The database is upgraded. ${link}`,
  );
});

test('an SMS for a completed maintenance does not contain the window', () => {
  expect(renderSms(createPlannedSnapshot({ event: 'closed', text: 'Complete', notice: { state: 'complete' } }))).toBe(
    `Meridian: Database upgrade (Complete) ${link}`,
  );
});

test.each([
  ['Payments fail (Correction)', createSnapshot({ event: 'correction' })],
  ['Payments fail (Resolved - Correction)', createSnapshot({ event: 'correction', notice: { state: 'resolved' } })],
  [
    'Database upgrade (In progress - Correction)',
    createPlannedSnapshot({ event: 'correction', notice: { state: 'underway' } }),
  ],
])('a correction by SMS says the state that it may be the first to announce: %s', (text, snapshot) => {
  expect(renderSms(snapshot)).toContain(`Meridian: ${text}. `);
});

test('a long subject does not push the state out of an SMS', () => {
  for (const subject of [
    '障害'.repeat(120),
    `😀 ${'Zahlungen schlagen fehl '.repeat(10)}`,
    'платежи '.repeat(30),
    'x'.repeat(255),
  ]) {
    for (const state of ['investigating', 'resolved'] as const) {
      const event = state === 'resolved' ? 'closed' : 'opened';
      expect(renderSms(createSnapshot({ event, notice: { subject, state } }))).toContain(
        state === 'resolved' ? '(Resolved)' : '(Investigating)',
      );
    }
  }
});

test('an SMS is sent only when an incident opens or closes, when a maintenance begins, and as a correction', () => {
  expect(publicationEvents.filter(event => sms.events!.includes(event))).toEqual([
    'opened',
    'begun',
    'closed',
    'correction',
  ]);
});

describe('countSegments', () => {
  test.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    // An escape and its character are never split: 152 septets in a segment, not 153.
    [`${'€'.repeat(152)}a`, 2],
    [`${'€'.repeat(152)}aa`, 3],
    ['я'.repeat(70), 1],
    ['я'.repeat(71), 2],
    ['я'.repeat(134), 2],
    ['я'.repeat(135), 3],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
    [`${'😀'.repeat(66)}я`, 2],
    [`${'😀'.repeat(66)}яя`, 3],
  ])('for %j returns %i', (text, count) => {
    expect(countSegments(text)).toBe(count);
  });

  test('counts fewer after typographic characters are replaced, where the rest fits the GSM alphabet', () => {
    expect(simplifyForSms('“We’re” – on…')).toBe(`"We're" - on...`);
    expect(simplifyForSms('«Да» – всё…')).toBe('«Да» – всё…');
  });
});

test.each([
  'word '.repeat(300),
  'слово '.repeat(300),
  '障害が発生しています。'.repeat(60),
  'x'.repeat(2000),
  '😀'.repeat(500),
])('a long text is cut at a word, the link never: %.12s', text => {
  const sms = renderSms(createSnapshot({ text }));
  expect(countSegments(sms)).toBe(3);
  expect(sms.endsWith(` ${link}`)).toBe(true);
  expect(sms).toMatch(/(word|слово|[^\s])(\.\.\.|…) https/u);
  if (text.startsWith('word')) expect(sms).toMatch(/ word\.\.\. https/);
});

test('an SMS has three segments at most and the whole link, whatever the text and the URL', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 600 });
  fc.assert(
    fc.property(anyText, anyText, fc.integer({ min: 1, max: 200 }), (text, subject, length) => {
      const address = `https://${'a'.repeat(length)}.example`;
      const sms = renderSms(createSnapshot({ text, page: { address }, notice: { subject } }));
      expect(countSegments(sms)).toBeLessThanOrEqual(3);
      expect(sms.endsWith(`${address}/notices/abcdefgh12345678`)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
