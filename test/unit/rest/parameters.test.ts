import { describe, expect, test } from '@jest/globals';
import {
  expandBrackets,
  mergeParameters,
  type Parameter,
  parseQueryParameters,
  UploadedFile,
} from '../../../src/rest/request/parameters.js';

const badRequest = (sentence: RegExp) =>
  expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(sentence) });

function collectPrototypes(value: Parameter): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return [];
  const own = Array.isArray(value) ? [] : [Object.getPrototypeOf(value)];
  return [...own, ...Object.values(value).flatMap(collectPrototypes)];
}

describe('parseQueryParameters', () => {
  test.each<[string, string, object]>([
    ['is empty', '', {}],
    ['has empty parts', '&&name=x&', { name: 'x' }],
    ['writes a blank as a plus', 'name=a+b%2Bc', { name: 'a b+c' }],
    ['leaves out the equals sign', 'name', { name: '' }],
    ['has an equals sign in a value', 'name=a=b', { name: 'a=b' }],
    ['has percent-encoded text', 'n%61me=%E2%98%83', { name: '☃' }],
    ['has text that is not percent-encoded', 'n☃=☃', { 'n☃': '☃' }],
    ['has a percent sign that is encoded twice', 'a%255B%255D=%2541', { 'a%5B%5D': '%41' }],
    ['has U+0000', 'name=%00', { name: '\0' }],
    ['has dots', 'a.b=1', { 'a.b': '1' }],
    ['has commas', 'include=brand,notices', { include: 'brand,notices' }],
    ['has no name', '=x&name=y', { '': 'x', name: 'y' }],
  ])('parses a query string that %s', (_, query, parameters) => {
    expect(parseQueryParameters(query)).toEqual(parameters);
  });

  test.each<[string, string, object]>([
    ['takes the last value of a repeated name', 'name=a&name=b', { name: 'b' }],
    ['takes the last value of a repeated name in a map', 'filter[id_eq]=1&filter[id_eq]=2', { filter: { id_eq: '2' } }],
    ['collects the members of a repeated list', 'a[]=1&a[]=2', { a: ['1', '2'] }],
    ['decodes encoded brackets', 'a%5B%5D=1&a[]=2', { a: ['1', '2'] }],
    ['retains a list of one blank', 'a[]=', { a: [''] }],
    ['retains blanks in a list', 'a[]=&a[]=1&a[]=', { a: ['', '1', ''] }],
    ['reads a list member without an equals sign as a blank', 'a[]=1&a[]', { a: ['1', ''] }],
    ['appends a scalar to the list before it', 'a[]=x&a=y', { a: ['x', 'y'] }],
    ['appends a blank to the list before it', 'a[]=x&a=', { a: ['x', ''] }],
    ['prepends a scalar to the list after it', 'a=y&a[]=x', { a: ['y', 'x'] }],
    ['parses a list in a filter', 'filter[id_in][]=1&filter[id_in][]=2', { filter: { id_in: ['1', '2'] } }],
    ['parses a list in a nested filter', 'filter[notices][state_in][]=z', { filter: { notices: { state_in: ['z'] } } }],
    ['orders the members of a list by their index', 'a[5]=x&a[2]=y', { a: ['y', 'x'] }],
    ['parses five levels of brackets', 'a[b][c][d][e][f]=1', { a: { b: { c: { d: { e: { f: '1' } } } } } }],
    [
      'treats unbalanced brackets as part of the name',
      'a[b=1&c]=2&[d]=3&e[f]g=4',
      { 'a[b': '1', 'c]': '2', '[d]': '3', 'e[f]g': '4' },
    ],
  ])('%s', (_, query, parameters) => {
    expect(parseQueryParameters(query)).toEqual(parameters);
  });

  test('turns a scalar and a map of the same name into a list', () => {
    expect(parseQueryParameters('filter=1&filter[id_eq]=2')).toEqual({ filter: ['1', { id_eq: '2' }] });
    expect(parseQueryParameters('filter[id_eq]=2&filter=1')).toEqual({ filter: [{ id_eq: '2' }, '1'] });
  });

  test('accepts a list of 1,000 members', () => {
    const { a } = parseQueryParameters(Array.from({ length: 1000 }, (_, index) => `a[]=${index}`).join('&'));
    expect(a).toHaveLength(1000);
    expect(parseQueryParameters('a[999]=x')).toEqual({ a: ['x'] });
  });

  test.each([
    ['a percent sign alone', 'name=%', /percent/],
    ['a percent sign before no hex digits', 'name=%zz', /percent/],
    ['a broken name', '%f=1', /percent/],
    ['percent-encoded bytes that are not UTF-8', 'name=%ff', /percent/],
    ['an overlong percent encoding', 'name=%c0%80', /percent/],
    ['half of a surrogate pair', 'name=%ed%a0%80', /percent/],
    ['six levels of brackets', 'a[b][c][d][e][f][g]=1', /deep/],
    ['six levels of a list', 'a[][][][][][]=1', /deep/],
    ['a member numbered 1,000', 'a[1000]=x', /999/],
    ['1,001 parameters', 'a&'.repeat(1001), /1,000/],
    ['1,001 members of a list', 'a[]=1&'.repeat(1001), /1,000/],
  ])('refuses %s', (_, query, sentence) => {
    expect(() => parseQueryParameters(query)).toThrow(badRequest(sentence));
  });

  test.each([
    ['in a row', `a${'[b]'.repeat(1000)}=1`],
    ['nested in each other', `a${'['.repeat(1000)}${']'.repeat(1000)}=1`],
    ['without closing ones', `a${'['.repeat(1000)}=1`],
    ['encoded', `a${'%5B%5D'.repeat(1000)}=1`],
    ['in each of a thousand parameters', `a${'[b]'.repeat(1000)}=1&`.repeat(1000)],
  ])('refuses a thousand brackets %s', (_, query) => {
    expect(() => parseQueryParameters(query)).toThrow(badRequest(/deep/));
  });
});

