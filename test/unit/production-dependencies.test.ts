import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { oldestNode } from '../../src/cli/node-version.js';

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { dependencies, optionalDependencies, engines } = readJson('package.json') as Record<
  string,
  Record<string, string>
>;
const locked = Object.entries(readJson('package-lock.json').packages as Record<string, LockedPackage>)
  .filter(([path, { dev, devOptional }]) => path && !dev && !devOptional)
  .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));

/** Compilers, bundlers, linters, test tools, and generators of migrations or types. */
const buildTools =
  /^(typescript|esbuild|rollup|vite|webpack|terser|ts-morph|tsx|ts-node|eslint|prettier|jest|react|react-dom|umzug|knex|mikro-orm|node-gyp)$|^@(swc|babel|esbuild|jest|biomejs|rollup|sinclair|mikro-orm\/(cli|knex|reflection))(\/|$)/;

test('no build tool is among the production packages', () => {
  expect(locked.filter(name => buildTools.test(name))).toEqual([]);
});

test('docs/dependencies.md has a line for each production dependency, and says how many packages there are', () => {
  const text = readFileSync('docs/dependencies.md', 'utf8');
  const names = [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => {
    const cells = [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    // `@mikro-orm/core`, `decorators`: the scope is written once.
    const scope = /^@[^/]+\//.exec(cells[0]!)?.[0] ?? '';
    return cells.map(name => (name in dependencies! ? name : `${scope}${name}`));
  });
  expect(names.toSorted()).toEqual(Object.keys(dependencies!).toSorted());
  expect(text).toContain(`they are ${locked.length} packages`);
});

test('production dependencies have exact versions', () => {
  const versions = Object.values({ ...dependencies, ...optionalDependencies });
  expect(versions.filter(version => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('the package requires the Node that the programs require, and brings it', () => {
  expect(engines).toEqual({ node: `>=${oldestNode}` });
  for (const version of Object.values(optionalDependencies!)) expect(version).toMatch(new RegExp(`^${oldestNode}\\.`));
});
