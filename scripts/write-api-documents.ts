import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderApiDocuments } from './api-documents.ts';

/** A part of `npm run schema`: writes docs/api from openapi.json. */
const folder = 'docs/api';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of renderApiDocuments(JSON.parse(readFileSync('openapi.json', 'utf8'))))
  writeFileSync(join(folder, name), text);
