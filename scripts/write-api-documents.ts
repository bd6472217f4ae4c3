import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderApiDocuments } from './api-documents.ts';
import { renderGraphqlDocuments } from './graphql/documents.ts';

/**
 * A part of `npm run schema`: writes docs/api from openapi.json, and docs/api/graphql from schema.graphql and the
 * examples of docs/graphql-api.md.
 */
const read = (path: string) => readFileSync(path, 'utf8');
const write = (folder: string, texts: Map<string, string>) => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of texts) writeFileSync(join(folder, name), text);
};
rmSync('docs/api', { recursive: true, force: true });
write('docs/api', renderApiDocuments(JSON.parse(read('openapi.json'))));
write('docs/api/graphql', renderGraphqlDocuments(read('schema.graphql'), read('docs/graphql-api.md')));
