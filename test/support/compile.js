import { spawnSync } from 'node:child_process';

const emptyDatabase = 'dist/db/embedded/create-empty-database.js';

/**
 * Compiles the service once for all projects: some tests start it as users do. Type errors are reported by `npm run
 * types`.
 */
export default function compile() {
  if (process.env.TEST_COMPILED) return;
  for (const script of [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], [emptyDatabase]])
    spawnSync(process.execPath, script);
  process.env.TEST_COMPILED = 'true';
}
