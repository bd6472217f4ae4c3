import { expect, test } from '@jest/globals';
import { Shutdown } from '../../../src/server/shutdown.js';

test('activities stop together, then resources close in the reverse order of their start', async () => {
  const shutdown = new Shutdown();
  const steps: string[] = [];
  let finish = () => {};
  shutdown.addResource(() => steps.push('first resource'));
  shutdown.addActivity(
    () =>
      new Promise<void>(done => {
        finish = done;
      }),
    () => {
      steps.push('activity');
      finish();
    },
  );
  shutdown.addResource(() => steps.push('second resource'));
  await shutdown.run();
  expect(steps).toEqual(['activity', 'second resource', 'first resource']);
  await shutdown.run();
  expect(steps).toHaveLength(3);
});

test('a step that fails is reported after all others were taken', async () => {
  const shutdown = new Shutdown();
  const steps: string[] = [];
  shutdown.addResource(() => steps.push('resource'));
  shutdown.addResource(async () => Promise.reject(new Error('cannot close')));
  shutdown.addActivity(() => Promise.reject(new Error('cannot stop')));
  await expect(shutdown.run()).rejects.toThrow('cannot stop');
  expect(steps).toEqual(['resource']);
});
