import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { deliveriesChannel } from '../../db/change-feed.js';
import type { CommittedChange } from '../../db/committed-changes.js';
import { Heartbeats } from '../../core/heartbeats.js';
import type { Database } from '../../db/database.js';
import { type BackgroundTask, poll } from '../../db/poll.js';
import { idleMs, waitingMs, WorkLoop } from '../../db/work-loop.js';
import { leaseDeliveries } from './lease-deliveries.js';
import { type FanOutTurn, fanOutNext } from './fan-out.js';
import { type LeasedDelivery, leaseMs, releaseDeliveries, renewLeases } from './lease.js';
import { Sender } from './sender.js';
import { skipStopped } from './skip-stopped.js';
import { maxUnrecorded } from './target-gates.js';
import type { WorkerDependencies } from './worker-dependencies.js';

/** The shortest time between two leases while leased deliveries wait for a slot. */
const leaseIntervalWhileFullMs = 100;
const maxLeasedAhead = 64;
/** A delivery that waits longer for a slot is released: the recipient may have unsubscribed meanwhile. */
const maxReadyMs = 1_000;
const shutdownTimeoutMs = 5_000;

/**
 * Creates the deliveries of publications, leases those that are due, sends them and records the outcomes. Any number of
 * workers may run on one database. The returned function stops the worker: it starts nothing more, waits for what is in
 * flight, and releases what it leased and did not send.
 */
export function startWorker(database: Database, dependencies: WorkerDependencies): () => Promise<void> {
  const { log, embedded: rests } = database;
  const { heartbeats = new Heartbeats() } = dependencies;
  const worker = new Worker(database, dependencies, () => leaseLoop.wake());
  const createLoop = (task: string, failureMessage: string, round: () => Promise<number>) =>
    new WorkLoop(round, { failureMessage, log, rests, onRound: heartbeats.expect(task) });
  const leaseLoop = createLoop('the delivery worker', 'deliveries could not be leased', () => worker.lease());
  const turn: FanOutTurn = { lastPageId: '' };
  const fanOutLoop = createLoop('the fan-out of publications', 'deliveries could not be created', async () => {
    const { targets, waits } = await fanOutNext(database, turn);
    if (!targets) return waits ? waitingMs : idleMs;
    worker.probe(targets);
    leaseLoop.wake();
    return 0;
  });
  const skipFailure = 'deliveries of stopped publications could not be skipped';
  const skipLoop = createLoop('the skipping of stopped publications', skipFailure, async () => {
    const { hasMore, waits } = await skipStopped(database);
    // What a stopped publication had superseded is sent after all.
    if (hasMore) leaseLoop.wake();
    return hasMore ? 0 : waits ? waitingMs : idleMs;
  });
  const wake = () => {
    fanOutLoop.wake();
    skipLoop.wake();
    leaseLoop.wake();
  };
  const onCommitted = ({ queuesDeliveries }: CommittedChange) => {
    if (queuesDeliveries) wake();
  };
  database.changes.on('committed', onCommitted);
  // Commits of other processes arrive by NOTIFY; a lost one is made up for by the next poll.
  const listening = database.listen(deliveriesChannel, wake);
  const renewal: BackgroundTask = {
    name: 'the renewal of leases',
    intervalMs: leaseMs / 3,
    failureMessage: 'leases could not be renewed',
    run: () => worker.renewLeases(),
  };
  const stopRenewing = poll(renewal, log, heartbeats);
  return async () => {
    database.changes.off('committed', onCommitted);
    await Promise.all([fanOutLoop.stop(), skipLoop.stop(), leaseLoop.stop()]);
    await worker.finish();
    await stopRenewing();
    listening.stop();
  };
}

interface ReadyDelivery extends LeasedDelivery {
  leasedAt: number;
}

class Worker {
  private readonly name = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  private readonly sender: Sender;
  /** Leased, and waiting for a slot. */
  private ready: ReadyDelivery[] = [];
  /** Recorded since the last lease: as many are leased ahead, so that a fast server always has work. */
  private recordedCount = 0;
  private lastLeaseAt = 0;

  constructor(
    private readonly database: Database,
    dependencies: WorkerDependencies,
    onCapacity: () => void,
  ) {
    this.sender = new Sender(database, dependencies, count => {
      this.recordedCount = Math.min(this.recordedCount + count, maxLeasedAhead);
      onCapacity();
    });
  }

  /** Returns in how many milliseconds there may be more to lease. */
  async lease(): Promise<number> {
    await this.sendReady();
    const now = performance.now();
    if (this.ready.length && now - this.lastLeaseAt < leaseIntervalWhileFullMs) return waitingMs;
    const limit = maxUnrecorded - this.sender.inFlightDeliveries.length + this.recordedCount;
    if (limit <= 0) return waitingMs;
    this.recordedCount = 0;
    this.lastLeaseAt = now;
    const { leased, found, nextInMs } = await leaseDeliveries(this.database, {
      worker: this.name,
      limit,
      held: this.held.map(({ id }) => id),
      ...this.sender.slots.limitLease(this.ready),
    });
    // After the statement, which may be slow: it checked the recipients at its end.
    const leasedAt = performance.now();
    this.ready.push(...leased.map(delivery => ({ ...delivery, leasedAt })));
    await this.sendReady();
    return found > 0 ? 0 : this.ready.length ? waitingMs : nextInMs;
  }

  private async sendReady(): Promise<void> {
    const now = performance.now();
    const isStale = ({ leasedAt }: ReadyDelivery) => now - leasedAt > maxReadyMs;
    const stale = this.ready.filter(isStale);
    this.ready = this.sender.accept(this.ready.filter(delivery => !isStale(delivery)));
    await this.release(stale);
  }

  probe(targets: readonly string[]): void {
    this.sender.probe(targets);
  }

  private async release(deliveries: ReadyDelivery[]): Promise<void> {
    if (deliveries.length) await releaseDeliveries(this.database, deliveries);
  }

  private get held(): LeasedDelivery[] {
    return [...this.ready, ...this.sender.inFlightDeliveries];
  }

  async renewLeases(): Promise<void> {
    const { held } = this;
    if (held.length) await renewLeases(this.database, held);
  }

  async finish(): Promise<void> {
    await this.release(this.ready.splice(0)).catch(error =>
      this.database.log.warn({ err: error }, 'deliveries could not be released'),
    );
    await this.sender.finish(shutdownTimeoutMs);
  }
}
