import { writeFileSync } from 'node:fs';
import { renderSchema } from '../graphql/build-schema.js';
import { schema } from '../schema.js';
import { renderOpenApi } from './render-openapi.js';

/** `npm run schema`: writes the schemas of both APIs, for clients. A test fails when one is out of date. */
writeFileSync('schema.graphql', renderSchema(schema));
writeFileSync('openapi.json', renderOpenApi());
