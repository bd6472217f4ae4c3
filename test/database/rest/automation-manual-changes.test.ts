import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { moveDueNotices } from '../../../src/notices/notice.automation.js';
import { newPageOfMaintenances, window } from '../../support/automated-notices.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
/** A page of each test's own, so that its states are those of one notice. */
let on: Awaited<ReturnType<typeof newPageOfMaintenances>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  on = await newPageOfMaintenances(service);
});

const look = () => moveDueNotices(service.database);

describe('a move by hand', () => {
  test.each([
    ['underway', 'underway'],
    ['complete', 'complete'],
    ['cancelled', 'cancelled'],
  ])('into %s takes the place of the start', async (state, expected) => {
    const id = await on.create();
    await on.patch(id, { state });
    await on.toBegin(id);
    const before = await on.whole(id);
    expect(await look()).toBe(0);
    expect(await on.whole(id)).toEqual(before);
    expect((await on.read(id)).state).toBe(expected);
  });

  test('into underway leaves the end to come', async () => {
    const id = await on.create();
    await on.patch(id, { state: 'underway' });
    await on.toEnd(id);
    expect(await look()).toBe(1);
    expect((await on.read(id)).state).toBe('complete');
  });

  test.each(['cancelled', 'complete'])('from underway into %s takes the place of the end', async state => {
    const id = await on.create();
    await on.patch(id, { state: 'underway' });
    await on.patch(id, { state });
    await on.toEnd(id);
    expect(await look()).toBe(0);
    expect((await on.read(id)).state).toBe(state);
  });

  test('back into scheduled undoes the start for good: not even the end writes to the notice', async () => {
    const id = await on.create();
    await on.toBegin(id);
    await look();
    await on.patch(id, { state: 'scheduled' });
    const before = await on.version(id);
    expect(await look()).toBe(0);
    await on.toBePast(id);
    expect(await look()).toBe(0);
    expect((await on.read(id)).state).toBe('scheduled');
    expect(await on.version(id)).toBe(before);
    await on.patch(id, { state: 'underway' });
    expect(await look()).toBe(0);
  });

  test('back into scheduled and on into underway leaves the end to come', async () => {
    const id = await on.create();
    for (const state of ['underway', 'scheduled', 'underway']) await on.patch(id, { state });
    await on.toEnd(id);
    expect(await look()).toBe(1);
    expect((await on.read(id)).state).toBe('complete');
  });

  test('out of cancelled and out of complete does not bring back what they took the place of', async () => {
    for (const [state, next] of [
      ['cancelled', 'scheduled'],
      ['complete', 'scheduled'],
      ['complete', 'underway'],
    ]) {
      const id = await on.create();
      await on.patch(id, { state });
      await on.patch(id, { state: next });
      await on.toBePast(id);
      expect(await look()).toBe(0);
      expect((await on.read(id)).state).toBe(next);
    }
  });
});

describe('a new window', () => {
  test.each([{ begins_at_date: '2098-01-01' }, { duration_in_minutes: 5 }, { ends_at: '2099-01-05' }])(
    'arms both moves of a scheduled notice again: %j',
    async moved => {
      const id = await on.create();
      await on.patch(id, { state: 'cancelled' });
      await on.patch(id, { state: 'scheduled' });
      await on.patch(id, moved);
      await on.toBegin(id);
      expect(await look()).toBe(1);
      await on.toEnd(id);
      expect(await look()).toBe(1);
      expect((await on.read(id)).state).toBe('complete');
    },
  );

  test('that is the old one arms nothing', async () => {
    const id = await on.create();
    await on.patch(id, { state: 'cancelled' });
    await on.patch(id, { state: 'scheduled', ...window });
    await on.toBegin(id);
    expect(await look()).toBe(0);
  });

  test('beside a move by hand counts after it', async () => {
    const id = await on.create();
    await on.patch(id, { state: 'underway' });
    await on.patch(id, { state: 'scheduled', begins_at_date: '2098-01-01' });
    await on.toBegin(id);
    expect(await look()).toBe(1);
  });

  test.each(['complete', 'cancelled'])('moves no notice that is %s', async state => {
    const id = await on.create();
    await on.patch(id, { state });
    await on.patch(id, { begins_at_date: '2020-01-01' });
    expect(await look()).toBe(0);
    expect((await on.read(id)).state).toBe(state);
  });
});
