import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { decodeText } from '../../../src/subscribers/lists/decode-text.js';

const text = 'email;last_name\r\njörg@example.com;Müller – “ß”\r\n';
const swap = (bytes: Buffer) => Buffer.from(bytes).swap16();
const utf16 = Buffer.from(text, 'utf16le');
const windows1252 = Buffer.from(text.replace('–', '\u0096').replace('“', '\u0093').replace('”', '\u0094'), 'latin1');

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16 LE with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
  ['UTF-16 BE with its mark', Buffer.concat([Buffer.from([0xfe, 0xff]), swap(utf16)])],
  ['UTF-16 LE', utf16],
  ['UTF-16 BE', swap(utf16)],
  ['Windows-1252', windows1252],
])('reads %s', (_, bytes) => expect(decodeText(bytes)).toBe(text));

test.each([
  ['another encoding', Buffer.from([0x61, 0x2c, 0x83, 0x81, 0x81, 0x5b, 0x0a])],
  ['a file that is no text', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0xff])],
])('reads no %s', (_, bytes) => expect(decodeText(bytes)).toBeNull());

test.each(['', 'a'])('reads %j', short => expect(decodeText(Buffer.from(short))).toBe(short));

/** The console is compiled by its own tools: Node runs the same file as it is. */
test('the console reads files by the same function', () => {
  const script = `import { decodeText } from './src/subscribers/lists/decode-text.ts';
    const chunks = []; for await (const chunk of process.stdin) chunks.push(chunk);
    process.stdout.write(decodeText(Buffer.concat(chunks)));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { input: windows1252 });
  expect([stdout.toString(), stderr.toString()]).toEqual([text, '']);
});
