import { join } from 'node:path';
import { bundle } from '../scripts/bundle.ts';
import { writeDocuments } from './generate-documents.ts';

/** Part of `npm run build`: the console in dist/console. */
await writeDocuments();
const shared = ['src/i18n/locales.ts', 'src/pages/branding/state-styles.ts', 'src/pages/branding/icon-paths.ts'];
await bundle('console', ['console', ...shared], build =>
  build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'error' }),
);
