import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp, createFront, unavailable } from './app.js';
import { openChannels } from '../notifications/channels/open-channels.js';
import { publicAddress, settings } from '../core/config.js';
import { lockFolder } from '../db/data-directory-lock.js';
import { migrate } from '../db/migrate.js';
import { refusalOf } from '../db/database-errors.js';
import { type Database, openDatabase } from '../db/connection.js';
import { createGraphServer } from '../graphql/server.js';
import { automate } from '../notices/notice.automation.js';
import { watchDomains } from '../custom-domain/custom-domain.automation.js';
import { type Printed, runCommand } from '../cli/run-command.js';
import { log } from '../core/logger.js';
import { KeptPages } from '../status-page/server/disk-snapshots.js';
import { People } from '../status-page/subscribe/subscribe-handler.js';
import { PageCache } from '../status-page/server/page-cache.js';
import { forgetUnconfirmed } from '../subscribers/subscriber.automation.js';
import { startTelling } from './start-notifications.js';
import { createFirstToken } from '../auth/token.service.js';

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
    const kept = settings.databaseUrl ? new KeptPages(join(settings.dataDir, 'pages')) : null;
    const cache = new PageCache(null, kept);
    let behind = unavailable;
    const channels = openChannels();
    undo.push(() => channels.close());
    const people = new People(channels.direct);
    const server = createFront(cache, (request, response) => behind(request, response), people);
    const listen = async () => {
      if (server.listening) return;
      await new Promise<void>((done, fail) => server.once('error', fail).listen(settings.port, settings.host, done));
      undo.push(() => closed(server));
    };
    const database = await openPatiently(undo, kept, listen);
    undo.push(() => cache.close());
    await migrate(database);
    const graph = createGraphServer();
    await graph.start();
    undo.push(() => graph.stop());
    await cache.open(database);
    people.open(database);
    undo.push(() => people.close());
    if (settings.worker) undo.push(startTelling(database, channels));
    if (settings.automation) undo.push(automate(database), watchDomains(database), forgetUnconfirmed(database));
    behind = createApp(database, graph, channels);
    await listen();
    // Last of all: it is shown once, and a start that failed would show it to nobody.
    const firstToken = settings.bootstrapToken ? undefined : await createFirstToken(database);
    return { server, port: (server.address() as AddressInfo).port, firstToken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What is being answered is, for a while. A closing server looks at none of Node's own time limits: whoever is connected and silent would hold it for ever. */
function closed(server: Server): Promise<unknown> {
  setTimeout(() => server.closeAllConnections(), 5_000).unref();
  return new Promise(done => server.close(done).closeIdleConnections());
}

/** A database that is away at the start is waited for while there are pages to show from the disk; without any the start stops. */
async function openPatiently(
  undo: (() => Promise<unknown>)[],
  kept: KeptPages | null,
  meanwhile: () => Promise<void>,
): Promise<Database> {
  for (;;) {
    try {
      return await openLocked(undo);
    } catch (error) {
      if (refusalOf(error)?.code !== 'UNAVAILABLE' || !(await kept?.ids())?.length) throw error;
      await meanwhile();
      log.warn('the database is away: pages are shown from the disk until it is back');
      await wait(1_000);
    }
  }
}

async function openLocked(undo: (() => Promise<unknown>)[]) {
  // The lock answers as soon as it is held, the database is there a moment later.
  let opened: Awaited<ReturnType<typeof openDatabase>> | undefined;
  if (!settings.databaseUrl && !settings.dataDir.startsWith('memory:')) {
    undo.push(
      await lockFolder(settings.dataDir, async request => {
        const starting: Printed = { text: 'The service is still starting. Try again in a moment.\n', code: 1 };
        return JSON.stringify(opened ? await runCommand(opened, JSON.parse(request) as string[]) : starting);
      }),
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
  const lines = [
    `All Clear listens on http://${settings.host}:${port}`,
    '',
    `  REST      ${origin}/v1/hello`,
    `  GraphQL   ${origin}/graphql`,
  ];
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
