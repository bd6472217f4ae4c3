import { expect } from '@jest/globals';
import type { Answer, Request, TestService } from './service.js';

/** What holds for every kind of record, said once. */
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const missing = (word: string) => ({
  error: 'not_found',
  error_description: `We couldn't find the ${word} you were looking for.`,
});

export const refused = (messages: Record<string, string[]>) => ({
  error: 'invalid_resource',
  error_description: 'The current resource was deemed invalid.',
  messages,
});

type Values = Record<string, string | string[]>;

const pairs = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map(one => [`${name}[]`, one]) : [[name, value]],
  );

const encoded = (values: Values) => new URLSearchParams(pairs(values)).toString();

function multipart(values: Values): FormData {
  const body = new FormData();
  for (const [name, value] of pairs(values)) body.append(name, value);
  return body;
}

export type InputForm = 'query string' | 'form' | 'JSON' | 'multipart';
export const inputForms: InputForm[] = ['query string', 'form', 'JSON', 'multipart'];

/** The same values, in any of the ways in which a client may send them. */
export function send(
  service: TestService,
  form: InputForm,
  method: string,
  path: string,
  values: Values,
  { headers }: Request = {},
): Promise<Answer> {
  if (form === 'query string') return service.call(method, `${path}?${encoded(values)}`, { headers });
  const request = { form: { form: encoded(values) }, JSON: { json: values }, multipart: { body: multipart(values) } }[
    form
  ];
  return service.call(method, path, { ...request, headers });
}

/** "A client may send back a whole record it has read: a value equal to what a read shows changes nothing." */
export async function expectRoundTripToChangeNothing(service: TestService, path: string): Promise<void> {
  const before = await service.get(path);
  const record = before.json.response as Record<string, string | string[] | null>;
  const asForm = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Array.isArray(value) ? value : String(value ?? '')]),
  );
  const answers = [
    await service.patch(path, record),
    await service.call('PUT', path, { json: record }),
    await send(service, 'form', 'PATCH', path, asForm),
  ];
  for (const { status, text } of answers) expect([status, text]).toEqual([200, before.text]);
  expect((await service.get(path)).headers.get('etag')).toBe(before.headers.get('etag'));
}

const versionOf = (etag: string | null) => Number(/^"(\d+)\.[\w-]+"$/.exec(etag ?? '')?.[1]);

/** The version that the ETag of a record tells; NaN when there is none of the right form. */
export const versionAt = async (service: TestService, path: string) =>
  versionOf((await service.get(path)).headers.get('etag'));

/** ETag, If-None-Match and If-Match on one record, which `change` (not the same twice) writes and which is deleted at the end. */
export async function expectConditionalRequests(
  service: TestService,
  path: string,
  change: (attempt: number, method: string, request: Request) => Promise<Answer>,
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
  for (const answer of [
    await change(2, 'PATCH', stale),
    await change(2, 'PUT', stale),
    await service.delete(path, stale),
  ]) {
    expect([answer.status, answer.json.error]).toEqual([412, 'precondition_failed']);
  }
  expect((await service.get(path)).headers.get('etag')).toBe(second);

  const put = await change(3, 'PUT', { headers: { 'if-match': `"0.other", ${second}` } });
  expect(put.status).toBe(200);
  expect((await change(4, 'PATCH', { headers: { 'if-match': '*' } })).status).toBe(200);
  const current = (await service.get(path)).headers.get('etag')!;
  const deleted = await service.delete(path, { headers: { 'if-match': current } });
  expect([deleted.status, deleted.text]).toEqual([204, '']);
}

/** All of them say the very same: nobody learns from a refusal that a record stands elsewhere. */
export function expectSameNotFound(word: string, answers: Answer[]): void {
  for (const { status, json } of answers) expect([status, json]).toEqual([404, missing(word)]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
}
