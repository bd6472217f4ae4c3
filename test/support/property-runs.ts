/** Set for all processes of a run by the reporter `report-seed`: a number that is new each day, so that others can repeat it. */
export const seed = Number(process.env.TEST_SEED ?? 0);

const fewRuns = 10;

/**
 * The options of a property that is slow to test, since it asks a database: `TEST_ALL_RUNS`, which is set in
 * `npm run test:all`, tests it so many times, and other runs at most ten times.
 */
export const propertyRuns = (all: number) => ({
  seed,
  numRuns: process.env.TEST_ALL_RUNS ? all : Math.min(all, fewRuns),
});
