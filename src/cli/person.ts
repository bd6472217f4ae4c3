import { type Command, InvalidArgumentError } from 'commander';
import { Refusal } from '../core/errors.js';
import type { Database } from '../db/database.js';
import { erasePersonData, type Erasure } from '../transfer/person-data/erase-person-data.js';
import { exportPersonData } from '../transfer/person-data/export-person-data.js';
import { parsePersonalAddress } from '../transfer/person-data/find-person.js';
import { refuseAsCommand, writeAs } from './access-commands.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run }: CommandEnvironment): void {
  command.description('Exports or erases what is stored of one person, on all pages, also while the service runs.');
  command
    .command('export')
    .description('print all that is stored of the person with an address, as JSON')
    .argument('<address>', 'an e-mail address or a phone number', parseAddress)
    .action((address: string) =>
      run({
        createsDatabase: false,
        run: async ({ database }) => `${await exportPersonData(writeAs(database, 'exportPersonData'), address)}\n`,
      }),
    );
  command
    .command('erase')
    .summary('erase what is stored of the person with an address')
    .description(
      'Erases what is stored of the person with an address, and prints a receipt. A keyed hash is left, by which an ' +
        'import leaves the address out. Without --yes it erases nothing, and prints what it would erase.',
    )
    .argument('<address>', 'an e-mail address or a phone number', parseAddress)
    .option('--yes', 'erase it: this cannot be undone')
    .action((address: string, { yes = false }: { yes?: boolean }) =>
      run({ createsDatabase: false, run: ({ database }) => erase(database, address, yes) }),
    );
}

function parseAddress(text: string): string {
  try {
    return parsePersonalAddress(text);
  } catch (error) {
    if (error instanceof Refusal)
      throw new InvalidArgumentError('It must be an e-mail address, or a phone number with its country code.');
    throw error;
  }
}

async function erase(database: Database, address: string, isConfirmed: boolean): Promise<string> {
  const write = writeAs(database, 'erasePersonData');
  const erasure = await refuseAsCommand(() =>
    isConfirmed
      ? write.transaction(unit => erasePersonData(unit, address))
      : write.dryRun(unit => erasePersonData(unit, address)),
  );
  return renderReceipt(erasure, isConfirmed);
}

function renderReceipt({ erased, remaining }: Erasure, isConfirmed: boolean): string {
  const render = ({ kind, count }: Erasure['erased'][number]) => `${count}\t${kind}\n`;
  const heading = isConfirmed ? 'Erased:\n' : 'Would be erased with --yes:\n';
  return [
    ...(erased.length ? [heading, ...erased.map(render)] : ['Nothing is stored of this address.\n']),
    ...(remaining.length ? ['Operators wrote the address here, where it stays until they change it:\n'] : []),
    ...remaining.map(render),
  ].join('');
}
