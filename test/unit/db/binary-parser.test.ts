import { expect, test } from '@jest/globals';
import { parse } from 'pg-protocol';
import { PassThrough } from 'node:stream';
import { BinaryParser } from '../../../src/db/binary-client.js';

const message = (code: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map(part => Buffer.from(part as Buffer)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(code), length, body]);
};
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value].map(byte => byte & 255));
/** Of one column of text. */
const describeText = (name: string, isBinary: boolean) =>
  message('T', int16(1), `${name}\0`, int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(isBinary ? 1 : 0));
const row = (value: string | null) =>
  value === null ? message('D', int16(1), int32(-1)) : message('D', int16(1), int32(Buffer.byteLength(value)), value);

const values = ['', 'a', 'Grüße 🟢', null, 'x'.repeat(300)];
const result = (isBinary: boolean) => [
  describeText('word', isBinary),
  ...values.map(row),
  message('C', 'SELECT 5\0'),
  message('Z', 'I'),
];

function parseInChunks(bytes: Buffer, size: number): object[] {
  const parser = new BinaryParser();
  const messages: object[] = [];
  // Each chunk is read into the same memory, as by a socket.
  const memory = Buffer.alloc(size);
  for (let offset = 0; offset < bytes.length; offset += size) {
    const length = bytes.copy(memory, 0, offset, offset + size);
    parser.parse(memory.subarray(0, length), each => messages.push(each));
    memory.fill('?');
  }
  return messages;
}

test('messages of text are those of the parser of pg, however they are cut into chunks', async () => {
  const bytes = Buffer.concat([...result(false), ...result(false)]);
  const stream = new PassThrough();
  const expected: object[] = [];
  const isRead = parse(stream, each => expected.push(each));
  stream.end(bytes);
  await isRead;
  expect(expected).toHaveLength(16);
  for (let size = 1; size <= bytes.length; size++)
    expect(JSON.stringify(parseInChunks(bytes, size))).toBe(JSON.stringify(expected));
});

test('values in binary format are bytes, and those of the next result in text format are text', () => {
  const bytes = Buffer.concat([...result(true), ...result(false), ...result(true)]);
  const binary = values.map(value => value && Buffer.from(value)).with(0, Buffer.alloc(0));
  for (let size = 1; size <= bytes.length; size += 7) {
    const rows = parseInChunks(bytes, size).filter(each => (each as { name: string }).name === 'dataRow');
    expect(rows.map(each => (each as { fields: unknown[] }).fields[0])).toEqual([...binary, ...values, ...binary]);
  }
});

test('what is no message of PostgreSQL is an error, however it is cut into chunks', () => {
  const bytes = Buffer.from('HTTP/1.1 400 Bad Request');
  for (let size = 1; size <= bytes.length; size++)
    expect(parseInChunks(bytes, size)[0]).toMatchObject({ name: 'error', message: 'received invalid response: 0' });
});
