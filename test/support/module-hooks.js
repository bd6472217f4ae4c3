import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';

/**
 * Lets Node's own module loader run the TypeScript of the project. Modules of src and node_modules are evaluated once
 * a process, those of test once a test file: they inherit the query of its URL, and another URL is another module.
 */
const root = new URL('../../', import.meta.url);
const tests = new URL('test/', root).href;
const sources = new URL('src/', root).href;
const swcrc = readFileSync(new URL('.swcrc', root), 'utf8');
const cache = new URL('node_modules/.cache/tests/', root);
mkdirSync(cache, { recursive: true });

/** The path of the source map of each compiled module, by its URL. */
export const sourceMaps = new Map();
const globals = Symbol.for('jest.globals');
let filesRun = 0;

/** Evaluates a test file, for which `@jest/globals` exports `jestGlobals`. */
export function importTestFile(path, jestGlobals) {
  globalThis[globals] = jestGlobals;
  return import(`${pathToFileURL(path).href}?${++filesRun}`);
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    const isTest = parentURL.startsWith(tests);
    if (!isTest && !parentURL.startsWith(sources)) return next(specifier, context);
    const { search } = new URL(parentURL);
    if (specifier === '@jest/globals') return { url: `jest:globals${search}`, format: 'module', shortCircuit: true };
    const url = /^\.{1,2}\//.test(specifier) ? new URL(specifier.replace(/\.js$/, '.ts'), parentURL) : null;
    if (!url?.pathname.endsWith('.ts') || !existsSync(url)) return next(specifier, context);
    if (url.href.startsWith(tests)) url.search = search;
    return { url: url.href, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (url.startsWith('jest:')) return { format: 'module', shortCircuit: true, source: renderGlobals() };
    const [file] = url.split('?');
    const isOurs = file.startsWith(root.href) && !file.includes('/node_modules/');
    if (!file.endsWith('.ts') || !isOurs) return next(url, context);
    return { format: 'module', shortCircuit: true, source: compile(url, fileURLToPath(file)) };
  },
});

const renderGlobals = () =>
  `export const { ${Object.keys(globalThis[globals]).join(', ')} } = globalThis[Symbol.for('jest.globals')];`;

function compile(url, path) {
  const text = readFileSync(path, 'utf8');
  const target = fileURLToPath(
    new URL(createHash('sha256').update(swcrc).update(path).update(text).digest('hex'), cache),
  );
  sourceMaps.set(url, `${target}.map`);
  if (!existsSync(target)) {
    const options = { ...JSON.parse(swcrc), swcrc: false, filename: path, sourceMaps: true };
    const { code, map } = swc.transformSync(text, options);
    writeAtomically(`${target}.map`, map);
    writeAtomically(target, code);
  }
  return readFileSync(target, 'utf8');
}

/** Another process can compile the same file at the same time. */
function writeAtomically(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
