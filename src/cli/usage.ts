/** What `--help` prints, by npm script. Imports nothing, so that it is printed without loading the service. */
export const usages = {
  start: `usage: npm start

Runs the service: the APIs, the public pages, notifications and automation. It takes no arguments: settings come from
the environment and from .env. docs/configuration.md lists them.
`,
  worker: `usage: npm run worker

Sends notifications and moves planned notices, beside a service on the same PostgreSQL. It takes no arguments: settings
come from the environment and from .env. docs/configuration.md lists them.
`,
  token: `usage: npm run token -- create [--role viewer|drafter|publisher|owner] [--pages <id>,<id>]
                               [--expires <days>d|<time>|never] [label]
       npm run token -- list
       npm run token -- revoke <id>

Creates, lists and revokes the tokens of both APIs, also while the service runs. Without options a token is for
everything on all pages, and expires in 90 days. docs/access.md says what each role may do. --scope read makes a viewer
that also reads subscribers and the settings of channels, --scope write an owner; both never expire by themselves.
`,
  backup: `usage: npm run backup -- <folder>

Copies the embedded database to a folder that does not exist or is empty, also while the service runs: writes wait
meanwhile. A PostgreSQL database is backed up by pg_dump. docs/operations.md says how to restore both.
`,
  'audit-log': `usage: npm run -s audit-log -- [--page <id>] [--since <time>] [--after <id>]

Prints the audit log as lines of JSON, oldest first: all of it, or what a page, the time since or the entry before
limits it to.
`,
  people: `usage: npm run people -- invite <e-mail address> --role viewer|drafter|publisher|owner [--pages <id>,<id>]
       npm run people -- invite <e-mail address>
       npm run people -- list
       npm run people -- disable <e-mail address>

Invites people and disables them, also while the service runs. An invitation prints a link that signs in once, within
15 minutes. --role gives the role on those pages, in place of the one that the person has there; roles on other pages
stay. Without --pages the role is for all pages. Without --role it prints another link for somebody who has a role.
`,
  demo: `usage: npm run demo

Creates a page with components, notices and subscribers to look at, also while the service runs.
`,
  export: `usage: npm run export -- <folder> [--private]

Writes all pages as static files for a web server or a CDN, also while the service runs. Private pages are left out:
files protect nothing. --private writes those, too.
`,
};

export const databaseCommands = ['token', 'people', 'audit-log', 'backup', 'demo', 'export'] as const;
