// Preloaded with --import: shifts the clock of the process by CLOCK_OFFSET_MS.
const offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const { now } = Date;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length ? args : [now() + offsetMs]));
  }
  static now = () => now() + offsetMs;
};
