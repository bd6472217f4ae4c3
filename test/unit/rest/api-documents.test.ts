import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { renderApiDocuments } from '../../../scripts/api-documents.js';

const names = readdirSync('docs/api').filter(name => name.endsWith('.md'));
const written = new Map(names.map(name => [name, readFileSync(`docs/api/${name}`, 'utf8')]));
const openApi = JSON.parse(readFileSync('openapi.json', 'utf8'));

test('docs/api matches openapi.json; `npm run schema` writes it', () => {
  const rendered = renderApiDocuments(openApi);
  expect([...written.keys()].sort()).toEqual([...rendered.keys()].sort());
  for (const [name, text] of rendered) expect(written.get(name)).toBe(text);
});

test('docs/api has each endpoint but the synonyms by PUT, once', () => {
  const endpoints = Object.entries<object>(openApi.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(key => !['parameters', 'put'].includes(key))
      .map(method => `## ${method.toUpperCase()} ${path}`),
  );
  const headings = [...written.values()].flatMap(text => text.match(/^## .*$/gm) ?? []);
  expect(headings.sort()).toEqual(endpoints.sort());
});

test('each parameter and each field of a body or a record has a type', () => {
  for (const [name, text] of written) {
    const rows = text.match(/^\| `[^|]+\|[^|]*\|[^|]*\|$/gm) ?? [];
    for (const row of rows) expect([name, row]).toEqual([name, expect.stringMatching(/^\| `\w[^|]*\| [`\w][^|]* \|/)]);
  }
  expect(written.get('notices.md')).toContain('| `begins_at` (PlannedNotice) | timestamp |');
  expect(written.get('components.md')).toContain('| `name` | string, required |');
  expect(written.get('metrics.md')).toContain('## POST /pages/{page_id}/metrics/{metric_id}/data');
});
