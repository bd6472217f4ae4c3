/** Runs `work` while the clock of this process stands still. Jest cannot fake it, since test files share a context. */
export async function withProcessClock<Result>(time: Date, work: () => Promise<Result>): Promise<Result> {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values: [] | [string | number | Date]) =>
      values.length ? new target(...values) : new target(time),
    get: (target, name) => (name === 'now' ? () => time.getTime() : Reflect.get(target, name)),
  });
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
  }
}
