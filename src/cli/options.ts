import { CommandError } from '../core/errors.js';

/** Separates `--name value` from the other words. Throws the usage for an unknown name, or one without a value. */
export function parseOptions(
  args: readonly string[],
  names: readonly string[],
  usage: string,
): { options: Record<string, string>; words: string[] } {
  const options: Record<string, string> = {};
  const words: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    if (!word.startsWith('--')) {
      words.push(word);
      continue;
    }
    const name = word.slice(2);
    const value = args[++index];
    if (!names.includes(name) || name in options || value === undefined || value === '' || value.startsWith('--'))
      throw new CommandError(usage);
    options[name] = value;
  }
  return { options, words };
}
