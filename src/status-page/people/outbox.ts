import { log } from '../../log.js';

const atOnce = 5;
const waitingAtMost = 1_000;

/**
 * Sends behind the answers, so that how long an answer takes tells nothing of what was sent, or whether anything was. What is lost with the process, or not taken by
 * the other side, is asked for again by whoever waits for it.
 */
export class Outbox {
  private readonly waiting: (() => Promise<void>)[] = [];
  private readonly running = new Set<Promise<void>>();

  /** `failed` is told what `send` failed with; null where it was never called. */
  post(send: () => Promise<void>, failed: (error: unknown) => Promise<void>): void {
    const job = () =>
      send().catch(async error => {
        // The answers of mail servers repeat the address.
        log.warn({ failure: codeOf(error) }, 'a confirmation could not be sent');
        await failed(error).catch(() => {});
      });
    if (this.waiting.length >= waitingAtMost) {
      log.warn('too many confirmations wait to be sent: one was left out');
      void failed(null).catch(() => {});
      return;
    }
    this.waiting.push(job);
    this.next();
  }

  /** When all that was posted is sent, or has failed. */
  async settled(): Promise<void> {
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
