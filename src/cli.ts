#!/usr/bin/env node
import process from 'node:process';
import { describeOldNode } from './cli/node-version.js';

/**
 * The command line, `allclear`. This file and what it imports statically also run on old versions of Node: there,
 * loading the packages would fail with a stack trace.
 */
const problem = describeOldNode();
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('./cli/main.js');
  await main(process.argv.slice(2));
}
