export type RunInOrder = <Result>(job: () => Promise<Result>) => Promise<Result>;

/** Runs jobs one after another, in the order in which they came; one that fails does not stop the others. */
export function createOrder(): RunInOrder {
  let last: Promise<unknown> = Promise.resolve();
  return job => {
    const result = last.then(job);
    last = result.catch(() => {});
    return result;
  };
}
