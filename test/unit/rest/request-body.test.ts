import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { readBodyParameters } from '../../../src/rest/request/body-parameters.js';
import { type Parameters, UploadedFile } from '../../../src/rest/request/parameters.js';

const MEGABYTE = 1024 * 1024;
const badRequest = (sentence: RegExp) =>
  expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(sentence) });
const tooLarge = (sentence: RegExp) =>
  expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringMatching(sentence) });

/** Reads the parameters of one request, written byte by byte: no client library would send most of these. */
function readRequest(
  send: (socket: Socket) => void,
  beforeReading: (socket: Socket) => Promise<unknown> = async () => undefined,
): Promise<Parameters> {
  return new Promise((resolve, reject) => {
    const app = new Koa().use(async ctx => {
      await beforeReading(ctx.req.socket);
      await readBodyParameters(ctx, true).then(resolve, reject);
      ctx.status = 204;
      server.close();
      server.closeAllConnections();
    });
    const server = createServer(app.callback());
    server.listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      send(socket);
    });
  });
}

const head = (...headers: string[]) => ['POST / HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');

function post(contentType: string, body: string | Buffer, ...headers: string[]) {
  return readRequest(socket => {
    socket.write(head(`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers));
    socket.write(body);
  });
}

function postInChunks(contentType: string, ...chunks: (string | Buffer)[]) {
  return readRequest(socket => {
    socket.write(head(`Content-Type: ${contentType}`, 'Transfer-Encoding: chunked'));
    for (const chunk of chunks) {
      socket.write(`${Buffer.byteLength(chunk).toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n');
    }
    socket.write('0\r\n\r\n');
  });
}

const json = (body: string | Buffer) => post('application/json', body);
const form = (body: string | Buffer) => post('application/x-www-form-urlencoded', body);
const multipart = (body: string | Buffer) => post('multipart/form-data; boundary=edge', body);

const part = (headers: string, content = '') => `--edge\r\n${headers}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string) => part(`Content-Disposition: form-data; name="${name}"`, content);
const file = (name: string, content: string) =>
  part(
    `Content-Disposition: form-data; name="${name}"; filename="theme.zip"\r\nContent-Type: application/zip`,
    content,
  );
const closingDelimiter = '--edge--\r\n';

describe('a request without a body', () => {
  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=edge',
    'multipart/form-data',
    'text/plain',
  ])('has no parameters, with content type %s', async contentType => {
    expect(await post(contentType, '')).toEqual({});
    expect(await postInChunks(contentType)).toEqual({});
    expect(await readRequest(socket => socket.write(head(`Content-Type: ${contentType}`)))).toEqual({});
  });

  test('has no parameters, with a content encoding', async () => {
    expect(await post('application/json', '', 'Content-Encoding: gzip')).toEqual({});
  });
});

describe('a body of an unsupported type', () => {
  test.each([
    'text/plain',
    'application/octet-stream',
    'application/vnd.api+json',
    'multipart/mixed; boundary=edge',
    'nonsense',
    '',
  ])('is ignored with content type %p', async contentType => {
    expect(await post(contentType, '{"name": "x"}', 'Content-Encoding: gzip')).toEqual({});
  });

  test('is ignored without a content type', async () => {
    expect(await readRequest(socket => socket.write(`${head('Content-Length: 6')}name=x`))).toEqual({});
  });
});

describe('a JSON body', () => {
  test('retains the types of its values', async () => {
    const body = {
      text: 'ü☃💡',
      number: 1.5,
      yes: true,
      no: false,
      nothing: null,
      list: [1, '1', [], {}],
      map: { a: { b: null } },
    };
    expect(await json(JSON.stringify(body))).toEqual(body);
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    ' application/json ; q=1',
  ])('is read with content type %p', async contentType => {
    expect(await post(contentType, '{"name":"x"}')).toEqual({ name: 'x' });
  });

  test('is read with a byte order mark', async () => {
    expect(await json('\ufeff{"name":"x"}')).toEqual({ name: 'x' });
  });

  test('is read from chunks that split a character', async () => {
    const bytes = Buffer.from('{"name":"☃"}');
    expect(await postInChunks('application/json', bytes.subarray(0, 10), bytes.subarray(10))).toEqual({ name: '☃' });
  });

  test('may contain U+0000', async () => {
    expect(await json('{"name":"\\u0000"}')).toEqual({ name: '\0' });
  });

  test('drops __proto__ at every level', async () => {
    const parameters = await json(
      '{"__proto__":{"a":1},"b":{"__proto__":{"c":1},"d":[{"__proto__":1}]},"constructor":{"prototype":1},"hasOwnProperty":2}',
    );
    expect(JSON.stringify(parameters)).toBe('{"b":{"d":[{}]},"constructor":{"prototype":1},"hasOwnProperty":2}');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('has no prototype at any level', async () => {
    const parameters = await json('{"map":{"list":[{}]}}');
    const { map } = parameters as { map: { list: object[] } };
    expect([parameters, map, map.list[0]].map(level => Object.getPrototypeOf(level))).toEqual([null, null, null]);
  });

  test.each([
    ['not JSON', 'name=x', /not valid JSON/],
    ['blank', ' ', /not valid JSON/],
    ['cut short', '{"name":"x"', /not valid JSON/],
    ['an array', '[{"name":"x"}]', /must be an object/],
    ['a number', '1', /must be an object/],
    ['a text', '"name"', /must be an object/],
    ['null', 'null', /must be an object/],
    ['not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), /UTF-8/],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), /not valid JSON/],
    ['an object with half of a surrogate pair in a value', '{"name":"\\ud83d"}', /surrogate/],
    ['an object with half of a surrogate pair in a name', '{"\\udca1":"x"}', /surrogate/],
    ['an object with a number out of range', '{"position":1e400}', /out of range/],
  ])('is refused if it is %s', async (_, body, sentence) => {
    await expect(json(body)).rejects.toEqual(badRequest(sentence));
  });

  test('may have 1,000 parameters; with more its members are not read', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => [`a${index}`, '\ud83d']);
    await expect(json(JSON.stringify(Object.fromEntries(names(1_000))))).rejects.toEqual(badRequest(/surrogate/));
    await expect(json(JSON.stringify(Object.fromEntries(names(1_001))))).rejects.toEqual(
      badRequest(/at most 1,000 parameters/),
    );
  });

  test('may be 64 levels deep, but not 65', async () => {
    const levels = (count: number) => `{"a":${'['.repeat(count - 2)}1${']'.repeat(count - 2)}}`;
    expect(await json(levels(64))).toHaveProperty('a');
    await expect(json(levels(65))).rejects.toEqual(badRequest(/deep/));
  });

  test.each([
    ['a thousand brackets', `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, /deep/],
    ['a thousand brackets without closing ones', `{"a":${'['.repeat(1000)}`, /not valid JSON/],
    ['a thousand objects', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, /deep/],
    ['100,000 brackets', `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, /deep/],
  ])('is refused with %s nested in each other', async (_, body, sentence) => {
    await expect(json(body)).rejects.toEqual(badRequest(sentence));
  });

  test('is refused with more than 200,000 values', async () => {
    await expect(json(`{"a":[${'1,'.repeat(2e5)}1]}`)).rejects.toThrow('The JSON has more than 200,000 values.');
  });

  test('is refused with an object of more than 10,000 members in a parameter', async () => {
    const members = (count: number) =>
      `{"a":{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}}`;
    expect(Object.keys((await json(members(10_000))).a as object)).toHaveLength(10_000);
    await expect(json(members(10_001))).rejects.toEqual(badRequest(/An object can have at most 10000 members\./));
  });

  test('may have a list of 100,000 members', async () => {
    const { component_ids } = await json(
      JSON.stringify({ component_ids: Array.from({ length: 1e5 }, (_, index) => index) }),
    );
    expect(component_ids).toHaveLength(1e5);
  });

  test('may have 1 MB, but not a byte more', async () => {
    const body = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect(await json(body(MEGABYTE))).toHaveProperty('a');
    await expect(json(body(MEGABYTE + 1))).rejects.toEqual(tooLarge(/1 MB/));
  });

  test('is refused with 10 MB, with and without a content length', async () => {
    const body = `{"a":"${'x'.repeat(10 * MEGABYTE)}"}`;
    await expect(json(body)).rejects.toEqual(tooLarge(/1 MB/));
    await expect(postInChunks('application/json', body)).rejects.toEqual(tooLarge(/1 MB/));
  });
});

describe('a form', () => {
  test('is parsed like a query string', async () => {
    const body =
      'name=a+b%2B%E2%98%83&component_ids[]=1&component_ids%5B%5D=2&tag_list[]=&type=a&type=b&subscriber[email]=x%40y.example&z=%00';
    expect(await form(body)).toEqual({
      name: 'a b+☃',
      component_ids: ['1', '2'],
      tag_list: [''],
      type: 'b',
      subscriber: { email: 'x@y.example' },
      z: '\0',
    });
  });

  test('may contain characters that are not percent-encoded', async () => {
    expect(await form('name=ü☃')).toEqual({ name: 'ü☃' });
  });

  test('is read with any charset, and from chunks', async () => {
    const contentType = 'application/x-www-form-urlencoded; charset=UTF-8';
    expect(await post(contentType, 'name=x')).toEqual({ name: 'x' });
    expect(await postInChunks(contentType, 'na', 'me=x')).toEqual({ name: 'x' });
  });

  test('drops __proto__ at every level', async () => {
    expect(JSON.stringify(await form('__proto__[a]=1&b[__proto__]=1&b[c]=2&constructor=3'))).toBe(
      '{"b":{"c":"2"},"constructor":"3"}',
    );
  });

  test.each([
    ['an invalid percent encoding', 'name=%zz', /percent/],
    ['percent-encoded bytes that are not UTF-8', 'name=%ff', /percent/],
    ['bytes that are not UTF-8', Buffer.from('name=\xff', 'latin1'), /UTF-8/],
    ['1,001 parameters', 'a=1&'.repeat(1001), /1,000/],
    ['100,000 members of a list', 'a[]=1&'.repeat(1e5), /1,000/],
    ['brackets 1,000 deep', `a${'[b]'.repeat(1000)}=1`, /deep/],
  ])('is refused with %s', async (_, body, sentence) => {
    await expect(form(body)).rejects.toEqual(badRequest(sentence));
  });

  test('may have 1 MB, but not a byte more', async () => {
    expect(await form(`a=${'x'.repeat(MEGABYTE - 2)}`)).toHaveProperty('a');
    await expect(form(`a=${'x'.repeat(MEGABYTE - 1)}`)).rejects.toEqual(tooLarge(/1 MB/));
  });
});

describe('a multipart body', () => {
  test('is read as browsers write it', async () => {
    const data = new FormData();
    data.append('name', 'ü☃ "x"\r\ny');
    data.append('component_ids[]', '1');
    data.append('component_ids[]', '2');
    data.append('brand[navbar_links]', '#fff');
    data.append(
      'zip',
      new Blob([Buffer.from([0, 13, 10, 45, 45, 255])], { type: 'application/zip' }),
      'my "theme"; name=x ☃.zip',
    );
    const sent = new Response(data);
    const contentType = sent.headers.get('content-type') ?? '';
    expect(await post(contentType, Buffer.from(await sent.arrayBuffer()))).toEqual({
      name: 'ü☃ "x"\r\ny',
      component_ids: ['1', '2'],
      brand: { navbar_links: '#fff' },
      zip: new UploadedFile(Buffer.from([0, 13, 10, 45, 45, 255])),
    });
  });

  test('is read from chunks that split a delimiter', async () => {
    const body = field('a', '1') + file('zip', 'bytes') + closingDelimiter;
    const chunks = Array.from({ length: Math.ceil(body.length / 7) }, (_, index) =>
      body.slice(index * 7, index * 7 + 7),
    );
    expect(await postInChunks('multipart/form-data; boundary="edge"', ...chunks)).toEqual({
      a: '1',
      zip: new UploadedFile(Buffer.from('bytes')),
    });
  });

  test.each<[string, string, object]>([
    ['no parts at all', '', {}],
    [
      'text before and after its parts',
      `to be ignored\r\n${field('a', '1')}${closingDelimiter}to be ignored`,
      { a: '1' },
    ],
    ['a name without quotation marks, in capitals', `${part('content-disposition:form-data;NAME=a', '1')}`, { a: '1' }],
    ['a quotation mark in a name', `${part('Content-Disposition: form-data; name="a\\"b%22"', '1')}`, { 'a"b"': '1' }],
    [
      'a part that names type, charset and encoding',
      part(
        'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: 8bit',
        '1',
      ),
      { a: '1' },
    ],
    ['the file as a plain text field', field('zip', 'text'), { zip: 'text' }],
    [
      'a file input without a file',
      part('Content-Disposition: form-data; name="zip"; filename=""\r\nContent-Type: application/octet-stream'),
      { zip: '' },
    ],
    ['an empty file', file('zip', ''), { zip: new UploadedFile(Buffer.alloc(0)) }],
    [
      'a file without a type',
      part('Content-Disposition: form-data; name="zip"; filename="a.zip"', 'x'),
      { zip: new UploadedFile(Buffer.from('x')) },
    ],
    [
      'a file with an extended name',
      part("Content-Disposition: form-data; name=zip; filename*=UTF-8''a.zip", 'x'),
      { zip: new UploadedFile(Buffer.from('x')) },
    ],
    [
      'a line that is almost a delimiter',
      field('a', '\r\n--edg\r\n-edge\r\n\r--edge'),
      { a: '\r\n--edg\r\n-edge\r\n\r--edge' },
    ],
    ['a repeated name, of which the last counts', field('a', '1') + field('a', '2'), { a: '2' }],
    ['percent and plus signs in a value, unescaped', field('a', '%zz+%41'), { a: '%zz+%41' }],
    ['U+0000 in a value', field('a', '\0'), { a: '\0' }],
    [
      'names that mean something to JavaScript',
      field('__proto__', '1') + field('a[__proto__][b]', '1') + field('constructor', '2'),
      { a: {}, constructor: '2' },
    ],
  ])('may have %s', async (_, parts, parameters) => {
    const read = await multipart(parts + closingDelimiter);
    expect(read).toEqual(parameters);
    expect(Object.keys(read)).toEqual(Object.keys(parameters));
  });

  test('is refused wherever it is truncated', async () => {
    const body = field('a', '1') + file('zip', 'x') + closingDelimiter;
    const completeLength = body.length - '\r\n'.length;
    expect(await multipart(body.slice(0, completeLength))).toHaveProperty('zip');
    for (let length = 1; length < completeLength; length += 1)
      await expect(multipart(body.slice(0, length))).rejects.toEqual(badRequest(/cut short/));
  });

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a boundary of 71 characters', `multipart/form-data; boundary=${'x'.repeat(71)}`],
  ])('is refused with %s', async (_, contentType) => {
    await expect(post(contentType, field('a', '1') + closingDelimiter)).rejects.toEqual(badRequest(/boundary/));
  });

  test.each([
    ['another boundary', '--other\r\n\r\n\r\n--other--', /malformed/],
    ['a longer boundary', '--edges\r\n\r\n\r\n--edges--', /malformed/],
    ['a part without headers', '--edge\r\n\r\nx\r\n--edge--', /no name/],
    ['a part without a disposition', part('Content-Type: text/plain', 'x') + closingDelimiter, /no name/],
    [
      'a part that is an attachment',
      part('Content-Disposition: attachment; name="a"', 'x') + closingDelimiter,
      /no name/,
    ],
    [
      'a part without a name',
      part('Content-Disposition: form-data; filename="name=a"', 'x') + closingDelimiter,
      /no name/,
    ],
    ['a part with an empty name', field('', 'x') + closingDelimiter, /no name/],
    [
      'a part whose headers never end',
      `--edge\r\nContent-Disposition: form-data; name="${'a'.repeat(MEGABYTE)}`,
      /malformed/,
    ],
    ['a part with headers of 10 kB', field('a'.repeat(10_000), 'x') + closingDelimiter, /malformed/],
    [
      'a part in base64',
      part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', 'eA==') + closingDelimiter,
      /transfer encoding/,
    ],
    ['a text that is not UTF-8', Buffer.from(field('a', '\xff') + closingDelimiter, 'latin1'), /UTF-8/],
    ['a name that is not UTF-8', Buffer.from(field('\xff', '1') + closingDelimiter, 'latin1'), /UTF-8/],
    ['two files', file('zip', 'x') + file('zip', 'y') + closingDelimiter, /one file/],
    ['1,001 fields', field('a', '1').repeat(1001) + closingDelimiter, /1,000/],
    ['brackets 1,000 deep', field(`a${'[b]'.repeat(1000)}`, '1') + closingDelimiter, /deep/],
  ])('is refused with %s', async (_, body, sentence) => {
    await expect(multipart(body)).rejects.toEqual(badRequest(sentence));
  });

  test('may have a file of 10 MB, but not a byte more', async () => {
    const { zip } = await multipart(file('zip', 'x'.repeat(10 * MEGABYTE)) + closingDelimiter);
    expect(zip).toBeInstanceOf(UploadedFile);
    expect((zip as UploadedFile).bytes).toHaveLength(10 * MEGABYTE);
    await expect(multipart(file('zip', 'x'.repeat(10 * MEGABYTE + 1)) + closingDelimiter)).rejects.toEqual(
      tooLarge(/10 MB/),
    );
  });

  test('may have fields of 1 MB in total, but not a byte more', async () => {
    const half = field('a', 'x'.repeat(MEGABYTE / 2));
    expect(await multipart(half + half + closingDelimiter)).toHaveProperty('a');
    await expect(multipart(half + half + field('b', 'x') + closingDelimiter)).rejects.toEqual(tooLarge(/1 MB/));
  });

  test('is refused with 13 MB, wherever the bytes are', async () => {
    await expect(multipart(field('a', '1') + closingDelimiter + 'x'.repeat(13 * MEGABYTE))).rejects.toEqual(
      tooLarge(/12 MB/),
    );
    await expect(postInChunks('multipart/form-data; boundary=edge', 'x'.repeat(13 * MEGABYTE))).rejects.toEqual(
      tooLarge(/12 MB/),
    );
  });

  test.each(['\r\n', '\r', '\r\n--edg', '-'])('is read with a file that consists of %j only', async filler => {
    const content = filler.repeat((10 * MEGABYTE) / filler.length);
    const { zip } = await multipart(file('zip', content) + closingDelimiter);
    expect((zip as UploadedFile).bytes.length).toBe(content.length);
  });
});

