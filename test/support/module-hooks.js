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
/** What `@jest/globals` exports to the current test file. */
const globals = Symbol.for('jest.globals');
let filesRun = 0;

export function importTestFile(url, jestGlobals) {
  globalThis[globals] = { ...jestGlobals };
  return import(`${url}?${++filesRun}`);
}

/** Modules are never unloaded: what the last test file imported would keep Jest's modules of that file, about 8 MB. */
export const releaseGlobals = () => globalThis[globals]?.release?.();

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

function renderGlobals() {
  const names = Object.keys(globalThis[globals]);
  return `
    const globals = globalThis[Symbol.for('jest.globals')];
    export let { ${names.join(', ')} } = globals;
    globals.release = () => { ${names.join(' = ')} = undefined; };`;
}
