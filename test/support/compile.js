import { spawnSync } from 'node:child_process';

const buildSteps = ['dist/db/embedded/create-empty-database.js', 'browser/build.ts', 'console/build.ts'];

/**
 * Compiles the service once for all projects: some tests start it as users do. Type errors are reported by `npm run
 * types`.
 */
export default function compile() {
  if (process.env.TEST_COMPILED) return;
  for (const script of [
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
    ...buildSteps.map(step => [step]),
  ])
    spawnSync(process.execPath, script);
  process.env.TEST_COMPILED = 'true';
}
