import type { Database } from '../../src/db/database.js';
import { leaseDeliveries } from '../../src/notifications/delivery/lease-deliveries.js';
import { fanOutNext } from '../../src/notifications/delivery/fan-out.js';
import type { LeasedDelivery } from '../../src/notifications/delivery/lease.js';
import { createPage, createRecord } from './factories.js';
import type { TestService } from './service.js';

/** A row of the delivery table. */
export interface Delivery {
  id: string;
  channel: string;
  address: string;
  state: string;
  reason: string | null;
  tries: number;
  messageId: string;
  dueInSeconds: number;
}

export const loadDeliveries = (database: Database, pageId: string): Promise<Delivery[]> =>
  database.query(
    `select id::text, channel, address, state, reason, tries, message_id as "messageId",
       extract(epoch from due_at - clock_timestamp())::float8 as "dueInSeconds"
     from delivery where page_id = $1 order by delivery.id`,
    [pageId],
  );

/** Wakes the workers of this process, as a commit that queues deliveries does. */
export const wakeWorkers = ({ changes }: Pick<Database, 'changes'>, pageId: string): unknown =>
  changes.emit('committed', { pageId, changeCount: null, key: '', queuesDeliveries: true });

export async function fanOutAll(database: Database): Promise<void> {
  while ((await fanOutNext(database)).targets);
}

export const leaseAll = async (
  database: Database,
  worker = 'test',
  blocked: string[] = [],
): Promise<LeasedDelivery[]> =>
  (await leaseDeliveries(database, { worker, limit: 1_000, maxRetries: 1_000, blocked })).leased;

/** A new page with these channels of its own configured, and methods that create its records over /v1. */
export async function createPublishingPage(
  service: TestService,
  values: object = {},
  channels: readonly string[] = ['chatA', 'chatB', 'social'],
) {
  const id: string = (await createPage(service, { name: 'Meridian', ...values })).id;
  await service.database.query(
    `insert into channel_target (page_id, channel, target) select $1, unnest($2::text[]), '{"url": "https://127.0.0.1"}'`,
    [id, channels],
  );
  const path = `/v1/pages/${id}`;
  const create = async (collection: string, values: object): Promise<number> =>
    (await createRecord(service, `${path}/${collection}`, values)).id;
  return {
    id,
    path,
    component: (name: string, parent_id?: number) => create('components', { name, parent_id }),
    subscribe: (address: string, component_ids?: number[]) =>
      create('subscribers', { [address.includes('@') ? 'email' : 'phone_number']: address, component_ids }),
    /** All at once, as n1@example.com and so on. */
    subscribeMany: (count: number) =>
      service.database.query(
        `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
         select $1, 'n' || n || '@example.com', 'interface', at, at, at
         from generate_series(1, $2::integer) n, (select clock_timestamp() as at) at`,
        [id, count],
      ),
    notice: (body: object = {}) => create('notices', { subject: 'Payments fail', should_publish: true, ...body }),
    update: (notice: number, content = 'We look.') => create(`notices/${notice}/updates`, { content }),
    deliveries: () => loadDeliveries(service.database, id),
  };
}
