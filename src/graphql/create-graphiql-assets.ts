import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { graphiqlFolder } from './graphiql-assets.js';

/**
 * Part of `npm run build`: writes the scripts, the styles and the workers of the editor, which its package exports as
 * texts. So the package, and what it depends on, is not needed to run the service.
 */
const require = createRequire(import.meta.url);
const texts: Record<string, unknown> = require('@graphql-yoga/render-graphiql/graphiql');
mkdirSync(graphiqlFolder, { recursive: true });
for (const [name, text] of Object.entries(texts))
  if (typeof text === 'string' && name !== 'favicon')
    writeFileSync(new URL(`${name}.gz`, graphiqlFolder), gzipSync(text));
copyFileSync(
  require.resolve('@graphql-yoga/render-graphiql/package.json').replace(/package\.json$/, 'LICENSE'),
  new URL('LICENSE', graphiqlFolder),
);
