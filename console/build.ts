import { join } from 'node:path';
import { bundle } from '../scripts/bundle.ts';
import { writeDocuments } from './generate-documents.ts';

/** Part of `npm run build`: the console in dist/console. */
await writeDocuments();
await bundle('console', ['console', 'src/i18n/locales.ts'], build =>
  build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'error' }),
);
