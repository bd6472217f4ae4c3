import { expect, test } from '@jest/globals';
import { describePage } from '../../../support/imported-pages.js';
import { useService } from '../../../support/service.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';

const service = useService();
const { report } = createImport(service);
removeSavedAnswers();

const resource = (id: string, attributes: object) => ({ id, type: 'x', attributes });
const affects = (status: string) => ({ affected_resources: [{ status_page_resource_id: 'r1', status }] });
const answers = {
  'status-page.json': {
    data: resource('1', { company_name: 'Meridian', company_url: 'https://m.example', timezone: 'Berlin' }),
  },
  'sections.json': { data: [resource('5', { name: 'Core', position: 0, status_page_id: 1 })] },
  'resources.json': {
    data: [
      resource('r1', { status_page_section_id: 5, public_name: 'API', explanation: '', position: 0 }),
      resource('r2', { status_page_section_id: null, public_name: 'Web', explanation: 'All', position: 1 }),
    ],
  },
  'status-reports.json': {
    data: [
      resource('10', {
        title: 'Slow',
        report_type: 'manual',
        starts_at: '2026-03-01T10:00:00Z',
        ends_at: '2026-03-01T12:00:00Z',
        ...affects('resolved'),
      }),
      resource('11', {
        title: 'Move',
        report_type: 'maintenance',
        starts_at: '2099-03-01T10:00:00Z',
        ends_at: '2099-03-01T11:00:00Z',
        affected_resources: [{ status_page_resource_id: 'r2', status: 'maintenance' }],
      }),
      resource('12', {
        title: 'Endless',
        report_type: 'maintenance',
        starts_at: '2099-03-01T10:00:00Z',
        ends_at: null,
      }),
    ],
  },
  'status-updates.json': {
    data: [
      resource('21', {
        message: '<p>Fixed.</p>',
        published_at: '2026-03-01T12:00:00Z',
        status_report_id: 10,
        ...affects('resolved'),
      }),
      resource('20', {
        message: 'We look.',
        published_at: '2026-03-01T10:00:00Z',
        status_report_id: 10,
        ...affects('downtime'),
      }),
      resource('22', {
        message: 'We move.',
        published_at: '2026-03-02T10:00:00Z',
        status_report_id: 11,
        affected_resources: [],
      }),
    ],
  },
};

test('allclear import --from betterstack moves a page, twice without doubling it', async () => {
  const folder = saveAnswers(answers);
  const first = await report(folder, '--from', 'betterstack', '--yes');
  expect(first.leftOut).toEqual([{ kind: 'notice', sourceId: '12', reason: 'has no window' }]);
  expect(await describePage(service, first.pageId!)).toEqual([
    'Meridian, Berlin',
    'Core',
    'Core / API',
    'Web',
    'Move: SCHEDULED - - [2099-03-01T10:00 2099-03-01T11:00] Web DEGRADED',
    '  SCHEDULED 2026-03-02T10:00 We move.',
    'Slow: RESOLVED 2026-03-01T10:00 2026-03-01T12:00 API MAJOR_OUTAGE',
    '  INVESTIGATING 2026-03-01T10:00 We look.',
    '  RESOLVED 2026-03-01T12:00 Fixed.',
  ]);
  expect(toCounts(await report(folder, '--from', 'betterstack', '--yes', '--page', first.pageId!))).toEqual({
    component: [0, 0, 3, 0],
    notice: [0, 0, 2, 1],
    update: [0, 0, 3, 0],
    subscriber: [0, 0, 0, 0],
  });
});
