import type { CommandDefinition } from './command.js';

interface CommandEntry {
  /** Its line in the list of commands. */
  summary: string;
  load(): Promise<CommandDefinition>;
}

/** The commands. The file of a command is loaded when it is named, since most load much of the service. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  start: { summary: 'run the service', load: () => import('./start.js') },
  worker: { summary: 'send notifications beside a service', load: () => import('./worker.js') },
  migrate: { summary: 'bring the tables of the database to this version', load: () => import('./migrate.js') },
  token: { summary: 'create, list and revoke the tokens of both APIs', load: () => import('./token.js') },
  people: { summary: 'invite, list and disable people', load: () => import('./people.js') },
  'audit-log': { summary: 'print who changed what', load: () => import('./audit-log.js') },
  bounce: { summary: 'read a mail that reports a bounce', load: () => import('./bounce.js') },
  backup: { summary: 'back up the database', load: () => import('./backup.js') },
  restore: { summary: 'restore a backup into an empty database', load: () => import('./restore.js') },
  move: { summary: 'copy everything to another database', load: () => import('./move.js') },
  person: { summary: 'export or erase what is stored of one person', load: () => import('./person.js') },
  apply: { summary: 'apply a page file to a page', load: () => import('./apply.js') },
  show: { summary: 'print a page as a file', load: () => import('./show.js') },
  prune: { summary: 'delete what has been stored for its time', load: () => import('./prune.js') },
  export: { summary: 'write pages to an archive', load: () => import('./export.js') },
  import: { summary: 'import an archive of pages, or a page of another product', load: () => import('./import.js') },
  static: { summary: 'write all pages as static files', load: () => import('./static.js') },
  doctor: { summary: 'check the installation', load: () => import('./doctor.js') },
  demo: { summary: 'create a page to look at', load: () => import('./demo.js') },
};
