import { expect, test } from '@jest/globals';
import type { ImportedNotice } from '../../../../src/transfer/importers/imported-page.js';
import { planImport } from '../../../../src/transfer/importers/plan.js';
import { trackNothing } from '../../../../src/transfer/importers/source-ids.js';

const at = new Date('2026-11-01T10:00:00Z');
const createPage = (count: number) => {
  const changes = Array.from({ length: count }, (_, index) => ({
    componentId: `c${index}`,
    state: 'major-outage' as const,
    at,
  }));
  const notice = { type: 'unplanned', state: 'investigating', impact: 'degraded', sourceId: 'i', beganAt: at };
  const notices = [{ ...notice, createdAt: at, endedAt: null, updates: [], componentIds: [], changes }];
  const components = changes.map(({ componentId }) => ({ sourceId: componentId, name: componentId }));
  return { settings: {}, components, notices, subscribers: [], leftOut: [] } as unknown as {
    settings: object;
    components: [];
    notices: ImportedNotice[];
    subscribers: [];
    leftOut: [];
  };
};

test('a notice with as many components as changes is planned in a time that grows with their number', () => {
  const { notices } = planImport(createPage(100_000), trackNothing());
  expect(notices.created[0]!.row.components).toHaveLength(100_000);
  expect(notices.created[0]!.row.components.at(-1)).toEqual({ componentId: 'c99999', impact: 'major-outage' });
}, 20_000);

test('periods that were computed beforehand are not computed again', () => {
  const page = createPage(1);
  const period = { sourceId: 'p', componentId: 'c0', state: 'maintenance' as const, beganAt: at, endedAt: at };
  const { periods } = planImport({ ...page, periods: [period, { ...period, componentId: 'gone' }] }, trackNothing());
  expect(periods.created.map(({ row }) => row)).toEqual([period]);
});

test('components that are not there are listed up to a maximum, and the others are counted', () => {
  const { leftOut, notices } = planImport({ ...createPage(12_345), components: [] }, trackNothing());
  expect(notices.created[0]!.row.components).toEqual([]);
  expect(leftOut).toHaveLength(10_001);
  expect(leftOut[0]!.reason).toBe('names the component c0, which is not there');
  expect(leftOut.at(-1)!.sourceId).toBe('of 2,345 more');
});
