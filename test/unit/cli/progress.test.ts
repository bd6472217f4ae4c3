import { expect, test } from '@jest/globals';
import { createProgress } from '../../../src/cli/output/progress.js';

function render(isTTY: boolean): string[] {
  const written: string[] = [];
  const write = (text: string) => Boolean(written.push(text));
  const progress = createProgress('export', { isTTY, write } as NodeJS.WriteStream);
  for (let done = 0; done <= 200; done++) progress(done, 200);
  return written;
}

test('a log gets a line for each 10 %', () => {
  expect(render(false)).toEqual(Array.from({ length: 11 }, (_, index) => `export: ${index * 10} %\n`));
});

test('a terminal gets a bar that is drawn again for each percent', () => {
  const written = render(true);
  expect(written.length).toBe(101);
  expect(written[50]).toBe(`\rexport ${'█'.repeat(15)}${'░'.repeat(15)} 50 %`);
  expect(written.at(-1)).toMatch(/ 100 %\n$/);
});

test('no work at all is done work', () => {
  const written: string[] = [];
  createProgress('export', { isTTY: false, write: text => Boolean(written.push(String(text))) } as NodeJS.WriteStream)(
    0,
    0,
  );
  expect(written).toEqual(['export: 100 %\n']);
});
