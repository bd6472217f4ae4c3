import { LRUCache } from 'lru-cache';
import { refusalOf } from '../../db/database-errors.js';
import type { Database } from '../../db/connection.js';
import { log } from '../../core/logger.js';
import type { Channel } from '../page-channels/channel-names.js';
import { allowance, type Breaker, closed, unreached } from './circuit-breaker.js';
import type { Outcome, Outgoing } from '../channels/channel.js';
import type { PublicationPicture } from '../message-snapshot.js';
import { type Claimed, picturesOf, type Recorded, record } from './queue.js';
import { retryAfter } from './backoff.js';
import type { WorkerParts } from './worker-dependencies.js';

/** Sent, and not yet recorded: what is sent twice when the worker is killed. */
export const unrecordedAtMost = 32;

/** Of those, by channel: one that answers slowly must not take the room of the others. */
const roomOf: Record<Channel, number> = { email: 24, sms: 8, chatA: 8, chatB: 8, social: 8 };
/** And what belongs to one page: its slow server must not take the room of the other pages. */
const roomOfPage = 2;
/** And those that were tried before: what comes anew finds room at once, also while a dead server lets everybody wait. */
const roomForRetries = 8;

/** The whole of an attempt; channels have shorter ones of their own. */
const patienceMilliseconds = 60_000;
const answerAtMost = 500;

/** A channel of a page has a target of its own; mails and SMS go by one server each. */
export const breakerKey = ({ channel, pageId, subscriberId }: Claimed) =>
  subscriberId === null ? `${channel}:${pageId}` : channel;

/** Sends what a worker has claimed, and writes back what became of it. */
export class Sender {
  private readonly underWay = new Map<string, Claimed>();
  private readonly breakers = new Map<string, Breaker>();
  private readonly pictures = new LRUCache<number, PublicationPicture>({ max: 100 });
  private told: { one: Claimed; outcome: Outcome }[] = [];
  private recording: Promise<void> | undefined;
  private isGivenUp = false;

  constructor(
    private readonly database: Database,
    private readonly parts: WorkerParts,
    /** There is room for so many more. */
    private readonly freed: (count: number) => void,
  ) {}

  get held(): Claimed[] {
    return [...this.underWay.values()];
  }

  /** What nothing is to be claimed for: targets that are shut, or have one under way already to look. */
  shut(): string[] {
    const targets = new Set([...this.breakers.keys(), ...this.held.map(breakerKey)]);
    return [...targets].filter(target => this.roomAt(target) === 0);
  }

  get roomForRetries(): number {
    return roomForRetries - this.held.filter(({ tries }) => tries > 1).length;
  }

  /** Takes those of the claimed for which there is room, in their order, and leaves the others. */
  take<One extends Claimed>(ready: One[]): One[] {
    const left: One[] = [];
    const taken: Claimed[] = [];
    for (const one of ready) {
      if (this.hasRoom(one)) {
        this.underWay.set(one.id, one);
        taken.push(one);
      } else left.push(one);
    }
    if (taken.length) this.send(taken).catch(error => log.error({ err: error }, 'deliveries could not be sent'));
    return left;
  }

  private hasRoom(asked: Claimed): boolean {
    const { channel, tries } = asked;
    if (this.underWay.size >= unrecordedAtMost) return false;
    if (tries > 1 && this.roomForRetries <= 0) return false;
    return (
      this.held.filter(one => one.channel === channel).length < roomOf[channel] && this.roomAt(breakerKey(asked)) > 0
    );
  }

  private roomAt(target: string): number {
    const most = target.includes(':') ? roomOfPage : unrecordedAtMost;
    const all = Math.min(allowance(this.breakers.get(target) ?? closed, performance.now()), most);
    return Math.max(all - this.held.filter(one => breakerKey(one) === target).length, 0);
  }

  private async send(taken: Claimed[]): Promise<void> {
    const pictures = await this.picturesFor(taken);
    const byChannel = Map.groupBy(taken, ({ channel }) => channel);
    await Promise.all([...byChannel].map(([channel, group]) => this.sendOn(channel, group, pictures)));
  }

  /** Those that could not be read are not in it. */
  private async picturesFor(taken: Claimed[]): Promise<Map<number, PublicationPicture>> {
    const ids = [...new Set(taken.map(({ publicationId }) => publicationId))];
    const found = new Map(ids.flatMap(id => (this.pictures.has(id) ? [[id, this.pictures.get(id)!] as const] : [])));
    const missing = ids.filter(id => !found.has(id));
    if (!missing.length) return found;
    try {
      for (const [id, picture] of await picturesOf(this.database, missing)) {
        found.set(id, picture);
        this.pictures.set(id, picture);
      }
    } catch (error) {
      log.debug({ err: error }, 'pictures of publications could not be read');
    }
    return found;
  }

