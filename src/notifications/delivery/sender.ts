import { runInSpan } from '../../core/tracing.js';
import { toRefusal } from '../../db/database-errors.js';
import type { Database } from '../../db/database.js';
import type { ChannelName } from '../channels/registry.js';
import type { Outcome, OutgoingMessage } from '../channels/channel.js';
import { toStoredText } from '../channels/outcome.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { LeasedDelivery } from './lease.js';
import { MessageSnapshots } from './message-snapshots.js';
import { type DeliveryOutcome, recordOutcomes } from './record-outcomes.js';
import { type Attempted, RefusalWatch } from '../failures/refusal-watch.js';
import { computeDelay } from './retry-delay.js';
import { Slots, TargetGates } from './target-gates.js';
import { targetOf } from './target.js';
import type { WorkerDependencies } from './worker-dependencies.js';

/** For a whole attempt; channels have shorter timeouts of their own. */
const attemptTimeoutMs = 60_000;

type ReportOutcome = (deliveryId: string, outcome: Outcome) => void;

export class Sender {
  private readonly inFlight = new Map<string, LeasedDelivery>();
  private readonly gates = new TargetGates();
  readonly slots = new Slots(this.inFlight, this.gates);
  private readonly snapshots: MessageSnapshots;
  private readonly watch: RefusalWatch;
  private unrecorded: Attempted<LeasedDelivery>[] = [];
  private recording: Promise<void> | undefined;
  private isAbandoned = false;

  constructor(
    private readonly database: Database,
    private readonly dependencies: WorkerDependencies,
    /** Called with the number of deliveries that were recorded: that many slots are free again. */
    private readonly onCapacity: (count: number) => void,
  ) {
    this.snapshots = new MessageSnapshots(database);
    this.watch = new RefusalWatch(database, dependencies.onFailing);
  }

  get inFlightDeliveries(): LeasedDelivery[] {
    return [...this.inFlight.values()];
  }

  /** Lets one delivery through to each of these targets whose breaker is open. */
  probe(targets: readonly string[]): void {
    this.gates.probe(targets, performance.now());
  }

  /** Starts to send those for which a slot is free, in their order. Returns the others. */
  accept<Delivery extends LeasedDelivery>(ready: Delivery[]): Delivery[] {
    const rejected: Delivery[] = [];
    const accepted: LeasedDelivery[] = [];
    for (const delivery of ready) {
      if (this.slots.isFreeFor(delivery)) {
        this.inFlight.set(delivery.id, delivery);
        accepted.push(delivery);
      } else rejected.push(delivery);
    }
    if (accepted.length)
      this.send(accepted).catch(error => this.database.log.error({ err: error }, 'deliveries could not be sent'));
    return rejected;
  }

  private async send(deliveries: LeasedDelivery[]): Promise<void> {
    const publicationIds = [...new Set(deliveries.map(({ publicationId }) => publicationId))];
    const snapshots = await this.snapshots.find(publicationIds);
    const byChannel = Map.groupBy(deliveries, ({ channel }) => channel);
    await Promise.all(
      [...byChannel].map(([channel, group]) =>
        runInSpan('send deliveries', { 'all_clear.channel': channel, 'all_clear.deliveries': group.length }, () =>
          this.sendOnChannel(channel, group, snapshots),
        ),
      ),
    );
  }

  private async sendOnChannel(
    channel: ChannelName,
    deliveries: LeasedDelivery[],
    snapshots: ReadonlyMap<number, MessageSnapshot>,
  ): Promise<void> {
    const unreported = new Map(deliveries.map(delivery => [delivery.id, delivery]));
    const report: ReportOutcome = (id, outcome) => {
      const delivery = unreported.get(id);
      if (!delivery) return;
      unreported.delete(id);
      this.handleOutcome(delivery, outcome);
    };
    let timer: NodeJS.Timeout | undefined;
    let failure = 'The channel reported no outcome.';
    try {
      const adapter = this.dependencies.adapters.get(channel)!;
      const messages = await Promise.all(
        deliveries.map(delivery => this.buildMessage(delivery, snapshots.get(delivery.publicationId), report)),
      );
      const timeout = new Promise<void>(done => {
        timer = setTimeout(done, attemptTimeoutMs);
      });
      await Promise.race([
        adapter.send(
          messages.filter(message => message !== null),
          report,
        ),
        timeout,
      ]);
    } catch (error) {
      failure = toErrorText(error);
      this.database.log.error({ err: error, channel }, 'a channel failed');
    } finally {
      clearTimeout(timer);
      for (const id of [...unreported.keys()]) report(id, { kind: 'failed', response: failure });
    }
  }

