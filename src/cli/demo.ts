import type { Command } from 'commander';
import { updateBrand } from '../pages/branding/brand.service.js';
import { parsePublicUrl } from '../core/config.js';
import { serviceOrigin } from '../db/audit.js';
import { demoColours, demoPage, demoSubscribers } from '../notices/demo/demo-data.js';
import { createDemoData } from '../notices/demo/demo.service.js';
import { createPage } from '../pages/page.service.js';
import { Writer } from '../records/writer.js';
import { createSubscriber } from '../subscribers/subscriber.service.js';
import type { CommandContext } from '../server/command-runner.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run }: CommandEnvironment): void {
  command
    .description('Creates a page with components, notices and subscribers to look at, also while the service runs.')
    .action(() => run({ createsDatabase: true, run: createDemo }));
}

/** Creates a realistic page through the services that clients use. Returns the text to print. */
export async function createDemo({ database, settings }: CommandContext): Promise<string> {
  const write = new Writer(database, { origin: serviceOrigin('command', 'demo') });
  const page = await createPage(write, demoPage);
  await updateBrand(write, page, null, demoColours);
  await createDemoData(write, page, Date.now());
  // The page looks as if it had existed for a while.
  await database.query(`update component set created_at = created_at - interval '200 days' where page_id = $1`, [page]);
  await database.query(`update page set created_at = created_at - interval '200 days' where id = $1`, [page]);
  const components = new Map(
    (
      await database.query<{ id: number; name: string }>('select id, name from component where page_id = $1', [page])
    ).map(({ id, name }) => [name, String(id)]),
  );
  for (const { components: named = [], ...subscriber } of demoSubscribers)
    await createSubscriber(write, page, { ...subscriber, componentIds: named.map(name => components.get(name)!) });
  return `The demonstration page is ${page}: ${parsePublicUrl(settings).origin}/status/${page}/\n`;
}
