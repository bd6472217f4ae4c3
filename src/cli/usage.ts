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
  token: `usage: npm run token -- create [--scope read|write] [label]
       npm run token -- list
       npm run token -- revoke <id>

Creates, lists and revokes the tokens of both APIs, also while the service runs.
`,
  demo: `usage: npm run demo

Creates a page with components, notices and subscribers to look at, also while the service runs.
`,
  export: `usage: npm run export -- <folder>

Writes all pages as static files for a web server or a CDN, also while the service runs.
`,
};