describe('names with a meaning in JavaScript', () => {
  test.each(['constructor', 'hasOwnProperty', 'toString', 'prototype', 'valueOf', 'length'])(
    'treats %s as an ordinary name',
    name => {
      const parameters = parseQueryParameters(`${name}=1&a[${name}]=2&b[${name}][c]=3`);
      expect(Object.entries(parameters)).toEqual([
        [name, '1'],
        ['a', { [name]: '2' }],
        ['b', { [name]: { c: '3' } }],
      ]);
    },
  );

  test('drops __proto__ at every level', () => {
    const parameters = parseQueryParameters(
      '__proto__=1&__proto__[a]=1&__proto__[]=1&b[__proto__][c]=1&b[d]=2&constructor[prototype][e]=1',
    );
    expect(JSON.stringify(parameters)).toBe('{"b":{"d":"2"},"constructor":{"prototype":{"e":"1"}}}');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('creates objects without a prototype at every level', () => {
    const parameters = parseQueryParameters('a[b][c]=1&d[][e]=2&a[f][0][g]=3&h[0]=1&h[i]=2');
    expect(parameters).toEqual({ a: { b: { c: '1' }, f: [{ g: '3' }] }, d: [{ e: '2' }], h: { 0: '1', i: '2' } });
    expect(new Set(collectPrototypes(parameters))).toEqual(new Set([null]));
  });
});

describe('expandBrackets', () => {
  test('passes values other than text through unchanged', () => {
    const file = new UploadedFile(Buffer.from('bytes'));
    const parameters = expandBrackets([
      ['theme[zip]', file],
      ['list[]', 'a'],
      ['list[]', 'b'],
    ]);
    expect(parameters).toEqual({ theme: { zip: file }, list: ['a', 'b'] });
    expect(Object.values(parameters.theme as object)[0]).toBe(file);
  });
});

describe('mergeParameters', () => {
  test('prefers the path to the body, and the body to the query string', () => {
    const merged = mergeParameters({ a: 'query', b: 'query', c: 'query' }, { a: 'body', b: 'body' }, { a: 'path' });
    expect(merged).toEqual({ a: 'path', b: 'body', c: 'query' });
    expect(Object.getPrototypeOf(merged)).toBeNull();
  });

  test('replaces lists and maps as a whole', () => {
    const query = parseQueryParameters('list[]=1&list[]=2&map[a]=1');
    const body = parseQueryParameters('list[]=3&map[b]=2');
    expect(mergeParameters(query, body, {})).toEqual({ list: ['3'], map: { b: '2' } });
    expect(query).toEqual({ list: ['1', '2'], map: { a: '1' } });
  });

  test('prefers a null or a blank in the body to the query string', () => {
    expect(mergeParameters({ a: '1', b: '1' }, { a: null, b: '' }, {})).toEqual({ a: null, b: '' });
  });
});
