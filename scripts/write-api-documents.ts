import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderApiDocuments } from './api-documents.ts';

/** A part of `npm run schema`: writes docs/api from openapi.json. */
rmSync('docs/api', { recursive: true, force: true });
mkdirSync('docs/api', { recursive: true });
for (const [name, text] of renderApiDocuments(JSON.parse(readFileSync('openapi.json', 'utf8'))))
  writeFileSync(join('docs/api', name), text);
