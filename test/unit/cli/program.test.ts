import { afterEach, describe, expect, test } from '@jest/globals';
import type { DatabaseTask } from '../../../src/cli/command.js';
import { commands } from '../../../src/cli/commands.js';
import { runProgram } from '../../../src/cli/program.js';

/** What a command line would run on the database, and what is printed in place of it. */
async function parse(...args: string[]) {
  const tasks: DatabaseTask[] = [];
  let printed = '';
  const collect = (text: string) => {
    printed += text;
  };
  const code = await runProgram(
    args,
    { run: async task => void tasks.push(task), resolvePath: path => `/home/${path}` },
    { writeOut: collect, writeErr: collect },
  );
  return { code, printed, task: tasks[0] };
}

test('the help lists all commands and the exit codes', async () => {
  const { code, printed } = await parse('help');
  expect(code).toBe(0);
  for (const [name, { summary }] of Object.entries(commands))
    expect(printed).toMatch(new RegExp(`${name} +${summary}`));
  expect(printed).toContain('Exit codes: ');
});

test.each(Object.keys(commands))('%s explains itself', async name => {
  const help = await parse(name, '--help');
  expect(help).toEqual({ code: 0, printed: expect.stringMatching(`^Usage: allclear ${name} `), task: undefined });
  expect(await parse('help', name)).toEqual(help);
});

describe('a command line that is not valid is refused', () => {
  test.each([
    ['token delete', "unknown command 'delete'"],
    ['token create --scope', "option '--scope <scope>' argument missing"],
    ['token create --role admin', "argument 'admin' is invalid"],
    ['token create --scope all', "argument 'all' is invalid"],
    ['token create --role viewer --scope read', "'--scope <scope>' cannot be used with option '--role <role>'"],
    ['token create --expires 0d', "argument '0d' is invalid"],
    ['token create --expires 2020-01-01T00:00:00Z', 'It must be days, such as 30d, a time to come, or never.'],
    ['token create --expires soon', "argument 'soon' is invalid"],
    ['token create --rule viewer', "unknown option '--rule'\n(Did you mean --role?)"],
    ['people invite nobody', 'It must be an e-mail address.'],
    ['people invite ann@example.com --pages 2017f84a', '--pages requires --role.'],
    ['audit-log --since yesterday', 'It must be a time in ISO 8601.'],
    ['audit-log --after -1', 'It must be the id of an entry.'],
    ['demo page', 'too many arguments'],
    ['backup', "missing required argument 'folder'"],
    ['backup one two', 'too many arguments'],
    ['export', "missing required argument 'archive'"],
    ['export here', 'It must end with .zip. allclear static writes the pages as static files.'],
    ['static', "missing required argument 'folder'"],
    ['exprot here', "unknown command 'exprot'\n(Did you mean export?)"],
    ['token', 'Usage: allclear token '],
    ['', 'Usage: allclear '],
  ])('%j', async (line, message) => {
    const result = await parse(...line.split(' ').filter(Boolean));
    expect(result).toEqual({ code: 2, printed: expect.stringContaining(message), task: undefined });
  });
});

test.each([
  'token list',
  'token revoke 1',
  'people list',
  'export here.zip',
  'static here',
  'backup here',
  'audit-log',
])('%s creates no database', async line =>
  expect((await parse(...line.split(' '))).task).toMatchObject({ createsDatabase: false }),
);

describe('run by npm', () => {
  const { env } = process;
  afterEach(() => {
    process.env = env;
  });

  test('an option that npm has taken as its own is refused, and those of npx are not', async () => {
    process.env = { ...env, npm_lifecycle_event: 'token', npm_config_role: 'viewer' };
    expect(await parse('token', 'create')).toMatchObject({
      code: 2,
      printed: expect.stringContaining('npm has taken --role as its own option.'),
    });
    process.env = { ...process.env, npm_lifecycle_event: 'npx' };
    expect(await parse('token', 'create')).toMatchObject({ code: 0, task: expect.anything() });
  });
});
