import './core/load-env.js';
import { resolve } from 'node:path';
import process from 'node:process';
import { stopWith } from './server/process.js';

/** `npm run token`, `npm run demo` and `npm run export`. */
try {
  const words = process.argv.slice(2);
  // The service may run in another folder.
  if (words[0] === 'export' && words[1]) words[1] = resolve(words[1]);
  const { onDatabase } = await import('./cli/on-database.js');
  const { text, code } = await onDatabase(words);
  process.exitCode = code;
  process.stdout.write(text);
} catch (error) {
  await stopWith(error);
}