describe('a body of another length than announced', () => {
  const incompleteHead = head('Content-Type: application/json', 'Content-Length: 100');

  test('is refused if the client ends early', async () => {
    await expect(readRequest(socket => socket.end(`${incompleteHead}{"name":"x"}`))).rejects.toEqual(
      badRequest(/ended before/),
    );
  });

  test('is refused if the connection breaks', async () => {
    const broken = readRequest(socket => socket.write(`${incompleteHead}{"name":`, () => socket.resetAndDestroy()));
    await expect(broken).rejects.toEqual(badRequest(/ended before/));
  });

  test('is refused if the client disconnected before the reading began', async () => {
    const isClosed = (socket: Socket) => new Promise(resolve => socket.once('close', resolve));
    await expect(readRequest(socket => socket.end(`${incompleteHead}{"name":"x"}`), isClosed)).rejects.toEqual(
      badRequest(/ended before/),
    );
  });

  test('is refused if its chunks never end', async () => {
    const chunked = head('Content-Type: application/x-www-form-urlencoded', 'Transfer-Encoding: chunked');
    await expect(readRequest(socket => socket.end(`${chunked}6\r\nname=x\r\n`))).rejects.toEqual(
      badRequest(/ended before/),
    );
  });

  test('is read up to its content length', async () => {
    const short = head('Content-Type: application/json', 'Content-Length: 12', 'Connection: close');
    expect(await readRequest(socket => socket.write(`${short}{"name":"x"}, and more`))).toEqual({ name: 'x' });
    await expect(readRequest(socket => socket.write(`${short}{"name":"xyz"}`))).rejects.toEqual(
      badRequest(/not valid JSON/),
    );
  });
});

describe('a content encoding', () => {
  test.each(['gzip', 'br', 'GZIP', 'identity, gzip'])('is refused if it is %s', async encoding => {
    await expect(post('application/json', '{"name":"x"}', `Content-Encoding: ${encoding}`)).rejects.toEqual(
      badRequest(/content encoding/),
    );
  });

  test.each(['identity', 'Identity'])('is accepted if it is %s', async encoding => {
    expect(await post('application/json', '{"name":"x"}', `Content-Encoding: ${encoding}`)).toEqual({ name: 'x' });
  });
});
