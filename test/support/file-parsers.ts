import { createItemParser } from '../../src/components/upstream/parse-each.js';
import { EventLoopTurns } from '../../src/core/queues/event-loop-turns.js';
import { parseByFields } from '../../src/alerts/formats/custom.js';
import { readPayload } from '../../src/alerts/receive.service.js';
import { formats as upstreamFormats, splitFormat } from '../../src/components/upstream/formats.js';
import { parseJson } from '../../src/http/body.js';
import { readMailEvents } from '../../src/notifications/bounces/providers.js';
import { readReportMail } from '../../src/notifications/bounces/report-mail.js';
import { sanitizeSvg } from '../../src/pages/branding/svg.js';
import { measureImage } from '../../src/pages/images/measure.js';
import { define, fill, KB, list, MB, type Parser } from './parser-limits.js';

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
const svgLength = 255 * KB;
const mail = (header: string, body = '') => Buffer.from(`${header}\r\n\r\n${body}`);
const multipart = 'Content-Type: multipart/report; boundary=b';
const jpeg = (start: string, rest: Buffer) => Buffer.concat([Buffer.from(start, 'hex'), rest]);

const alertFields = (path: (index: number) => string) => ({
  alerts: '$.a',
  title: '@[0]',
  text: null,
  state: null,
  key: '@[0]',
  group: null,
  service: null,
  startsAt: null,
  firingStates: [],
  resolvedStates: [],
  labels: list(20, index => ({ name: `label ${index}`, path: path(index) })),
});
const alertLists = (count: number, length: number) => ({ a: list(count, () => list(length, () => 1)) });

