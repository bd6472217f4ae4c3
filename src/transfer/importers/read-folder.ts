import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../../core/errors.js';
import type { Answers } from './source.js';

/** `incidents.json` and, where the API has several pages of them, `incidents-2.json` and so on. */
const filePattern = /^(.+?)(?:-(\d+))?\.json$/;

/** Reads saved answers from a folder, or from one file. `check` refuses the content of a file before it is parsed. */
export async function readAnswers(
  path: string,
  names: readonly string[],
  check: (content: Buffer, name: string) => void = () => {},
): Promise<Answers> {
  const found = await listFiles(path);
  const answers: Record<string, unknown> = {};
  for (const file of found.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))) {
    const name = filePattern.exec(basename(file))?.[1];
    if (!name || !names.includes(name)) continue;
    const content = await readFile(file);
    check(content, basename(file));
    addAnswer(answers, name, parse(content, basename(file)));
  }
  if (Object.keys(answers).length) return answers;
  throw new CommandError(`${path} has none of the files ${names.map(name => `${name}.json`).join(', ')}.\n`);
}

async function listFiles(path: string): Promise<string[]> {
  try {
    return (await stat(path)).isDirectory() ? (await readdir(path)).map(name => join(path, name)) : [path];
  } catch {
    throw new CommandError(`${path} cannot be read.\n`);
  }
}

function addAnswer(answers: Record<string, unknown>, name: string, answer: unknown): void {
  const before = answers[name];
  answers[name] = Array.isArray(before) && Array.isArray(answer) ? [...before, ...answer] : answer;
}

function parse(content: Buffer, name: string): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch (error) {
    throw new CommandError(`${name} is not JSON: ${(error as Error).message}\n`);
  }
}
