import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { Command, CommanderError } from 'commander';
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql';
import { commands } from '../../src/cli/commands.js';
import { readExamples } from '../support/guide-examples.js';

const read = (path: string) => readFileSync(path, 'utf8');
/** What is generated is checked where it is generated. */
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].concat(
  ['docs', 'examples'].flatMap(root =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.md') && !/node_modules|^(api|performance)\//.test(path))
      .map(path => join(root, path)),
  ),
);

/** The lines of the code of a document, with those that continue them. */
const listLines = (path: string): string[] =>
  [...read(path).matchAll(/^```\w*\n([\s\S]*?)^```/gm)]
    .map(([, block]) => block!)
    .concat(readExamples(read(path)))
    .flatMap(block => block.replaceAll(/\\\n\s*/g, ' ').split('\n'));
const lines = documents.flatMap(path => listLines(path).map(line => ({ path, line })));

/** The words after `allclear`, without comments, and with examples of what is to be filled in. */
const toArguments = (line: string): string[] =>
  line
    .replace(/\s+#.*$/, '')
    .replace(/\s+[>|&].*$/, '')
    .replaceAll(/[[\]]/g, '')
    .replaceAll('<id>', '2017f84a')
    .replaceAll(/<[\w ]+>/g, 'x')
    .split(/\s+/)
    .filter(Boolean);
const invocation = /(?:^|\s)(?:npx |exec [\w-]+ |dist\/)?(?:allclear|cli\.js) ([a-z-]+\b.*)$/;
const invocations = lines.flatMap(({ path, line }) => {
  const [, rest] = invocation.exec(line) ?? [];
  return rest && !line.startsWith('cp ') ? [{ path, rest, args: toArguments(rest) }] : [];
});

/** Parses arguments as the program does, without running anything. */
async function parseArguments(args: readonly string[]): Promise<string | null> {
  const program = new Command('allclear')
    .version('')
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const environment = { run: async () => {}, resolvePath: (path: string) => path };
  for (const [name, { load }] of Object.entries(commands)) {
    const command = program.command(name);
    if (args[0] === name) (await load()).define(command, environment);
  }
  const listLeaves = (command: Command): Command[] =>
    command.commands.length ? command.commands.flatMap(listLeaves) : [command];
  for (const command of listLeaves(program)) command.action(() => {});
  try {
    await program.parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? null : error.message;
  }
}

test('the documents contain commands of many kinds', () => {
  const names = new Set(invocations.map(({ args }) => args[0]));
  expect(names.size).toBeGreaterThan(12);
});

test.each(invocations.filter(({ args }) => args[0] !== 'help'))('$path: allclear $rest', async ({ args }) => {
  expect(await parseArguments(args)).toBeNull();
});

test.each([
  ['token create --rights all', "error: unknown option '--rights'"],
  ['reset everything', "error: unknown command 'reset'"],
])('a command that does not exist is found: %s', async (line, message) => {
  expect(await parseArguments(line.split(' '))).toContain(message);
});

test('every script of package.json that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap(path =>
    [...read(path).matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, name]) => ({ path, name: name! })),
  );
  const inExample = ({ path, name }: { path: string; name: string }) => {
    const folder = join(path, '..', 'package.json');
    return path.startsWith('examples/') && existsSync(folder) && name in JSON.parse(read(folder)).scripts;
  };
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(one => !(one.name in scripts || inExample(one)))).toEqual([]);
});

test('every file of the repository that a command names exists', () => {
  const named = lines.flatMap(({ path, line }) =>
    [
      ...line.matchAll(
        /(?<![\w/.<:-])(?:\/opt\/all-clear\/)?((?:deploy|scripts|bench|examples)\/[\w./-]*\w)(?:\.?(\*))?/g,
      ),
    ].map(([, file, isPattern]) => ({ path, file: file!, isPattern: Boolean(isPattern) })),
  );
  expect(named.length).toBeGreaterThan(10);
  const exists = ({ file, isPattern }: { file: string; isPattern: boolean }) =>
    isPattern ? readdirSync(join(file, '..')).some(name => join(file, '..', name).startsWith(file)) : existsSync(file);
  expect(named.filter(one => !exists(one))).toEqual([]);
});

let schema: GraphQLSchema;
beforeAll(() => {
  schema = buildSchema(read('schema.graphql'));
});

const operations = documents.flatMap(path =>
  readExamples(read(path))
    // Those that begin with another line, such as a command, have an operation after an empty one.
    .flatMap(example => (/^(query|mutation|subscription)\b/.test(example) ? [example] : example.split('\n\n')))
    .filter(example => /^((query|mutation|subscription)\b|\{\s*\w+\s*[({])/.test(example))
    .map(example => ({ path, example, title: example.split('\n').slice(0, 2).join(' ') })),
);

test.each(operations)('$path: a GraphQL document is valid: $title', ({ example }) => {
  // A block may have several operations, of which some have no name, and the fragments that all of them select.
  const parts = example.split(/\n(?=(?:query|mutation|subscription|fragment)\b)/);
  const fragments = parts.filter(part => part.startsWith('fragment'));
  const problems = parts
    .filter(part => !fragments.includes(part))
    .flatMap(operation => validate(schema, parse([operation, ...fragments].join('\n'))));
  expect(problems.map(({ message }) => message)).toEqual([]);
});