export const fileParsers: readonly Parser<unknown>[] = [
  define<unknown>({
    input: 'the body of alerts, by its shape',
    bound: '512 kB; 50,000 values',
    enforced: ['alerts/receive.service.ts', 'maxValues'],
    read: body => readPayload(typeof body === 'string' ? body : JSON.stringify(body)).parse(),
    worst: {
      'Alertmanager, labels': () => ({
        version: '4',
        groupKey: 'a',
        alerts: list(1_000, index => ({
          status: 'firing',
          labels: Object.fromEntries(list(40, label => [`l${label}`, index])),
        })),
      }),
      'Alertmanager, texts of the body': () => ({
        version: '4',
        groupKey: 'a',
        title: fill('a ', 100 * KB),
        message: '\u{1f4a5}'.repeat(20_000),
        alerts: list(24_000, () => ({})),
      }),
      'All Clear, many': () => ({ alerts: list(12_000, index => ({ status: 'firing', title: `a${index}` })) }),
      'blanks in a line': () => ({ alerts: [{ status: 'firing', title: 'a', text: fill('\n ', 400 * KB) }] }),
    },
    beyond: () => `{"alerts":[${fill('{},', 500 * KB)}{}]}`,
  }),
  define<Parameters<typeof parseByFields>>({
    input: 'the body of alerts, by JSONPaths',
    bound: '150,000 values times paths',
    enforced: ['alerts/formats/custom.ts', 'maxReads'],
    read: ([fields, body]) => parseByFields(fields, body),
    worst: {
      wildcards: () => [alertFields(() => '@[*]'), alertLists(225, 29)],
      slices: () => [alertFields(() => '@[::-1]'), alertLists(225, 29)],
      'a long text': () => [
        { ...alertFields(() => '$.k'), title: '$.k', key: '$.k', group: '$.k', service: '$.k', startsAt: '$.k' },
        { a: list(1_000, () => 1), k: fill('a ', 490 * KB) },
      ],
      filters: () => [alertFields(index => `@[?@ != ${index} && @ != 3 && @ != 4 && @ != 5]`), alertLists(225, 29)],
    },
    beyond: () => [alertFields(() => '@[*]'), alertLists(1_000, 49)],
  }),
  define<Buffer>({
    input: 'a mail that reports a bounce or a complaint',
    bound: 'its first 256 kB and 5,000 lines',
    enforced: ['notifications/bounces/report-mail.ts', 'maxBytes'],
    read: readReportMail,
    worst: {
      parts: () => mail(multipart, fill('--b\r\n\r\n', 256 * KB)),
      'line breaks': () => mail('Content-Type: text/plain', fill('\n', 256 * KB)),
      'format=flowed': () => mail('Content-Type: text/plain; format=flowed', fill('a \r\n', 256 * KB)),
      'folded fields': () => mail('Content-Type: message/delivery-status', fill('\n ', 256 * KB)),
      'groups of fields': () => mail('Content-Type: message/delivery-status', fill('Action: failed\n\n', 256 * KB)),
      'groups of addresses': () => mail(`To: ${fill('a:b;', 256 * KB)}`),
    },
    beyond: () => mail('Content-Type: text/plain', fill('\n', 16 * MB)),
    isCut: true,
  }),
  define<string>({
    input: 'events of mail providers',
    bound: '1 MB; 100,000 values, 5,000 events',
    enforced: ['server/hooks/bounce-hook.ts', 'maxValues'],
    read: text => readMailEvents(parseJson(text, { maxValues: 100_000 })),
    worst: {
      events: () => JSON.stringify(list(16_000, () => ({ RecordType: 'Bounce', Type: 'x', Email: 'a@b.c' }))),
      recipients: () =>
        JSON.stringify({
          notificationType: 'Bounce',
          mail: { messageId: fill('<', 300 * KB) },
          bounce: {
            bounceSubType: fill('a', 300 * KB),
            bouncedRecipients: list(18_000, () => ({ emailAddress: 'a@' })),
          },
        }),
      brackets: () => JSON.stringify({ RecordType: 'Bounce', Type: 'x', Email: fill('a<b', MB - 100) }),
    },
    beyond: () => `[${fill('{},', MB)}{}]`,
  }),
  define<string>({
    input: 'the address of another status page',
    bound: 'linear',
    enforced: ['components/upstream/formats.ts', 'trimSlashes'],
    read: text => splitFormat(new URL(text)),
    worst: { slashes: () => `https://a.example/a${fill('/', MB)}a` },
    beyond: () => fill('/', MB),
  }),
  define<string>({
    input: 'the summary of another status page',
    bound: '2 MB; 100,000 values, 10,000 components',
    enforced: ['components/upstream/read-upstream.ts', 'maxValues'],
    read: text =>
      upstreamFormats['page-api'].read(parseJson(text, { maxValues: 100_000 }), createItemParser(new EventLoopTurns())),
    worst: {
      components: () =>
        JSON.stringify({
          components: list(10_000, id => ({ id, name: `a${id}`, state: 'operational', parent_id: id })),
        }),
      'another shape': () => JSON.stringify({ components: list(10_000, () => ({ id: {}, name: 1 })) }),
    },
    beyond: () => `{"components":[${fill('{},', 2 * MB)}{}]}`,
  }),
  define<string>({
    input: 'an SVG',
    bound: '256 kB; 10,000 elements, 100 levels',
    enforced: ['pages/branding/svg.ts', 'maxElements'],
    read: text => sanitizeSvg(text),
    worst: {
      elements: () => svg(fill('<g id="a" x="1"/>', 9_900 * 17)),
      'elements in elements': () => svg(fill(`${'<g>'.repeat(98)}${'</g>'.repeat(98)}`, 69_000)),
      attributes: () => svg(`<g ${list(20_000, index => `a${index}="1"`).join(' ')}/>`),
      entities: () => svg(fill('&amp;', svgLength)),
      styles: () => svg(`<style>${fill(`url(${' '.repeat(5_000)}`, svgLength)}</style>`),
      'open tags': () => fill('<svg ', svgLength),
    },
    beyond: () => svg('<g/>'.repeat(10_001)),
  }),
  define<Buffer>({
    input: 'the size of an image',
    bound: 'its first 512 kB',
    enforced: ['pages/images/measure.ts', 'headerBytes'],
    read: bytes => measureImage(bytes, ['svg', 'png', 'jpg', 'gif', 'webp']),
    worst: {
      'segments of a JPEG': () => jpeg('ffd8', Buffer.from('ffe00002'.repeat(MB / 2), 'hex')),
      'segments without a length': () => jpeg('ffd8ffe0', Buffer.alloc(2 * MB)),
      'EXIF of a JPEG': () => jpeg('ffd8ffe1ffff4578696600004d4d002a00000008ffff', Buffer.alloc(2 * MB)),
      'attributes of an SVG': () => Buffer.from(`<svg ${fill('a="b" ', 2 * MB)}`),
      'view boxes of an SVG': () => Buffer.from(`<svg${fill(' viewBox="', 2 * MB)}>`),
    },
    beyond: () => jpeg('ffd8', Buffer.concat([Buffer.from('ffe00002'.repeat(MB / 4), 'hex'), jpegFrame])),
  }),
];

/** The header of a frame of 40 × 30 pixels. */
const jpegFrame = Buffer.from('ffc0001108001e002803012200021101031101ffd9', 'hex');
