import { describe, expect, test } from '@jest/globals';
import { advanceDueNotices } from '../../../src/notices/automation/notice.automation.js';
import { useAutomatedPages, futureWindow } from '../../support/automated-notices.js';

const { service, automated } = useAutomatedPages();
const advance = () => advanceDueNotices(service.database);

describe('a state change by a client', () => {
  test.each([
    ['underway', 'underway'],
    ['complete', 'complete'],
    ['cancelled', 'cancelled'],
  ])('to %s cancels the automatic start', async (state, expected) => {
    const id = await automated.create();
    await automated.patch(id, { state });
    await automated.makeStartDue(id);
    const before = await automated.readResponse(id);
    expect(await advance()).toBe(0);
    expect(await automated.readResponse(id)).toEqual(before);
    expect((await automated.read(id)).state).toBe(expected);
  });

  test('to underway keeps the automatic end', async () => {
    const id = await automated.create();
    await automated.patch(id, { state: 'underway' });
    await automated.makeEndDue(id);
    expect(await advance()).toBe(1);
    expect((await automated.read(id)).state).toBe('complete');
  });

  test.each(['cancelled', 'complete'])('from underway to %s cancels the automatic end', async state => {
    const id = await automated.create();
    await automated.patch(id, { state: 'underway' });
    await automated.patch(id, { state });
    await automated.makeEndDue(id);
    expect(await advance()).toBe(0);
    expect((await automated.read(id)).state).toBe(state);
  });

  test('back to scheduled cancels the start, and the end then changes nothing', async () => {
    const id = await automated.create();
    await automated.makeStartDue(id);
    await advance();
    await automated.patch(id, { state: 'scheduled' });
    const before = await automated.readVersion(id);
    expect(await advance()).toBe(0);
    await automated.makeStartAndEndDue(id);
    expect(await advance()).toBe(0);
    expect((await automated.read(id)).state).toBe('scheduled');
    expect(await automated.readVersion(id)).toBe(before);
    await automated.patch(id, { state: 'underway' });
    expect(await advance()).toBe(0);
  });

  test('back to scheduled and again to underway keeps the automatic end', async () => {
    const id = await automated.create();
    for (const state of ['underway', 'scheduled', 'underway']) await automated.patch(id, { state });
    await automated.makeEndDue(id);
    expect(await advance()).toBe(1);
    expect((await automated.read(id)).state).toBe('complete');
  });

  test('out of cancelled or complete does not arm the automatic changes again', async () => {
    for (const [state, next] of [
      ['cancelled', 'scheduled'],
      ['complete', 'scheduled'],
      ['complete', 'underway'],
    ]) {
      const id = await automated.create();
      await automated.patch(id, { state });
      await automated.patch(id, { state: next });
      await automated.makeStartAndEndDue(id);
      expect(await advance()).toBe(0);
      expect((await automated.read(id)).state).toBe(next);
    }
  });
});

describe('a new window', () => {
  test.each([{ begins_at_date: '2098-01-01' }, { duration_in_minutes: 5 }, { ends_at: '2099-01-05' }])(
    'arms both automatic changes of a scheduled notice again: %j',
    async newWindow => {
      const id = await automated.create();
      await automated.patch(id, { state: 'cancelled' });
      await automated.patch(id, { state: 'scheduled' });
      await automated.patch(id, newWindow);
      await automated.makeStartDue(id);
      expect(await advance()).toBe(1);
      await automated.makeEndDue(id);
      expect(await advance()).toBe(1);
      expect((await automated.read(id)).state).toBe('complete');
    },
  );

  test('equal to the current one arms nothing', async () => {
    const id = await automated.create();
    await automated.patch(id, { state: 'cancelled' });
    await automated.patch(id, { state: 'scheduled', ...futureWindow });
    await automated.makeStartDue(id);
    expect(await advance()).toBe(0);
  });

  test('sent with a state change takes effect after it', async () => {
    const id = await automated.create();
    await automated.patch(id, { state: 'underway' });
    await automated.patch(id, { state: 'scheduled', begins_at_date: '2098-01-01' });
    await automated.makeStartDue(id);
    expect(await advance()).toBe(1);
  });

  test.each(['complete', 'cancelled'])('does not change a notice in state %s', async state => {
    const id = await automated.create();
    await automated.patch(id, { state });
    await automated.patch(id, { begins_at_date: '2020-01-01' });
    expect(await advance()).toBe(0);
    expect((await automated.read(id)).state).toBe(state);
  });
});
