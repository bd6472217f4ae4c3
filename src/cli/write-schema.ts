import { writeFileSync } from 'node:fs';
import { schemaText } from '../schema.js';

/** `npm run schema`: writes the graph as text, for clients, for reviews, and for the test that tells when it has drifted. */
writeFileSync('schema.graphql', schemaText());
