import { spawnSync } from 'node:child_process';

const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const buildSteps = ['dist/db/embedded/create-empty-database.js', 'browser/build.ts', 'console/build.ts'];

/** Compiles the service once for all projects: tests import what ships, and some start it as users do. */
export default function compile() {
  if (process.env.TEST_COMPILED) return;
  // With type errors, which it prints, it still writes the modules.
  run(compiler);
  for (const step of buildSteps) if (run([step]).status) throw new Error(`${step} failed: see above.`);
  process.env.TEST_COMPILED = 'true';
}

const run = args => spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
