import { describe, expect, test } from '@jest/globals';
import { fingerprint } from '../../../src/http/fingerprint.js';
import { type Parameter, UploadedFile } from '../../../src/rest/request/parameters.js';

describe('fingerprint', () => {
  test('is a SHA-256 in hex', () => {
    expect(fingerprint({})).toMatch(/^[0-9a-f]{64}$/);
  });

  test('does not depend on the order of names at any level', () => {
    expect(fingerprint({ a: '1', b: { c: '2', d: '3' } })).toBe(fingerprint({ b: { d: '3', c: '2' }, a: '1' }));
  });

  test('depends on the bytes of a file', () => {
    const file = (content: string) => fingerprint({ zip: new UploadedFile(Buffer.from(content)) });
    expect(file('same')).toBe(file('same'));
    expect(file('same')).not.toBe(file('other'));
  });

  test('differs for parameters that differ in type, order or structure', () => {
    const emptyFile = new UploadedFile(Buffer.alloc(0));
    const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const different: Parameter[] = [
      '',
      '1',
      'true',
      'null',
      emptyHash,
      1,
      0,
      true,
      false,
      null,
      [],
      [[]],
      {},
      ['1'],
      [1],
      ['1', '2'],
      ['2', '1'],
      ['12'],
      { 0: '1' },
      { a: '1' },
      { a: 1 },
      [['a', '1']],
      emptyFile,
      { file: emptyHash },
      { list: [] },
      { map: [] },
    ];
    expect(new Set(different.map(value => fingerprint({ value }))).size).toBe(different.length);
    expect(fingerprint({})).not.toBe(fingerprint({ value: null }));
  });
});
