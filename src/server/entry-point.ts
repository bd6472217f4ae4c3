import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The oldest major version of Node that the service is tested on. */
export const oldestNode = 24;

/**
 * Runs a program of the service, unless it is asked for help. This file and what it imports statically also run on old
 * versions of Node: there, loading the packages would fail with a stack trace. `announcement` is printed before, since
 * they take seconds on a slow machine.
 */
export async function runEntryPoint(
  help: string,
  load: () => Promise<{ run(): Promise<void> }>,
  announcement = '',
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
  } else if (Number.parseInt(process.versions.node, 10) < oldestNode) {
    process.stderr.write(`${describeOldNode()}\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(announcement);
    await (await load()).run();
  }
}

function describeOldNode(): string {
  const bundled = relative('', fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url)));
  const remedy = existsSync(bundled)
    ? `Run it with the one that npm installed: ${bundled} ${relative('', process.argv[1]!)}`
    : `Install Node ${oldestNode}.`;
  return `All Clear needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}. ${remedy}`;
}
