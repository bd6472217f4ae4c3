import { execFileSync } from 'node:child_process';

/** The indented blocks of a Markdown document, in order. */
export const readExamples = (text: string): string[] =>
  [...text.matchAll(/(?<=\n\n)(?: {4}[^\n]*\n|\n(?= {4}))+/g)].map(([block]) => block.replace(/^ {4}/gm, '').trim());

/** The request that a command with curl sends. The shell expands it, as for a reader; curl itself is not needed. */
export function parseCurl(command: string, environment: Record<string, string>, origin = 'localhost:3000') {
  const script = `curl() { printf '%s\\0' "$@"; case " $* " in *" @- "*) cat ;; esac; }\n${command}`;
  const output = execFileSync('sh', ['-euc', script], { encoding: 'utf8', env: { ...process.env, ...environment } });
  const words = output.split('\0');
  const input = words.pop();
  const request = { url: '', body: undefined as string | undefined, headers: {} as Record<string, string> };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-i' || word === '-N') continue;
    if (word === '-d') request.body = words.shift();
    else if (word === '--data-binary' && words.shift() === '@-') request.body = input;
    else if (word === '-H') {
      const [, name, value] = /^([\w-]+): (.*)$/s.exec(words.shift()!)!;
      request.headers[name!.toLowerCase()] = value!;
    } else if (word.startsWith(`${origin}/`)) request.url = word.slice(origin.length);
    else throw new Error(`The test does not know this word of curl: ${word}`);
  }
  return request;
}
