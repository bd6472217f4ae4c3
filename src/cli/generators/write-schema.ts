import { writeFileSync } from 'node:fs';
import { renderArchiveSchema } from '../../transfer/archive/json-schema.js';
import { renderSchema } from '../../graphql/build-schema.js';
import { derivePageFileFields } from '../../transfer/page-file/page-file.fields.js';
import { renderPageFileSchema } from '../../transfer/page-file/page-file-schema.js';
import { schema } from '../../schema.js';
import { renderOpenApi } from './render-openapi.js';

/**
 * `npm run schema`: writes the schemas of both APIs, for clients, of page files, for editors, and of archives. A test
 * fails when one is out of date.
 */
writeFileSync('schema.graphql', renderSchema(schema));
writeFileSync('openapi.json', renderOpenApi());
writeFileSync('archive.schema.json', renderArchiveSchema());
writeFileSync('examples/page.schema.json', renderPageFileSchema(derivePageFileFields(schema)));
