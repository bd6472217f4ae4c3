import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import type { Database } from '../../db/connection.js';
import { recurring } from '../../db/poll.js';
import { log } from '../../core/logger.js';
import { type Claimed, claim, leaseMilliseconds, release, renew } from './queue.js';
import { spreadNext } from './fan-out.js';
import { Loop } from './worker-loop.js';
import type { WorkerParts } from './worker-dependencies.js';
import { Sender, breakerKey, unrecordedAtMost } from './sender.js';

/** Nobody says when a retry is due or a lease is over: that is looked for. */
const lookEveryMilliseconds = 500;
/** While something waits for room, what waits for no room is looked for no more often than this. */
const lookBesideMilliseconds = 100;
/** Claimed ahead, at most. */
const aheadAtMost = 64;
/** What waits for longer goes back: the recipient may have left meanwhile. */
const freshForMilliseconds = 1_000;
const patienceAtStop = 15_000;

/**
 * Tells people what was published: makes deliveries of publications, takes some of those that are due, sends them and writes back. Any number may run on one
 * database. Returns what stops it: it begins nothing more, waits for what is under way, and gives back what it has not begun.
 */
export function startWorker(database: Database, parts: WorkerParts): () => Promise<void> {
  const worker = new Worker(database, parts, () => claiming.nudge());
  const claiming = new Loop(() => worker.claim(), lookEveryMilliseconds, 'deliveries could not be claimed');
  const spreading = new Loop(
    async () => {
      const isSpread = await spreadNext(database);
      if (isSpread) claiming.nudge();
      return isSpread;
    },
    lookEveryMilliseconds,
    'deliveries could not be made',
  );
  const nudge = () => {
    spreading.nudge();
    claiming.nudge();
  };
  database.changes.on('committed', nudge);
  // What other processes commit is told by NOTIFY; where that is not heard, the next look finds it.
  const silence = database.listen('page_changed', nudge);
  const stopRenewing = recurring(() => worker.renew(), leaseMilliseconds / 3, 'leases could not be renewed');
  return async () => {
    database.changes.off('committed', nudge);
    await Promise.all([spreading.stop(), claiming.stop()]);
    await worker.finish();
    await stopRenewing();
    silence();
  };
}

interface Ready extends Claimed {
  claimedAt: number;
}

class Worker {
  private readonly name = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  private readonly sender: Sender;
  /** Claimed, and waiting for room. */
  private ready: Ready[] = [];
  /** How many were recorded since the last claim: so many more may be claimed ahead, so that a fast server never waits and a slow one holds nothing. */
  private pace = 0;
  private lookedAt = 0;

  constructor(
    private readonly database: Database,
    parts: WorkerParts,
    freed: () => void,
  ) {
    this.sender = new Sender(database, parts, count => {
      this.pace = Math.min(this.pace + count, aheadAtMost);
      freed();
    });
  }

  /** True when there may be more to claim. */
  async claim(): Promise<boolean> {
    await this.takeReady();
    const lookedAt = performance.now();
    if (this.ready.length && lookedAt - this.lookedAt < lookBesideMilliseconds) return false;
    const limit = unrecordedAtMost - this.sender.held.length + this.pace;
    if (limit <= 0) return false;
    this.pace = 0;
    this.lookedAt = lookedAt;
    const waiting = this.ready.map(breakerKey);
    const { claimed, found } = await claim(this.database, {
      worker: this.name,
      limit,
      retries: this.ready.length ? 0 : this.sender.roomForRetries,
      shut: [...this.sender.shut(), ...waiting],
    });
    // Whatever the database took to answer: it asked who may be told at its end.
    const claimedAt = performance.now();
    this.ready.push(...claimed.map(one => ({ ...one, claimedAt })));
    await this.takeReady();
    return found > 0;
  }

  private async takeReady(): Promise<void> {
    const now = performance.now();
    const isOld = ({ claimedAt }: Ready) => now - claimedAt > freshForMilliseconds;
    const old = this.ready.filter(isOld);
    this.ready = this.sender.take(this.ready.filter(one => !isOld(one)));
    await this.giveBack(old);
  }

  private async giveBack(claimed: Ready[]): Promise<void> {
    if (claimed.length) await release(this.database, claimed);
  }

  async renew(): Promise<void> {
    const held = [...this.ready, ...this.sender.held];
    if (held.length) await renew(this.database, held);
  }

  async finish(): Promise<void> {
    await this.giveBack(this.ready.splice(0)).catch(error =>
      log.warn({ err: error }, 'deliveries could not be given back'),
    );
    await this.sender.finish(patienceAtStop);
  }
}
