import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The oldest major version of Node that the service is tested on. */
export const oldestNode = 24;

/** What to do where this Node is too old; undefined where it is not. */
export function describeOldNode(): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return undefined;
  const [script, ...args] = process.argv.slice(1);
  const bundled = relative('', fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url)));
  const command = [bundled, relative('', script!), ...args].join(' ');
  const remedy = existsSync(bundled)
    ? `Run it with the one that npm installed: ${command}`
    : `Install Node ${oldestNode}.`;
  return `All Clear needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}. ${remedy}`;
}
