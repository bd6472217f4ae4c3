import type { Database } from '../../src/db/connection.js';
import { claim, type Claimed } from '../../src/notifications/delivery/queue.js';
import { spreadNext } from '../../src/notifications/delivery/fan-out.js';
import type { TestService } from './service.js';

export interface Delivery {
  id: string;
  publication: number;
  channel: string;
  key: string;
  address: string;
  state: string;
  reason: string | null;
  tries: number;
  messageId: string;
  /** Seconds from now. */
  due: number;
}

export const deliveriesOf = (database: Database, pageId: string): Promise<Delivery[]> =>
  database.query(
    `select id::text, publication_id as publication, channel, recipient_key as key, address, state, reason, tries, message_id as "messageId",
       extract(epoch from due_at - clock_timestamp())::float8 as due from delivery where page_id = $1 order by id`,
    [pageId],
  );

export async function spreadAll(database: Database): Promise<void> {
  while (await spreadNext(database));
}

export const claimAll = async (database: Database, worker = 'test', shut: string[] = []): Promise<Claimed[]> =>
  (await claim(database, { worker, limit: 1_000, retries: 1_000, shut })).claimed;

/** A new page, and verbs on it; all are sent through /v1. */
export async function newTellingPage(service: TestService, values: object = {}) {
  const id: string = (await service.post('/v1/pages', { name: 'Meridian', ...values })).json.response.id;
  const path = `/v1/pages/${id}`;
  const made = async (what: string, body: object): Promise<number> => {
    const answer = await service.post(`${path}/${what}`, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.response.id;
  };
  return {
    id,
    path,
    component: (name: string, parent_id?: number) => made('components', { name, parent_id }),
    subscribe: (address: string, component_ids?: number[]) =>
      made('subscribers', { [address.includes('@') ? 'email' : 'phone_number']: address, component_ids }),
    notice: (body: object = {}) => made('notices', { subject: 'Payments fail', should_publish: true, ...body }),
    update: (notice: number, content = 'We look.') => made(`notices/${notice}/updates`, { content }),
    deliveries: () => deliveriesOf(service.database, id),
  };
}
