/** Runs jobs one after the other for each key, in the order in which they came. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  run<Result>(key: string, job: () => Promise<Result>): Promise<Result> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(job);
    const settled = result
      .catch(() => {})
      .then(() => {
        if (this.last.get(key) === settled) this.last.delete(key);
      });
    this.last.set(key, settled);
    return result;
  }
}
