import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { createDocumentStore } from '../../../src/graphql/server.js';

const maxSize = 16 * 1024 * 1024;

/** How many of 100 documents are kept. */
async function countKept(createText: (number: number) => string): Promise<number> {
  const store = createDocumentStore(maxSize);
  const texts = Array.from({ length: 100 }, (_, number) => createText(number));
  for (const text of texts) await store.set(text, parse(text));
  const kept = await Promise.all(texts.map(text => store.get(text)));
  return kept.filter(Boolean).length;
}

test('keeps documents as long as frontends write', async () => {
  const fields = Array.from({ length: 20 }, (_, index) => `field${index}`).join(' ');
  expect(await countKept(number => `query Q${number} { page(id: "1") { ${fields} } }`)).toBe(100);
});

test('counts the text of a document, which its nodes keep', async () => {
  expect(await countKept(number => `query Q${number} { __typename }${' '.repeat(90_000)}`)).toBe(3);
});

test('counts the nodes of a document', async () => {
  expect(await countKept(number => `query Q${number} { ${'a '.repeat(2_000)} }`)).toBeLessThan(12);
});
