import Sequencer from '@jest/test-sequencer';

/** Their tests start processes and wait for them: the last to begin would run alone. */
const slow = /\/test\/(process|browser)\/|\/hostile-themes\.test\.ts$/;

/**
 * Begins with slow files, in turn with others: while some workers wait, the others use the processors. Jest knows
 * durations of earlier runs, and on a new machine only the sizes of files.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    const others = sorted.filter(({ path }) => !slow.test(path));
    const alternating = sorted.filter(({ path }) => slow.test(path)).flatMap(test => [test, ...others.splice(0, 1)]);
    return [...alternating, ...others];
  }
}
