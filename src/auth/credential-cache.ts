import { LRUCache } from 'lru-cache';
import { shareResultByKey } from '../core/share-result.js';

/** For how long a process may accept what another process has ended, from the moment it asks for it. */
export const cacheTtlMs = 1_000;

type Cached<Value> = Value & { cachedUntil: number };

/** What was found by the hash of a credential, for a second. Requests that arrive meanwhile share a look-up. */
export class CredentialCache<Value extends object> {
  /** Only what was valid at its last look-up, so that guesses do not evict it. */
  private readonly found = new LRUCache<string, Cached<Value>>({ max: 10_000 });
  private readonly share = shareResultByKey<Cached<Value> | undefined>();
  /** Counts what this process has ended: look-ups that began before it are neither kept nor shared. */
  private version = 0;

  constructor(private readonly lookUp: (hash: string) => Promise<Value | undefined>) {}

  /** Not by the time to live: what has expired is still known, and its look-up is not a guess. */
  has(hash: string): boolean {
    return this.found.has(hash);
  }

  /** `isFresh`: it is looked up in any case. */
  async find(hash: string, isFresh = false): Promise<Value | undefined> {
    if (isFresh) return this.read(hash);
    const startedAt = performance.now();
    const isCurrent = (value: Cached<Value> | undefined) => value && value.cachedUntil > startedAt;
    const cached = this.found.get(hash);
    if (isCurrent(cached)) return cached;
    const readOnce = () => this.share(`${this.version} ${hash}`, () => this.read(hash));
    const value = await readOnce();
    // One that takes longer than a second may have begun too long ago.
    return !value || isCurrent(value) ? value : readOnce();
  }

  /** Forgets what this process has ended. */
  delete(isEnded: (value: Value) => boolean): void {
    this.version += 1;
    for (const [hash, value] of this.found.entries()) if (isEnded(value)) this.found.delete(hash);
  }

  private async read(hash: string): Promise<Cached<Value> | undefined> {
    const { version } = this;
    const cachedUntil = performance.now() + cacheTtlMs;
    const value = await this.lookUp(hash);
    if (!value) {
      this.found.delete(hash);
      return undefined;
    }
    const cached = { ...value, cachedUntil };
    if (version === this.version) this.found.set(hash, cached);
    return cached;
  }
}
