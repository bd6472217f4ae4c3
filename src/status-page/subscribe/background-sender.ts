import type { Logger } from '../../core/logger.js';
import { SendError } from '../../subscribers/confirmation-sender.js';

const concurrency = 5;
const maxQueued = 1_000;

/**
 * Sends after the HTTP response, so that the response time does not reveal what was sent, or whether anything was.
 * The queue is in memory: a message lost with the process is requested again by the visitor who waits for it.
 */
export class BackgroundSender {
  private readonly queue: (() => Promise<void>)[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly log: Logger) {}

  /**
   * Queues a message. `onFailure` gets the error of the first attempt, or null when the queue was full and `send` never
   * ran. Temporary failures are retried after each of the delays, since a greylisting server refuses the first attempt.
   */
  enqueue(
    send: () => Promise<void>,
    onFailure: (error: unknown) => Promise<void>,
    retryDelaysSeconds: readonly number[] = [],
  ): void {
    this.add(
      () =>
        send().catch(async error => {
          const [delay, ...laterDelays] = error instanceof SendError && error.isPermanent ? [] : retryDelaysSeconds;
          // Only the code is logged: the responses of mail servers repeat the address.
          this.log.warn({ failure: errorCode(error), retryAfterSeconds: delay }, 'sending a confirmation failed');
          await onFailure(error).catch(() => {});
          if (delay !== undefined) this.schedule(delay, () => this.enqueue(send, async () => {}, laterDelays));
        }),
      onFailure,
    );
  }

  private add(job: () => Promise<void>, onFailure: (error: unknown) => Promise<void>): void {
    if (this.queue.length >= maxQueued) {
      this.log.warn('the queue of confirmations is full: one was dropped');
      void onFailure(null).catch(() => {});
      return;
    }
    this.queue.push(job);
    this.startNext();
  }

  private schedule(seconds: number, task: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      task();
    }, seconds * 1_000);
    this.timers.add(timer.unref());
  }

  /** Waits until all queued messages are sent or have failed. Cancels pending retries. */
  async drain(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    while (this.running.size) await Promise.all(this.running);
  }

  private startNext(): void {
    while (this.running.size < concurrency && this.queue.length) {
      const sending = this.queue.shift()!().finally(() => {
        this.running.delete(sending);
        this.startNext();
      });
      this.running.add(sending);
    }
  }
}

function errorCode(error: unknown): string {
  const { code, responseCode, name } = error as { code?: unknown; responseCode?: unknown; name?: unknown };
  return String(responseCode ?? code ?? name ?? 'unknown');
}
