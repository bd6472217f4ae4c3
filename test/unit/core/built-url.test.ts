import { expect, test } from '@jest/globals';
import { toBuiltUrl } from '../../../src/core/built-url.js';

test.each([
  ['file:///home/src/all-clear/src/db/server.ts', 'file:///home/src/all-clear/dist/db/thread.js'],
  ['file:///home/all-clear/dist/db/server.js', 'file:///home/all-clear/dist/db/thread.js'],
  // A checkout in a folder of this name, as in an image.
  ['file:///src/dist/db/server.js', 'file:///src/dist/db/thread.js'],
])('the file that the build wrote beside %s is in dist', (module, file) => {
  expect(toBuiltUrl('./thread.js', module).href).toBe(file);
});
