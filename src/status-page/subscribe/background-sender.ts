import PQueue from 'p-queue';
import { LinePerSecond } from '../../http/client-errors.js';
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

  private readonly failures: LinePerSecond<{ failure: string; retryAfterSeconds: number | undefined }>;
  private readonly dropped: LinePerSecond<{ reason: string }>;

  constructor(log: Pick<Logger, 'warn'>) {
    this.failures = new LinePerSecond(line => log.warn(line, 'sending a confirmation failed'));
    this.dropped = new LinePerSecond(line => log.warn(line, 'a confirmation was dropped'));
  }

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
      this.dropped.add({ reason: 'the queue is full' });
      void onFailure(null).catch(() => {});
      return;
    }
    void this.queue.add(() =>
      send().catch(async error => {
        const [delay, ...laterDelays] = error instanceof SendError && error.isPermanent ? [] : retryDelaysSeconds;
        // Only the code is logged: the responses of mail servers repeat the address.
        this.failures.add({ failure: errorCode(error), retryAfterSeconds: delay });
        await onFailure(error).catch(() => {});
        if (delay !== undefined) this.schedule(delay, () => this.enqueue(send, ignoreFailure, laterDelays));
      }),
    );
  }

  /** Waits until all queued messages are sent or have failed. Cancels pending retries. */
  async drain(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await this.queue.onIdle();
    for (const lines of [this.failures, this.dropped]) lines.close();
  }

  private schedule(seconds: number, task: () => void): void {
    if (this.timers.size >= maxRetries) return void this.dropped.add({ reason: 'too many are retried' });
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
