import { spawnSync } from 'node:child_process';

/** Some tests start the service as its users do: from what is built. That the types hold is another check's to say. */
export default function build() {
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
}
