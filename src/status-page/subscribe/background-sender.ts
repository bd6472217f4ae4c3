import PQueue from 'p-queue';
import type { Logger } from '../../core/logger.js';
import { SendError } from '../../subscribers/confirmation-sender.js';

const concurrency = 5;
const maxQueued = 1_000;
/** That wait for another attempt: as many as mails that nobody receives are requested while a server refuses all. */
const maxRetries = 1_000;

/**
 * Sends after the HTTP response, so that the response time does not reveal what was sent, or whether anything was.
 * The queue is in memory: a message lost with the process is requested again by the visitor who waits for it.
 */
export class BackgroundSender {
  private readonly queue = new PQueue({ concurrency });
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly log: Logger) {}

  /**
   * Queues a message. `send` and `onFailure` are kept for minutes, so they must not be closures of a function that
   * handles a request: these keep all that any other closure of it uses, such as the whole page. `onFailure` gets the
   * error of the first attempt, or null when the queue was full and `send` never ran. Temporary failures are retried
   * after each of the delays, since a greylisting server refuses the first attempt.
   */
  enqueue(
    send: () => Promise<void>,
    onFailure: (error: unknown) => Promise<void>,
    retryDelaysSeconds: readonly number[] = [],
  ): void {
    if (this.queue.size >= maxQueued) {
      this.log.warn('the queue of confirmations is full: one was dropped');
      void onFailure(null).catch(() => {});
      return;
    }
    void this.queue.add(() =>
      send().catch(async error => {
        const [delay, ...laterDelays] = error instanceof SendError && error.isPermanent ? [] : retryDelaysSeconds;
        // Only the code is logged: the responses of mail servers repeat the address.
        this.log.warn({ failure: errorCode(error), retryAfterSeconds: delay }, 'sending a confirmation failed');
        await onFailure(error).catch(() => {});
        if (delay !== undefined) this.schedule(delay, () => this.enqueue(send, ignoreFailure, laterDelays));
      }),
    );
  }

  /** Waits until all queued messages are sent or have failed. Cancels pending retries. */
  async drain(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await this.queue.onIdle();
  }

  private schedule(seconds: number, task: () => void): void {
    if (this.timers.size >= maxRetries)
      return void this.log.warn('too many confirmations are retried: one was dropped');
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      task();
    }, seconds * 1_000);
    this.timers.add(timer.unref());
  }
}

export const ignoreFailure = async (): Promise<void> => {};

function errorCode(error: unknown): string {
  const { code, responseCode, name } = error as { code?: unknown; responseCode?: unknown; name?: unknown };
  return String(responseCode ?? code ?? name ?? 'unknown');
}
