import { log } from '../../core/logger.js';
import { NotTaken } from '../../subscribers/confirmation-sender.js';

const atOnce = 5;
const waitingAtMost = 1_000;

/**
 * Sends behind the answers, so that how long an answer takes tells nothing of what was sent, or whether anything was. What is lost with the process is asked for again by
 * whoever waits for it.
 */
export class Outbox {
  private readonly waiting: (() => Promise<void>)[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /**
   * `failed` is told what `send` failed with at first; null where it was never called. What was not taken for now is sent again after so many seconds each: who greylists takes nothing
   * at the first time.
   */
  post(
    send: () => Promise<void>,
    failed: (error: unknown) => Promise<void>,
    againAfterSeconds: readonly number[] = [],
  ): void {
    this.add(
      () =>
        send().catch(async error => {
          const [wait, ...later] = error instanceof NotTaken && error.forGood ? [] : againAfterSeconds;
          // The answers of mail servers repeat the address.
          log.warn({ failure: codeOf(error), againAfterSeconds: wait }, 'a confirmation could not be sent');
          await failed(error).catch(() => {});
          if (wait !== undefined) this.after(wait, () => this.post(send, async () => {}, later));
        }),
      failed,
    );
  }

  private add(job: () => Promise<void>, failed: (error: unknown) => Promise<void>): void {
    if (this.waiting.length >= waitingAtMost) {
      log.warn('too many confirmations wait to be sent: one was left out');
      void failed(null).catch(() => {});
      return;
    }
    this.waiting.push(job);
    this.next();
  }

  private after(seconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, seconds * 1_000);
    this.timers.add(timer.unref());
  }

  /** When all that was posted is sent, or has failed; what was to be sent again is not. */
  async settled(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    while (this.running.size) await Promise.all(this.running);
  }

  private next(): void {
    while (this.running.size < atOnce && this.waiting.length) {
      const sending = this.waiting.shift()!().finally(() => {
        this.running.delete(sending);
        this.next();
      });
      this.running.add(sending);
    }
  }
}

function codeOf(error: unknown): string {
  const { code, responseCode, name } = error as { code?: unknown; responseCode?: unknown; name?: unknown };
  return String(responseCode ?? code ?? name ?? 'unknown');
}
