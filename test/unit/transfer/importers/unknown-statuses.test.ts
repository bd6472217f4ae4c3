import { expect, test } from '@jest/globals';
import { sources } from '../../../../src/transfer/importers/sources/registry.js';

const at = '2026-03-01T10:00:00Z';
const incident = { id: 'i', name: 'Outage', created_at: at, started_at: at, resolved_at: at };

test.each(['constructor', '__proto__', 'toString'])('the status %s of a source is unknown', status => {
  const affected = [{ code: 'c', name: 'C', old_status: 'operational', new_status: status }];
  const update = { id: 'u', status: 'resolved', body: 'Over.', created_at: at, affected_components: affected };
  const { leftOut, notices } = sources.statuspage.read(
    {
      page: { id: 'p', name: 'A' },
      components: [],
      incidents: [
        { ...incident, status, impact: 'major', incident_updates: [], components: [] },
        { ...incident, id: 'j', status: 'resolved', impact: status, incident_updates: [update], components: [] },
      ],
    },
    { now: new Date(at) },
  );
  expect(leftOut.filter(({ kind }) => kind === 'notice')).toEqual([
    expect.objectContaining({ reason: expect.stringContaining(`has the unknown status "${status}"`) }),
  ]);
  expect(notices).toMatchObject([{ sourceId: 'j', impact: 'degraded', changes: [] }]);
});
