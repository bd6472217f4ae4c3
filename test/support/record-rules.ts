import { expect } from '@jest/globals';
import type { TestResponse, TestRequest, TestService } from './service.js';

/** Expectations that apply to every kind of record. */
export const anyTimestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const notFoundBody = (name: string) => ({
  error: 'not_found',
  error_description: `We couldn't find the ${name} you were looking for.`,
});

export const invalidBody = (messages: Record<string, string[]>) => ({
  error: 'invalid_resource',
  error_description: 'The current resource was deemed invalid.',
  messages,
});

type InputValues = Record<string, string | string[]>;

const toPairs = (values: InputValues): [string, string][] =>
  Object.entries(values).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map(one => [`${name}[]`, one]) : [[name, value]],
  );

const urlEncode = (values: InputValues) => new URLSearchParams(toPairs(values)).toString();

function toFormData(values: InputValues): FormData {
  const body = new FormData();
  for (const [name, value] of toPairs(values)) body.append(name, value);
  return body;
}

export type InputFormat = 'query string' | 'form' | 'JSON' | 'multipart';
export const inputFormats: InputFormat[] = ['query string', 'form', 'JSON', 'multipart'];

/** Sends values in one of the formats that a client can use. */
export function sendAs(
  service: TestService,
  form: InputFormat,
  method: string,
  path: string,
  values: InputValues,
  { headers }: TestRequest = {},
): Promise<TestResponse> {
  if (form === 'query string') return service.call(method, `${path}?${urlEncode(values)}`, { headers });
  const request = {
    form: { form: urlEncode(values) },
    JSON: { json: values },
    multipart: { body: toFormData(values) },
  }[form];
  return service.call(method, path, { ...request, headers });
}

/** "A client may send back a whole record it has read: a value equal to what a read shows changes nothing." */
export async function expectRoundTripToChangeNothing(service: TestService, path: string): Promise<void> {
  const before = await service.get(path);
  const record = before.json.response as Record<string, string | string[] | null>;
  const asForm = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Array.isArray(value) ? value : String(value ?? '')]),
  );
  const responses = [
    await service.patch(path, record),
    await service.call('PUT', path, { json: record }),
    await sendAs(service, 'form', 'PATCH', path, asForm),
  ];
  for (const { status, text } of responses) expect([status, text]).toEqual([200, before.text]);
  expect((await service.get(path)).headers.get('etag')).toBe(before.headers.get('etag'));
}

const versionOf = (etag: string | null) => Number(/^"(\d+)\.[\w-]+"$/.exec(etag ?? '')?.[1]);

/** The version in the ETag of a record; NaN when the ETag has another format. */
export const versionAt = async (service: TestService, path: string) =>
  versionOf((await service.get(path)).headers.get('etag'));

/** Checks ETag, If-None-Match and If-Match on a record, which `change` writes (differently each time); deletes it. */
export async function expectConditionalRequests(
  service: TestService,
  path: string,
  change: (attempt: number, method: string, request: TestRequest) => Promise<TestResponse>,
): Promise<void> {
  const first = (await service.get(path)).headers.get('etag')!;
  expect(versionOf(first)).toBeGreaterThanOrEqual(1);
  const unchanged = await service.get(path, { headers: { 'if-none-match': first } });
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', first]);

  const changed = await change(1, 'PATCH', { headers: { 'if-match': first } });
  const second = changed.headers.get('etag')!;
  expect([changed.status, versionOf(second)]).toEqual([200, versionOf(first) + 1]);
  const fresh = await service.get(path, { headers: { 'if-none-match': first } });
  expect([fresh.status, fresh.headers.get('etag')]).toEqual([200, second]);

  const stale = { headers: { 'if-match': first } };
  for (const response of [
    await change(2, 'PATCH', stale),
    await change(2, 'PUT', stale),
    await service.delete(path, stale),
  ]) {
    expect([response.status, response.json.error]).toEqual([412, 'precondition_failed']);
  }
  expect((await service.get(path)).headers.get('etag')).toBe(second);

  const put = await change(3, 'PUT', { headers: { 'if-match': `"0.other", ${second}` } });
  expect(put.status).toBe(200);
  expect((await change(4, 'PATCH', { headers: { 'if-match': '*' } })).status).toBe(200);
  const current = (await service.get(path)).headers.get('etag')!;
  const deleted = await service.delete(path, { headers: { 'if-match': current } });
  expect([deleted.status, deleted.text]).toEqual([204, '']);
}

/** Checks that the responses are identical, so that none reveals that a record exists under another path. */
export function expectSameNotFound(name: string, responses: TestResponse[]): void {
  for (const { status, json } of responses) expect([status, json]).toEqual([404, notFoundBody(name)]);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
}
