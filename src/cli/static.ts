import type { Command } from 'commander';
import { exportPages } from '../status-page/server/export.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description('Writes all pages as static files for a web server or a CDN, also while the service runs.')
    .argument('<folder>', 'where the files are written', resolvePath)
    .option('--private', 'write private pages, too: files protect nothing')
    .action((folder: string, options: { private?: boolean }) =>
      run({ createsDatabase: false, run: context => exportPages(context, folder, options.private) }),
    );
}