  /** Null where it could not be built, which is reported here. */
  private async buildMessage(
    delivery: LeasedDelivery,
    snapshot: MessageSnapshot | undefined,
    report: ReportOutcome,
  ): Promise<OutgoingMessage | null> {
    const { id, messageId, address, subscriberId, thread } = delivery;
    const { createLinks, loadTarget } = this.dependencies;
    try {
      if (!snapshot) throw new Error('The publication could not be loaded.');
      const links = subscriberId === null ? null : await createLinks?.(snapshot.page, subscriberId, address);
      const target = subscriberId === null ? ((await loadTarget?.(delivery)) ?? null) : null;
      const recipient = {
        address,
        subscriberId,
        thread,
        target,
        unsubscribe: links?.unsubscribe ?? null,
        preferences: links?.preferences ?? null,
      };
      return { deliveryId: id, messageId, snapshot, recipient };
    } catch (error) {
      report(id, { kind: 'failed', response: toErrorText(error) });
      return null;
    }
  }

  private handleOutcome(delivery: LeasedDelivery, reported: Outcome): void {
    const outcome = this.watch.read(delivery, reported);
    this.gates.report(targetOf(delivery), outcome, performance.now());
    this.unrecorded.push({ delivery, outcome });
    this.recording ??= this.recordUnrecorded().finally(() => {
      this.recording = undefined;
    });
  }

  /**
   * Outcomes that arrive while a batch is being written form the next batch. A batch that cannot be written is tried
   * again, and its deliveries stay in flight until then.
   */
  private async recordUnrecorded(): Promise<void> {
    await new Promise(setImmediate);
    while (this.unrecorded.length) {
      const batch = this.unrecorded.splice(0);
      for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
        try {
          await recordOutcomes(
            this.database,
            batch.map(({ delivery, outcome }) => this.toDeliveryOutcome(delivery, outcome)),
          );
          await this.checkRefusals(batch);
          break;
        } catch (error) {
          if (this.isAbandoned) return;
          this.database.log[toRefusal(error)?.code === 'UNAVAILABLE' ? 'debug' : 'error'](
            { err: error },
            'outcomes of deliveries could not be recorded',
          );
          await new Promise(done => setTimeout(done, waitMs));
        }
      }
      for (const { delivery } of batch) this.inFlight.delete(delivery.id);
      this.onCapacity(batch.length);
    }
  }

  /** The outcomes are recorded: a failure here must not record them again. */
  private checkRefusals = (batch: readonly Attempted[]): Promise<void> =>
    this.watch.check(batch).catch(error => this.database.log.error({ err: error }, 'refusals could not be compared'));

  private toDeliveryOutcome(delivery: LeasedDelivery, outcome: Outcome): DeliveryOutcome {
    const { id, lease } = delivery;
    const isDeferred = outcome.kind === 'failed' && outcome.deferral !== undefined;
    const retrySeconds =
      outcome.kind === 'failed' ? computeDelay(delivery, outcome, this.dependencies.retryHours) : null;
    return {
      id,
      lease,
      outcome: isDeferred ? 'deferred' : outcome.kind,
      response: toStoredText(outcome.response),
      retrySeconds,
      thread: (outcome.kind === 'sent' && outcome.thread) || null,
      isGone: outcome.kind === 'refused' && outcome.isGone === true,
    };
  }

  /** Waits until nothing is in flight, up to the timeout. Other workers take over the rest when its leases expire. */
  async finish(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (this.inFlight.size && performance.now() < until) await new Promise(done => setTimeout(done, 20));
    this.isAbandoned = true;
  }
}

const toErrorText = (error: unknown) => (error instanceof Error ? error.message : String(error));
