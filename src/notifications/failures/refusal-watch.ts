import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.js';
import type { Outcome } from '../channels/channel.js';
import { toStoredText } from '../channels/outcome.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { requestChannelChecks } from './channel-checks.js';
import {
  type ChannelFailure,
  endFailures,
  holdRefused,
  loadFailingChannels,
  maskAnswer,
  raiseFailures,
} from './channel-failures.js';

/** What is read of a delivery. */
interface Watched {
  pageId: string;
  channel: ChannelName;
  publicationId: number;
}

export interface Attempted<Delivery extends Watched = Watched> {
  delivery: Delivery;
  outcome: Outcome;
}

interface Answers {
  outcomes: number;
  /** How often each was received, without addresses. */
  refusals: LRUCache<string, number>;
}

/** Deferred in a row: then the channel fails. */
const failureThreshold = 5;
/** In memory. */
const maxPublications = 200;
/** Different answers of a publication, and those that are held: servers may answer each recipient otherwise. */
const maxAnswers = 100;
const retrySeconds = 600;
const heldMs = 3_600_000;
const reloadMs = 5_000;

/**
 * Watches what the channels of subscribers answer, for what no table of answers knows: the same to many recipients of
 * one publication. A process that sees over a third of its own outcomes asks the database about all; if that holds of
 * all processes, it holds of one of them.
 */
export class RefusalWatch {
  private readonly publications = new Map<string, Answers>();
  /** Answers of a channel that are not about a recipient, and until when: for all publications. */
  private readonly held = new LRUCache<string, number>({ max: maxAnswers });
  /** The publications of which each channel has refused messages since it accepted one. */
  private readonly refusedSinceAcceptance = new Map<ChannelName, Set<number>>();
  private readonly deferredInRow = new Map<ChannelName, number>();
  private failing = new Set<ChannelName>();
  private loadedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly onFailing: (channel: ChannelName, response: string) => void = () => {},
  ) {}

  /** The outcome of an attempt, read with what is known of its publication. */
  read(delivery: Watched, outcome: Outcome): Outcome {
    if (outcome.kind !== 'refused' || !isWatched(delivery)) return outcome;
    const { response } = outcome;
    return this.isHeld(delivery.channel, maskAnswer(response))
      ? { kind: 'failed', response, deferral: 'sender' }
      : outcome;
  }

  /** After the attempts were recorded. */
  async check(attempted: readonly Attempted[]): Promise<void> {
    const watched = attempted.filter(({ delivery }) => isWatched(delivery));
    if (!watched.length) return;
    const suspects = new Map<string, Attempted>();
    const failures: ChannelFailure[] = [];
    for (const one of watched) {
      const { delivery, outcome } = one;
      const answers = this.answersOf(delivery);
      answers.outcomes += 1;
      if (outcome.kind === 'sent') this.refusedSinceAcceptance.delete(delivery.channel);
      if (outcome.kind === 'refused') {
        const masked = maskAnswer(outcome.response);
        answers.refusals.set(masked, (answers.refusals.get(masked) ?? 0) + 1);
        this.refusedBy(delivery.channel).add(delivery.publicationId);
        suspects.set(`${toWatchKey(delivery)} ${masked}`, one);
      }
      if (this.countInRow(one) >= failureThreshold) failures.push(toFailure(one));
    }
    for (const suspect of suspects.values()) await this.hold(suspect);
    if (failures.length) {
      await raiseFailures(this.database, failures);
      for (const { channel, response } of failures) this.raise(channel, response);
    }
    await this.end(watched);
    const unreached = watched.filter(({ outcome }) => outcome.kind === 'failed' && outcome.unreachable);
    if (unreached.length)
      await requestChannelChecks(this.database, [...new Set(unreached.map(({ delivery }) => delivery.channel))]);
  }

  private countInRow({ delivery: { channel }, outcome }: Attempted): number {
    const isDeferred = outcome.kind === 'failed' && outcome.deferral === 'sender';
    const count = isDeferred ? (this.deferredInRow.get(channel) ?? 0) + 1 : 0;
    this.deferredInRow.set(channel, count);
    return count;
  }

  private isHeld(channel: ChannelName, masked: string): boolean {
    return (this.held.get(`${channel} ${masked}`) ?? 0) > performance.now();
  }

  private async hold({ delivery, outcome: { response } }: Attempted): Promise<void> {
    const { channel } = delivery;
    const masked = maskAnswer(response);
    const answers = this.answersOf(delivery);
    const isKnown = this.isHeld(channel, masked);
    if (!isKnown && (answers.refusals.get(masked) ?? 0) * 3 <= answers.outcomes) return;
    const retry = (publicationId: number, known: boolean) =>
      holdRefused(this.database, { publicationId, channel, response }, { retrySeconds, isKnown: known });
    if (!(await retry(delivery.publicationId, isKnown))) return;
    this.held.set(`${channel} ${masked}`, performance.now() + heldMs);
    for (const publicationId of this.refusedSinceAcceptance.get(channel) ?? [])
      if (publicationId !== delivery.publicationId) await retry(publicationId, true);
    this.raise(channel, response);
  }

  private raise(channel: ChannelName, response: string): void {
    this.failing.add(channel);
    this.onFailing(channel, response);
  }

  private async end(attempted: readonly Attempted[]): Promise<void> {
    const accepting = new Set(
      attempted.filter(({ outcome }) => outcome.kind === 'sent').map(({ delivery }) => delivery.channel),
    );
    if (!accepting.size) return;
    const now = performance.now();
    if (now - this.loadedAt < reloadMs) return;
    this.loadedAt = now;
    this.failing = await loadFailingChannels(this.database);
    const ended = [...accepting].filter(channel => this.failing.has(channel));
    if (ended.length) await endFailures(this.database, ended);
  }

  private refusedBy(channel: ChannelName): Set<number> {
    const publications = this.refusedSinceAcceptance.get(channel) ?? new Set<number>();
    this.refusedSinceAcceptance.set(channel, publications);
    return publications;
  }

  private answersOf(delivery: Watched): Answers {
    const key = toWatchKey(delivery);
    const answers = this.publications.get(key) ?? { outcomes: 0, refusals: new LRUCache({ max: maxAnswers }) };
    this.publications.set(key, answers);
    const [oldest] = this.publications.keys();
    if (this.publications.size > maxPublications && oldest !== key) this.publications.delete(oldest!);
    return answers;
  }
}

const isWatched = ({ channel }: Watched) => channelByName[channel].recipients === 'subscribers';
const toWatchKey = ({ publicationId, channel }: Watched) => `${publicationId} ${channel}`;

const toFailure = ({ delivery: { pageId, channel, publicationId }, outcome }: Attempted): ChannelFailure => ({
  pageId,
  channel,
  publicationId,
  response: toStoredText(outcome.response),
});
