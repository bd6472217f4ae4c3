/**
 * How many messages a target is sent in a minute, once it has said that they are too many: as many as it accepted in
 * the minute before. The limit is of a server that does not publish it, and changes; a library with fixed points per
 * window cannot learn it. All times are of a monotonic clock, in milliseconds.
 */
export class Throttle {
  /** Acceptances by second, of the last minute. */
  private accepted: { second: number; count: number }[] = [];
  private perMinute = Number.POSITIVE_INFINITY;
  private limitedAt = 0;
  private pausedUntil = 0;
  /** Since the last acceptance. */
  private pauses = 0;

  recordAccepted(now: number): void {
    const second = Math.floor(now / 1_000);
    const last = this.accepted.at(-1);
    if (last?.second === second) last.count += 1;
    else this.accepted = [...this.accepted.filter(bucket => isRecent(bucket, now)), { second, count: 1 }];
    this.pauses = 0;
  }

  /** The target said that there were too many messages, and perhaps for how long to wait. */
  recordLimited(now: number, afterMs = 0): void {
    // Sent together with the one that it refused first.
    if (now < this.pausedUntil && !afterMs) return;
    const pauseMs = Math.min(shortestPauseMs * 1.5 ** this.pauses, longestPauseMs);
    this.pauses += 1;
    this.pausedUntil = Math.max(this.pausedUntil, now + (afterMs ? Math.min(afterMs, longestRetryAfterMs) : pauseMs));
    this.limitedAt = now;
    const accepted = this.countAccepted(now);
    // Fewer say nothing about the rate: the target had too many connections, or was limited by somebody else.
    if (accepted >= fewestPerMinute) this.perMinute = accepted;
  }

  /** How many messages may be in flight: none in a pause, one after it, and then what is left of the minute. */
  permits(now: number): number {
    if (now < this.pausedUntil) return 0;
    const quietMinutes = Math.floor((now - this.limitedAt) / 60_000);
    const limit = this.perMinute * 1.25 ** Math.max(quietMinutes - minutesUntilFaster, 0);
    const left = Math.max(Math.floor(limit) - this.countAccepted(now), 0);
    return this.pauses ? Math.min(left, 1) : left;
  }

  private countAccepted(now: number): number {
    return this.accepted.reduce((sum, bucket) => sum + (isRecent(bucket, now) ? bucket.count : 0), 0);
  }
}

const shortestPauseMs = 30_000;
const longestPauseMs = 60_000;
/** A target serves many recipients; a delivery itself waits for as long as the server said. */
const longestRetryAfterMs = 5 * 60_000;
const fewestPerMinute = 10;
/** Without a refusal: then the limit grows by a quarter each minute. */
const minutesUntilFaster = 10;

const isRecent = ({ second }: { second: number }, now: number) => (second + 1) * 1_000 > now - 60_000;
