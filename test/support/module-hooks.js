import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Lets Node load the modules of test/, whose types it strips by itself. Their imports of src are those of dist, which is
 * what ships and is evaluated once a process. Modules of test/ are evaluated once a test file: they inherit the query of
 * its URL, and another URL is another module.
 */
const root = new URL('../../', import.meta.url).href;
const tests = `${root}test/`;
const sources = `${root}src/`;
const globals = Symbol.for('jest.globals');
let filesRun = 0;

/** Evaluates a test file, for which `@jest/globals` exports `jestGlobals`. */
export function importTestFile(url, jestGlobals) {
  globalThis[globals] = jestGlobals;
  return import(`${url}?${++filesRun}`);
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    if (!parentURL.startsWith(tests) || parentURL.includes('/node_modules/')) return next(specifier, context);
    const { search } = new URL(parentURL);
    if (specifier === '@jest/globals') return { url: `jest:globals${search}`, format: 'module', shortCircuit: true };
    if (!/^\.\.?\//.test(specifier)) return next(specifier, context);
    const { href } = new URL(specifier, parentURL);
    const source = href.replace(/\.js$/, '.ts');
    // dist may still have a module that src has no more.
    if (!existsSync(new URL(source))) return next(href, context);
    if (source.startsWith(sources)) return next(href.replace(sources, `${root}dist/`), context);
    return next(source.startsWith(tests) ? `${source}${search}` : source, context);
  },
  load: (url, context, next) =>
    url.startsWith('jest:globals')
      ? { format: 'module', shortCircuit: true, source: renderGlobals() }
      : next(url, context),
});

const renderGlobals = () =>
  `export const { ${Object.keys(globalThis[globals]).join(', ')} } = globalThis[Symbol.for('jest.globals')];`;
