/** A reporter: chooses the seed of `property-runs`, and says how to repeat a run by it. */
export default class ReportSeed {
  constructor() {
    // Before the workers start.
    process.env.TEST_SEED ??= new Date().toISOString().slice(0, 10).replaceAll('-', '');
  }

  onRunComplete() {
    process.stderr.write(`\nRandom values came from TEST_SEED=${process.env.TEST_SEED}.\n`);
  }
}
