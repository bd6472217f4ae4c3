import { expect, test } from '@jest/globals';
import { print } from '../../../src/cli/output/print.js';

async function write(isTTY: boolean, text: string): Promise<string> {
  let written = '';
  const stream = {
    isTTY,
    write(part: string, onWritten: () => void) {
      written += part;
      onWritten();
    },
  };
  await print(text, stream as NodeJS.WriteStream);
  return written;
}

test('a terminal gets no control characters of a text but line ends and tabs', async () => {
  const hiding = 'owner\teve@example.com\n\u001b[1A\u001b[2Kviewer\tann@example.com\r\u009b2K\n';
  expect(await write(true, hiding)).toBe('owner\teve@example.com\n�[1A�[2Kviewer\tann@example.com��2K\n');
});

test('a file or a program gets the text as it is', async () => {
  expect(await write(false, '\u001b[2K\r\n')).toBe('\u001b[2K\r\n');
});