  private async sendOn(
    channel: Channel,
    group: Claimed[],
    pictures: ReadonlyMap<number, PublicationPicture>,
  ): Promise<void> {
    const open = new Map(group.map(one => [one.id, one]));
    const tell = (id: string, outcome: Outcome) => {
      const one = open.get(id);
      if (!one) return;
      open.delete(id);
      this.note(one, outcome);
    };
    let timer: NodeJS.Timeout | undefined;
    let said = 'The channel gave no answer.';
    try {
      const adapter = this.parts.adapters.get(channel)!;
      const messages = await Promise.all(group.map(one => this.messageOf(one, pictures.get(one.publicationId), tell)));
      const late = new Promise<void>(done => {
        timer = setTimeout(done, patienceMilliseconds);
      });
      await Promise.race([
        adapter.send(
          messages.filter(message => message !== null),
          tell,
        ),
        late,
      ]);
    } catch (error) {
      said = error instanceof Error ? error.message : String(error);
      log.error({ err: error, channel }, 'a channel failed');
    } finally {
      clearTimeout(timer);
      for (const id of [...open.keys()]) tell(id, { kind: 'failed', answer: said });
    }
  }

  /** Null where there is none to be made: that is told of at once. */
  private async messageOf(
    one: Claimed,
    picture: PublicationPicture | undefined,
    tell: (id: string, outcome: Outcome) => void,
  ): Promise<Outgoing | null> {
    try {
      if (!picture) throw new Error('The publication could not be read.');
      const links = one.subscriberId === null ? null : await this.parts.linksOf?.(picture.page, one.subscriberId);
      const target =
        one.subscriberId === null ? ((await this.parts.targetOf?.(one.pageId, one.channel)) ?? null) : null;
      const { address, subscriberId, thread } = one;
      const recipient = {
        address,
        subscriberId,
        thread,
        target,
        unsubscribe: links?.unsubscribe ?? null,
        preferences: links?.preferences ?? null,
      };
      return { deliveryId: one.id, messageId: one.messageId, picture, recipient };
    } catch (error) {
      tell(one.id, { kind: 'failed', answer: error instanceof Error ? error.message : String(error) });
      return null;
    }
  }

  private note(one: Claimed, outcome: Outcome): void {
    const now = performance.now();
    const target = breakerKey(one);
    if (outcome.kind === 'failed' && (outcome.unreachable || outcome.afterSeconds)) {
      const before = this.breakers.get(target) ?? closed;
      this.breakers.set(target, unreached(before, now, (outcome.afterSeconds ?? 0) * 1_000));
    } else this.breakers.delete(target);
    this.told.push({ one, outcome });
    this.recording ??= this.recordAll().finally(() => {
      this.recording = undefined;
    });
  }

  /** What is told while a batch is being written is the next batch. What cannot be written is tried again: until it is written it counts as under way. */
  private async recordAll(): Promise<void> {
    await new Promise(setImmediate);
    while (this.told.length) {
      const batch = this.told.splice(0);
      for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
        try {
          await record(
            this.database,
            batch.map(told => this.recorded(told)),
          );
          break;
        } catch (error) {
          if (this.isGivenUp) return;
          log[refusalOf(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error'](
            { err: error },
            'deliveries could not be recorded',
          );
          await new Promise(done => setTimeout(done, wait));
        }
      }
      for (const { one } of batch) this.underWay.delete(one.id);
      this.freed(batch.length);
    }
  }

  private recorded({ one, outcome }: { one: Claimed; outcome: Outcome }): Recorded {
    const { id, lease, tries, ageSeconds } = one;
    const afterSeconds = outcome.kind === 'failed' ? outcome.afterSeconds : undefined;
    const retrySeconds =
      outcome.kind === 'failed'
        ? retryAfter({ tries, ageSeconds, afterSeconds }, this.parts.retryHours, Math.random())
        : null;
    const answer = outcome.answer.replaceAll('\0', '').toWellFormed().slice(0, answerAtMost);
    return {
      id,
      lease,
      outcome: outcome.kind,
      answer,
      retrySeconds,
      thread: (outcome.kind === 'sent' && outcome.thread) || null,
    };
  }

  /** Waits until nothing is under way any more, for so long at most. What is then left is for others to take over. */
  async finish(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (this.underWay.size && performance.now() < until) await new Promise(done => setTimeout(done, 20));
    this.isGivenUp = true;
  }
}
