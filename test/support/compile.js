import { spawnSync } from 'node:child_process';

/**
 * Compiles the service once for all projects: some tests start it as users do. Type errors are reported by `npm run
 * types`.
 */
export default function compile() {
  if (process.env.TEST_COMPILED) return;
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  process.env.TEST_COMPILED = 'true';
}
