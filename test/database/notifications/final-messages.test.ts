import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createComponent, deleteComponent, updateComponent } from '../../../src/components/component.service.js';
import { notifyComponentCorrection } from '../../../src/notices/component-correction.service.js';
import { createNotice, updateNotice } from '../../../src/notices/notice.service.js';
import { updateWebhook } from '../../../src/notifications/webhooks/webhook.service.js';
import { createPage } from '../../../src/pages/page.service.js';
import { Writer } from '../../../src/records/writer.js';
import { endSubscriptions } from '../../../src/subscribers/end-subscription.js';
import { createSubscriber, updateSubscriber } from '../../../src/subscribers/subscriber.service.js';
import { openTestDatabase } from '../../support/database.js';
import { fanOutAll, leaseAll } from '../../support/ledger.js';
import { propertyRuns } from '../../support/property-runs.js';
import { createTestSettings, withChannels } from '../../support/settings.js';

/** A life takes some tenths of a second; the embedded database is asked by the same statements. */
const runs = propertyRuns(process.env.TEST_DATABASE_URL ? 2_000 : 50);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let write: Writer;
const settings = createTestSettings(withChannels);
beforeAll(async () => {
  database = await openTestDatabase(withChannels);
  write = new Writer(database, { actor: 'test' });
});
afterAll(() => database.close());

/** Numbers choose among what exists at that time; a choice of no components is one of everything. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('name' as const), which: fc.nat(31), isSent: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('say' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recover' as const), which: fc.nat(31) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('correct' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), which: fc.nat(9), below: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), below: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('choose' as const), who: fc.nat(9), which: fc.nat(31) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const), who: fc.nat(9), which: fc.nat(31) }) },
);
const life = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 9 }),
  /** After which publications the queue stands still until the next. */
  waits: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** By mail, and the same choices as a webhook. */
interface Person {
  name: string;
  id: number;
  webhookId: number;
  isActive: boolean;
  /** Null: everything. Components that are deleted leave it. */
  chosen: Set<number> | null;
  /** Whether a message of the notice was sent to them, or waits, since they chose. */
  isFollowing: boolean;
  /** Whether they chose or left while a message waited: only the queue knows which they got. */
  isUncertain: boolean;
  lastState: string | null;
  /** The same of the webhook, which is another one after each time they left. */
  webhookState: string | null;
}

/** The rule as it reads, in memory; and the real tables, by the services that write them. */
class Life {
  private pageId = '';
  private noticeId = '';
  private readonly parents = new Map<number, number | null>();
  private readonly people: Person[] = [];
  private named = new Set<number>();
  private hasNamed = false;
  private state = 'investigating';
  private publications = 0;
  private readonly waits: readonly boolean[];

  constructor(waits: readonly boolean[]) {
    this.waits = waits;
  }

