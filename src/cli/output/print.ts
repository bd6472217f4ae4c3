import process from 'node:process';

/** All but line ends and tabs. Those of a text could move the cursor over other lines, or set the clipboard. */
const controlCharacters = /[^\P{Control}\n\t]/gu;

/** Waits until the stream has accepted the text. A terminal shows its control characters as U+FFFD. */
export const print = (text: string, stream: NodeJS.WriteStream = process.stdout): Promise<void> =>
  new Promise(done => stream.write(stream.isTTY ? text.replace(controlCharacters, '\ufffd') : text, () => done()));
