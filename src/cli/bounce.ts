import { buffer } from 'node:stream/consumers';
import process from 'node:process';
import { type Command, Option } from 'commander';
import { CommandError } from '../core/errors.js';
import { parsePublicUrl } from '../core/config.js';
import { bounceHookPath, deleteBounceHook, rotateBounceHook } from '../notifications/bounces/bounce-hook.service.js';
import type { MailedUnsubscription, MailEvent } from '../notifications/bounces/mail-event.js';
import { describeReceipt, recordMailEvents } from '../notifications/bounces/record-mail-events.js';
import { readReportMail } from '../notifications/bounces/report-mail.js';
import { writeAs } from './access-commands.js';
import type { CommandContext } from '../server/command-runner.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run }: CommandEnvironment): void {
  command
    .description(
      'Reads a mail from standard input that reports a bounce or a complaint about another one, or that ' +
        'unsubscribes. A mail server pipes the mails to MAIL_FROM into it: see docs/bounces.md.',
    )
    .addOption(new Option('--events <json>').hideHelp())
    .action(async (options: { events?: string }) => {
      // The process that uses the database has another standard input, and takes short requests.
      const events = options.events ?? JSON.stringify(await readReportMail(await buffer(process.stdin)));
      const task = { createsDatabase: false, run: (context: CommandContext) => record(context, JSON.parse(events)) };
      await run(task, ['bounce', '--events', events]);
    });
  command
    .command('address')
    .summary('print a new address for the webhooks of providers, once')
    .description('Prints a new address to which providers post bounces and complaints. The one before ends at once.')
    .option('--end', 'end the address, and print no new one')
    .action(({ end }: { end?: boolean }) => run({ createsDatabase: false, run: end ? endAddress : printAddress }));
}

async function record({ database }: CommandContext, events: (MailEvent | MailedUnsubscription)[]): Promise<string> {
  if (!events.length) return 'The mail reports no bounce and no complaint, and unsubscribes nobody.\n';
  return `${describeReceipt(await recordMailEvents(database, events))}\n`;
}

async function printAddress({ database, settings }: CommandContext): Promise<string> {
  const token = await rotateBounceHook(writeAs(database, 'rotateBounceHook'));
  const address = `${parsePublicUrl(settings).origin}${bounceHookPath}${token}`;
  return `${address}\nThis is the address for bounces. It is a secret, and shown only once.\n`;
}

async function endAddress({ database }: CommandContext): Promise<string> {
  if (await deleteBounceHook(writeAs(database, 'deleteBounceHook'))) return 'The address has ended.\n';
  throw new CommandError('There is no address for bounces.\n');
}
