import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { bundle } from '../scripts/bundle.ts';

/** Part of `npm run build`: the scripts of the service's own pages, and the GraphQL editor, in dist/browser. */
const folder = import.meta.dirname;
const shared: InlineConfig = { configFile: false, logLevel: 'error' };

/** Each is one file without imports: most are inline. */
const scripts = ['page', 'push', 'push-worker', 'scheme', 'sign-in', 'widget'];

/**
 * `virtual:graphiql` has the URLs of the script, the styles and the workers of the editor, which its package exports as
 * texts. So the package, and what it depends on, is not needed to run the service.
 */
const editorPackage = '@graphql-yoga/render-graphiql/graphiql';
const virtualModule = 'virtual:graphiql';
const require = createRequire(import.meta.url);
const editorFiles: Plugin = {
  name: 'graphiql',
  resolveId: id => (id === virtualModule ? id : undefined),
  load(id) {
    if (id !== virtualModule) return;
    const { favicon, ...texts } = require(editorPackage) as Record<string, string>;
    const urls = Object.entries(texts).map(([name, source]) => {
      const reference = this.emitFile({ type: 'asset', name: name === 'css' ? 'editor.css' : `${name}.js`, source });
      return `export const ${name} = import.meta.ROLLUP_FILE_URL_${reference};`;
    });
    return urls.join('\n');
  },
};

await bundle('browser', ['browser', 'src/pages/branding', 'src/status-page/widget'], async (build, output) => {
  for (const name of scripts)
    await build({
      ...shared,
      build: {
        outDir: output,
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry: join(folder, `${name}.ts`), formats: ['iife'], name: 'script', fileName: () => `${name}.js` },
      },
    });
  await build({
    ...shared,
    root: join(folder, 'graphiql'),
    base: '/graphql/',
    plugins: [editorFiles],
    build: { outDir: join(output, 'graphiql'), target: 'es2022', modulePreload: { polyfill: false } },
  });
  const license = join(dirname(dirname(require.resolve(editorPackage))), 'LICENSE');
  cpSync(license, join(output, 'graphiql/LICENSE'));
});
