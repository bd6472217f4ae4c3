/** How old a shared result can be. */
export const maxAgeMs = 250;

/** Runs `work` for the first caller only: callers meanwhile, and for 250 ms after it, get the same result. */
export function shareResult<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let shared: Promise<Result> | undefined;
  const forget = () => {
    shared = undefined;
  };
  return () => (shared ??= work().finally(() => setTimeout(forget, maxAgeMs).unref()));
}

/** Runs `work` for the first caller of a key only: callers with that key meanwhile get the same result. */
export function shareResultByKey<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (key, work) => {
    const result = running.get(key) ?? work().finally(() => running.delete(key));
    running.set(key, result);
    return result;
  };
}
