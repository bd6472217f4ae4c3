import { execFileSync } from 'node:child_process';

/** The indented blocks of a Markdown document, in order. */
export const readExamples = (text: string): string[] =>
  [...text.matchAll(/(?<=\n\n)(?: {4}[^\n]*\n|\n(?= {4}))+/g)].map(([block]) => block.replace(/^ {4}/gm, '').trim());

interface CurlRequest {
  method: string;
  url: string;
  body: string | undefined;
  headers: Record<string, string>;
  /** Of a multipart form: the path of its file, by name. */
  files: Record<string, string>;
}

/** The request of the first command with curl. */
export const parseCurl = (command: string, environment: Record<string, string>, origin = 'localhost:3000') =>
  listCurlRequests(command, environment, { origin })[0]!;

/** The requests that commands with curl send. The shell expands them, as for a reader; curl itself is not needed. */
export function listCurlRequests(
  commands: string,
  environment: Record<string, string>,
  { origin = 'localhost:3000', folder = '.' } = {},
): CurlRequest[] {
  const separator = '\u001e';
  const script = `curl() { printf '%s\\0' "$@"; case " $* " in *" @- "*) cat ;; esac; printf '${separator}'; }\n${commands}`;
  const env = { ...process.env, ...environment };
  const output = execFileSync('sh', ['-euc', script], { encoding: 'utf8', env, cwd: folder });
  return output
    .split(separator)
    .slice(0, -1)
    .map(words => toRequest(words.split('\0'), origin));
}

function toRequest(words: string[], origin: string): CurlRequest {
  const input = words.pop();
  const request: CurlRequest = { method: '', url: '', body: undefined, headers: {}, files: {} };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-i' || word === '-N') continue;
    if (word === '-X') request.method = words.shift()!;
    else if (word === '-d') request.body = [request.body, words.shift()].filter(part => part !== undefined).join('&');
    else if (word === '--data-binary' && words.shift() === '@-') request.body = input;
    else if (word === '-F') {
      const [, name, path] = /^(\w+)=@(.+)$/.exec(words.shift()!)!;
      request.files[name!] = path!;
    } else if (word === '-H') {
      const [, name, value] = /^([\w-]+): (.*)$/s.exec(words.shift()!)!;
      request.headers[name!.toLowerCase()] = value!;
    } else if (word.startsWith(`${origin}/`)) request.url = word.slice(origin.length);
    else throw new Error(`The test does not know this word of curl: ${word}`);
  }
  request.method ||= request.body === undefined ? 'GET' : 'POST';
  if (request.body !== undefined) request.headers['content-type'] ??= 'application/x-www-form-urlencoded';
  return request;
}
