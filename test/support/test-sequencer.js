import Sequencer from '@jest/test-sequencer';

/** Their tests start processes and wait for them: the last to begin would run alone. */
const slow = /\/test\/(process|browser)\/|\/hostile-themes\.test\.ts$/;

/** Begins with slow files. Jest knows durations of earlier runs, and on a new machine only the sizes of files. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => Number(slow.test(other.path)) - Number(slow.test(one.path)));
  }
}
