import { expect, test } from '@jest/globals';
import { problems } from '../../../src/core/problems.js';
import { maxTags, normalizeTags, Validation } from '../../../src/core/validation.js';

const { componentNotFound } = problems;

test('reports the same problem of a member once, and again after `ignore`', () => {
  const validation = new Validation({ rule: [problems.blank] });
  validation.addErrors({ ids: [componentNotFound(1), componentNotFound(2), componentNotFound(1)] });
  validation.addError('ids', { ...componentNotFound(1), key: 'componentId' });
  validation.addError('rule', problems.tooLong(10));
  expect(validation.errors()).toEqual({
    rule: [problems.blank],
    ids: [componentNotFound(1), componentNotFound(2), { ...componentNotFound(1), key: 'componentId' }],
  });
  validation.ignore(['ids']);
  validation.addError('ids', componentNotFound(1));
  expect(validation.errors().ids).toEqual([componentNotFound(1)]);
});

test('adds a problem without comparing it with earlier ones', () => {
  let reads = 0;
  const counted = (index: number) => ({
    ...componentNotFound(),
    get index() {
      reads += 1;
      return index;
    },
  });
  const validation = new Validation();
  for (let index = 0; index < 1_000; index++) validation.addError('ids', counted(index));
  expect(validation.errors().ids).toHaveLength(1_000);
  expect(reads).toBe(1_000);
});

test('refuses more than 100 different tags', () => {
  const list = (length: number) => Array.from({ length }, (_, index) => `tag ${index}`);
  const validation = new Validation();
  expect(normalizeTags(validation, 'tagList', [...list(maxTags), 'tag 0'])).toHaveLength(100);
  expect(validation.errors()).toEqual({});
  normalizeTags(validation, 'tagList', list(maxTags + 1));
  expect(validation.errors()).toEqual({ tagList: [problems.tooMany(100)] });
});

test('splits tags at commas, of which there are at most 1,000', () => {
  const validation = new Validation();
  expect(normalizeTags(validation, 'tagList', [', a,'.repeat(300), 'b'])).toEqual(['a', 'b']);
  expect(validation.errors()).toEqual({});
  expect(normalizeTags(validation, 'tagList', [',a'.repeat(1_000)])).toEqual(['a']);
  expect(validation.errors()).toEqual({ tagList: [problems.tooMany(100)] });
});

test('accepts more tags than the limit if they are stored already', () => {
  const validation = new Validation();
  const stored = Array.from({ length: maxTags + 1 }, (_, index) => `tag ${index}`);
  expect(normalizeTags(validation, 'tagList', stored, stored)).toEqual(stored);
  expect(validation.errors()).toEqual({});
  normalizeTags(validation, 'tagList', [...stored, 'new'], stored);
  expect(Object.keys(validation.errors())).toEqual(['tagList']);
});
