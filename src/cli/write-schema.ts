import { writeFileSync } from 'node:fs';
import { renderSchema } from '../graphql/build-schema.js';
import { schema } from '../schema.js';

/** `npm run schema`: writes the GraphQL schema, for clients and for reviews. A test fails when it is out of date. */
writeFileSync('schema.graphql', renderSchema(schema));
