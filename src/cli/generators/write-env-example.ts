import { writeFileSync } from 'node:fs';
import { renderConfigurationPage, renderEnvExample } from './settings-documents.js';

/** `npm run env-example`: writes the two lists of all settings. A test fails when they are out of date. */
writeFileSync('.env.example', renderEnvExample());
writeFileSync('docs/configuration.md', renderConfigurationPage());
