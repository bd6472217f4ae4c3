import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { publicAddress, settings } from './config.js';
import { lockFolder } from './db/folder-lock.js';
import { migrate } from './db/migrate.js';
import { openDatabase } from './db/orm.js';
import { createGraphServer } from './graphql/server.js';
import { automate } from './notices/notice.automation.js';
import { runCommand } from './commands/commands.js';
import { createFirstToken } from './tokens/token.service.js';

export interface Service {
  server: Server;
  port: number;
  /** Made on an empty database, and never to be seen again. */
  firstToken?: string;
  stop(): Promise<void>;
}

/** Everything that runs, in the order in which each thing needs the one before it; stopped in the opposite order. */
export async function start(): Promise<Service> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const database = await openLocked(undo);
    await migrate(database);
    const firstToken = settings.bootstrapToken ? undefined : await createFirstToken(database);
    const graph = createGraphServer();
    await graph.start();
    undo.push(() => graph.stop());
    if (settings.automation) undo.push(automate(database));
    const server = createApp(database, graph);
    await new Promise<void>((done, fail) => server.once('error', fail).listen(settings.port, settings.host, done));
    undo.push(() => new Promise(done => server.close(done).closeIdleConnections()));
    return { server, port: (server.address() as AddressInfo).port, firstToken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openLocked(undo: (() => Promise<unknown>)[]) {
  // The lock answers as soon as it is held, the database is there a moment later.
  let opened: Awaited<ReturnType<typeof openDatabase>> | undefined;
  if (!settings.databaseUrl && !settings.dataDir.startsWith('memory:')) {
    undo.push(
      await lockFolder(settings.dataDir, async request =>
        opened ? runCommand(opened, JSON.parse(request) as string[]) : 'The service is still starting. Try again in a moment.\n',
      ),
    );
  }
  const database = await openDatabase(settings);
  opened = database;
  undo.push(() => database.close());
  return database;
}

/** What a newcomer reads. */
export function greeting({ port, firstToken }: Service): string {
  const { origin } = publicAddress();
  const lines = [`All Clear listens on http://${settings.host}:${port}`, '', `  REST      ${origin}/v1/hello`, `  GraphQL   ${origin}/graphql`];
  if (firstToken)
    lines.push(
      '',
      'The database was empty. This is its first token, with all rights; it is shown this once:',
      '',
      `  ${firstToken}`,
      '',
      `  curl -H 'Authorization: Bearer ${firstToken}' ${origin}/v1/hello`,
    );
  return `${lines.join('\n')}\n`;
}