  async begin(): Promise<void> {
    this.pageId = await createPage(write, { name: 'Meridian' });
    for (const below of [-1, -1, 0]) await this.add(below);
    for (const [index, which] of [1, 2, 4, 0].entries()) await this.join(index, which);
    const { recordId } = await createNotice(write, this.pageId, {
      subject: 'Errors',
      content: 'We look.',
      componentIds: [],
      shouldPublish: true,
    });
    this.noticeId = String(recordId);
    await this.publish();
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const each of steps) {
      if (each.kind === 'name') await this.name(each.which, each.isSent);
      if (each.kind === 'say') await this.change({ content: 'We still look.', shouldPublish: true });
      if (each.kind === 'recover') await this.recover(each.which);
      if (each.kind === 'correct') await this.correct();
      if (each.kind === 'close') await this.turn(this.state === 'resolved' ? 'investigating' : 'resolved');
      if (each.kind === 'delete') await this.delete(each.which);
      if (each.kind === 'move') await this.move(each.which, each.below);
      if (each.kind === 'add') await this.add(each.below);
      if (each.kind === 'choose') await this.choose(each.who, each.which);
      if (each.kind === 'leave') await this.leave(each.who);
      if (each.kind === 'join') await this.join(each.who, each.which);
    }
    await this.turn('resolved');
    await this.send();
  }

  /** Nobody who is still there and has not chosen anew was last sent an open state. */
  async check(): Promise<void> {
    const mails = await this.readLast('subscriber_id');
    const posts = await this.readLast('webhook_id');
    const certain = this.people.filter(({ isUncertain }) => !isUncertain);
    expect(
      certain.map(({ id, name, webhookId }) => [name, mails.get(id) ?? null, posts.get(webhookId) ?? null]),
    ).toEqual(certain.map(({ name, lastState, webhookState }) => [name, lastState, webhookState]));
    const following = this.people.filter(({ isActive, isFollowing }) => isActive && isFollowing);
    expect(following.flatMap(({ id, webhookId }) => [mails.get(id), posts.get(webhookId)])).toEqual(
      following.flatMap(() => ['resolved', 'resolved']),
    );
  }

  private async readLast(column: 'subscriber_id' | 'webhook_id'): Promise<Map<number, string>> {
    const rows = await database.query<{ id: number; state: string }>(
      `select distinct on (d.${column}) d.${column} as id, pub.message_snapshot #>> '{notice,state}' as state
       from delivery d join publication pub on pub.id = d.publication_id
       where d.page_id = $1 and d.state = 'sent' and d.${column} is not null
       order by d.${column}, d.sent_at desc, d.publication_id desc`,
      [this.pageId],
    );
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  private select = (which: number): number[] => [...this.parents.keys()].filter((_, index) => which & (1 << index));
  private pick = (index: number): number | undefined => [...this.parents.keys()][index % (this.parents.size || 1)];

  private async name(which: number, shouldPublish: boolean): Promise<void> {
    const ids = this.select(which);
    this.named = new Set(ids);
    this.hasNamed ||= ids.length > 0;
    await this.change({ componentIds: ids.map(String), content: 'It is another.', shouldPublish });
  }

  /** As Statuspage's `operational` does: the components stay named. */
  private async recover(which: number): Promise<void> {
    const named = [...this.named];
    if (!named.length) return;
    await this.change({
      affectedComponents: named.map((id, index) => ({
        componentId: String(id),
        impact: 'degraded',
        hasRecovered: Boolean(which & (1 << index)),
      })),
      content: 'Some work again.',
      shouldPublish: true,
    });
  }

  private async correct(): Promise<void> {
    try {
      await notifyComponentCorrection(write, this.pageId, this.noticeId, null, null);
    } catch (error) {
      // Its newest message names the components that it has.
      expect(error).toMatchObject({ code: 'INVALID' });
      return;
    }
    await this.publish();
  }

  private async turn(state: string): Promise<void> {
    this.state = state;
    await this.change({ content: state === 'resolved' ? 'Fixed.' : 'It is back.', state, shouldPublish: true });
  }

  private async change(values: object): Promise<void> {
    const { outcome } = await updateNotice(write, this.pageId, this.noticeId, null, values);
    if ('publicationId' in outcome) await this.publish();
  }

  private async publish(): Promise<void> {
    const scope = this.hasNamed ? this.findScope() : null;
    for (const person of this.people.filter(({ isActive }) => isActive)) {
      const isInScope = !scope || !person.chosen || [...person.chosen].some(id => scope.has(id));
      if (!isInScope && !person.isFollowing) continue;
      person.isFollowing = true;
      person.lastState = this.state;
      person.webhookState = this.state;
    }
    await fanOutAll(database);
    if (!this.waits[this.publications++ % this.waits.length]) await this.send();
  }

  private async send(): Promise<void> {
    while ((await leaseAll(database)).length)
      await database.query(
        `update delivery set state = 'sent', sent_at = clock_timestamp() where page_id = $1 and state = 'sending'`,
        [this.pageId],
      );
  }

  private findScope(): Set<number> {
    const scope = new Set<number>();
    for (const id of this.named) {
      for (let above: number | null | undefined = id; above != null; above = this.parents.get(above)) scope.add(above);
      for (const other of this.parents.keys()) if (this.isBelow(other, id)) scope.add(other);
    }
    return scope;
  }

  private isBelow(id: number, ancestor: number): boolean {
    for (let above: number | null | undefined = id; above != null; above = this.parents.get(above))
      if (above === ancestor) return true;
    return false;
  }

  private async add(below: number): Promise<void> {
    if (this.parents.size >= 5) return;
    const parent = below < 0 ? undefined : this.pick(below);
    const { recordId } = await createComponent(write, this.pageId, {
      name: 'Part',
      parentId: parent === undefined ? null : String(parent),
    });
    this.parents.set(recordId, parent ?? null);
  }

  private async delete(which: number): Promise<void> {
    const id = this.pick(which);
    if (id === undefined) return;
    await deleteComponent(write, this.pageId, String(id));
    const parent = this.parents.get(id)!;
    for (const [child, above] of this.parents) if (above === id) this.parents.set(child, parent);
    this.parents.delete(id);
    this.named.delete(id);
    for (const { chosen } of this.people) chosen?.delete(id);
  }

  private async move(which: number, below: number): Promise<void> {
    const id = this.pick(which);
    const parent = this.pick(below);
    if (id === undefined || parent === undefined || this.isBelow(parent, id)) return;
    await updateComponent(write, this.pageId, String(id), null, { parentId: String(parent) });
    this.parents.set(id, parent);
  }

  private async join(who: number, which: number): Promise<void> {
    const name = `p${who}@example.com`;
    const ids = this.select(which);
    const componentIds = ids.map(String);
    const person = this.people.find(each => each.name === name);
    if (person?.isActive) return;
    const isUncertain = person ? await this.hasUnsent(person.id) : false;
    const id = await createSubscriber(write, this.pageId, { email: name, componentIds });
    const webhookId = await this.addWebhook(ids);
    const chosen = ids.length ? new Set(ids) : null;
    const joined = { id, webhookId, chosen, isActive: true, isFollowing: false, webhookState: null };
    if (person) {
      Object.assign(person, joined);
      person.isUncertain ||= isUncertain;
    } else {
      this.people.push({ name, isUncertain, lastState: null, ...joined });
    }
  }

  /** The milliseconds are cut off, as those of writes: rounded, they could be after the publication that follows. */
  private async addWebhook(ids: readonly number[]): Promise<number> {
    const [webhook] = await database.query<{ id: number }>(
      `with added as (
         insert into webhook (page_id, format, target, chose_components, confirmed_at, created_at, updated_at)
         select $1, 'standard', '{"url": "https://x.example.net"}', cardinality($2::int[]) > 0, at, at, at
         from date_trunc('milliseconds', clock_timestamp()) at returning id
       ), chosen as (
         insert into webhook_component (webhook_id, component_id) select id, unnest($2::int[]) from added
       ) select id from added`,
      [this.pageId, ids],
    );
    return webhook!.id;
  }

  private async choose(who: number, which: number): Promise<void> {
    const person = this.people[who % this.people.length]!;
    if (!person.isActive) return;
    const ids = this.select(which);
    person.isUncertain ||= await this.hasUnsent(person.id);
    // Times have milliseconds: what was sent in the same one counts as sent after the choice.
    await database.query('select pg_sleep(0.002)');
    await updateSubscriber(write, this.pageId, String(person.id), null, { componentIds: ids.map(String) });
    const choice = { componentIds: ids.map(String) };
    await updateWebhook(write, this.pageId, String(person.webhookId), undefined, choice, settings);
    const isSame = ids.length ? ids.join() === [...(person.chosen ?? [])].sort((a, b) => a - b).join() : !person.chosen;
    if (isSame) return;
    person.chosen = ids.length ? new Set(ids) : null;
    person.isFollowing = false;
  }

  private async leave(who: number): Promise<void> {
    const person = this.people[who % this.people.length]!;
    person.isUncertain ||= await this.hasUnsent(person.id);
    await write.transaction(unit => endSubscriptions(unit.em, this.pageId, [person.id]));
    await database.query('delete from webhook where id = $1', [person.webhookId]);
    person.isActive = false;
  }

  private async hasUnsent(id: number): Promise<boolean> {
    const unsent = `select from delivery where subscriber_id = $1 and state in ('pending', 'retrying') limit 1`;
    return (await database.query(unsent, [id])).length > 0;
  }
}

test(
  'in any life of a notice, its last message to everybody who follows it says that it is over',
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ steps, waits }) => {
        const walked = new Life(waits);
        await walked.begin();
        await walked.run(steps);
        await walked.check();
      }),
      runs,
    );
  },
  runs.numRuns * 4_000,
);
