import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { smsOf, toldBySms } from '../../../../src/notifications/messages/sms.js';
import { forSms, segmentsOf } from '../../../../src/notifications/messages/sms-segments.js';
import { events } from '../../../../src/notifications/message-snapshot.js';
import { pictureOf, plannedPicture } from '../../../support/screenshots.js';

const link = 'https://status.meridian.example/notices/abcdefgh12345678';

test('an SMS says whose, what, how it stands and what was written, and where more is', () => {
  expect(smsOf(pictureOf())).toBe(
    `Meridian: Payments fail (Investigating). Card payments fail. We are looking into it. ${link}`,
  );
  expect(smsOf(plannedPicture({ event: 'begun', notice: { state: 'underway' } }))).toBe(
    `Meridian: Database upgrade (Under way). Friday, 27 November 2026, 22:00 - 23:30 CET. The database is upgraded. ${link}`,
  );
});

test('an SMS that a maintenance is over says no more when it was to be', () => {
  expect(smsOf(plannedPicture({ event: 'closed', text: 'Complete', notice: { state: 'complete' } }))).toBe(
    `Meridian: Database upgrade (Complete) ${link}`,
  );
});

test('a subject of any length leaves the state in it', () => {
  for (const subject of [
    '障害'.repeat(120),
    `😀 ${'Zahlungen schlagen fehl '.repeat(10)}`,
    'платежи '.repeat(30),
    'x'.repeat(255),
  ]) {
    for (const state of ['investigating', 'resolved'] as const) {
      const event = state === 'resolved' ? 'closed' : 'opened';
      expect(smsOf(pictureOf({ event, notice: { subject, state } }))).toContain(
        state === 'resolved' ? '(Resolved)' : '(Investigating)',
      );
    }
  }
});

test('only an open, a close and the begin of a maintenance disturb', () => {
  expect(events.filter(event => toldBySms.includes(event))).toEqual(['opened', 'begun', 'closed']);
});

describe('segments', () => {
  test.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    // The escape is not parted from its character: 152 septets in a segment, not 153.
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
  ])('of %j are %i', (text, count) => {
    expect(segmentsOf(text)).toBe(count);
  });

  test('are saved where a plain character says the same', () => {
    expect(forSms('“We’re” – on…')).toBe(`"We're" - on...`);
    expect(forSms('«Да» – всё…')).toBe('«Да» – всё…');
  });
});

test.each([
  'word '.repeat(300),
  'слово '.repeat(300),
  '障害が発生しています。'.repeat(60),
  'x'.repeat(2000),
  '😀'.repeat(500),
])('a long text is cut at a word, the link never: %.12s', text => {
  const sms = smsOf(pictureOf({ text }));
  expect(segmentsOf(sms)).toBe(3);
  expect(sms.endsWith(` ${link}`)).toBe(true);
  expect(sms).toMatch(/(word|слово|[^\s])(\.\.\.|…) https/u);
  if (text.startsWith('word')) expect(sms).toMatch(/ word\.\.\. https/);
});

test('whatever is written, and however long the address: three segments at most, and the link whole', () => {
  const text = fc.string({ unit: 'binary', maxLength: 600 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 200 }), (said, subject, length) => {
      const address = `https://${'a'.repeat(length)}.example`;
      const sms = smsOf(pictureOf({ text: said, page: { address }, notice: { subject } }));
      expect(segmentsOf(sms)).toBeLessThanOrEqual(3);
      expect(sms.endsWith(`${address}/notices/abcdefgh12345678`)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
