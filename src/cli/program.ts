import process from 'node:process';
import { styleText } from 'node:util';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../server/version.js';
import type { CommandEnvironment } from './command.js';
import { commands } from './commands.js';

const description =
  'A self-hosted service for public status pages. ' +
  'Settings come from the environment and from .env: docs/configuration.md lists them.';

const exitCodes = '\nExit codes: 0 done, 1 failed or refused, 2 the command line is not valid.';

/** Runs the action of the command that the arguments name. Returns 2 where they are not valid. */
export async function runProgram(
  args: readonly string[],
  environment: CommandEnvironment,
  output: OutputConfiguration = {},
): Promise<0 | 2> {
  const program = new Command('allclear')
    .description(description)
    .version(version)
    .addHelpText('after', exitCodes)
    .showHelpAfterError('--help prints how to use the command.')
    .exitOverride()
    .configureOutput({
      // styleText leaves the text as it is where the stream is not a terminal, or NO_COLOR is set.
      writeOut: text => process.stdout.write(text.replace(/^[A-Z]\w+:/gm, heading => styleText('bold', heading))),
      outputError: (text, write) => write(styleText('red', text, { stream: process.stderr })),
      ...output,
    })
    .hook('preAction', (_, command) => refuseOptionsOfNpm(command));
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary);
    // The name follows `help`, too.
    if (args.slice(0, 2).includes(name)) (await load()).define(command, environment);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** Without `--` npm takes `npm run token create --role viewer` as its own option: the token would get all rights. */
function refuseOptionsOfNpm(command: Command): void {
  // npx sets the variables of its own options, such as --yes, and leaves those of the command.
  if (process.env.npm_lifecycle_event === 'npx') return;
  const lost = command.options.find(({ long }) => process.env[`npm_config_${long?.slice(2).replaceAll('-', '_')}`]);
  if (lost) command.error(`error: npm has taken ${lost.long} as its own option. Write -- before the options.`);
}
