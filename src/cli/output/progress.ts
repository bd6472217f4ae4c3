import process from 'node:process';
import type { CommandContext } from '../../server/command-runner.js';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

const barLength = 30;

/** A bar on a terminal, which is redrawn for each percent; elsewhere, as in the log of a job, a line for each 10 %. */
export function createProgress(
  label: string,
  output: Output = process.stderr,
): NonNullable<CommandContext['progress']> {
  const step = output.isTTY ? 1 : 10;
  let shown = -1;
  return (done, total) => {
    const percent = total ? Math.floor((done / total) * 100) : 100;
    const rounded = percent - (percent % step);
    if (rounded <= shown) return;
    shown = rounded;
    if (!output.isTTY) {
      output.write(`${label}: ${rounded} %\n`);
      return;
    }
    const bar = '█'.repeat(Math.round((percent / 100) * barLength)).padEnd(barLength, '░');
    output.write(`\r${label} ${bar} ${percent} %${percent === 100 ? '\n' : ''}`);
  };
}
