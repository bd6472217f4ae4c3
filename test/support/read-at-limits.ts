import { fileParsers } from './file-parsers.js';
import { textParsers } from './text-parsers.js';

/**
 * A process that reads the worst inputs of all parsers. It writes a line of JSON for each input that it has read, so
 * that a test can kill it and knows where it was.
 */
for (const { input, worst, beyond, read } of [...textParsers, ...fileParsers]) {
  const write = async (name: string, given: unknown) => {
    const outcome = await Promise.resolve(given)
      .then(read)
      .then(
        result => (result === null ? 'refused' : 'read'),
        () => 'refused',
      );
    process.stdout.write(`${JSON.stringify([input, name, outcome])}\n`);
  };
  for (const [name, create] of Object.entries(worst)) await write(name, create(0));
  await write('beyond', beyond());
}
