import { expect, test } from '@jest/globals';
import { describePage } from '../../../support/imported-pages.js';
import { useService } from '../../../support/service.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';

const service = useService();
const { report } = createImport(service);
removeSavedAnswers();

const update = (id: string, status: string, started: string) => ({
  id,
  status,
  started,
  message: `Text of ${id}`,
  messageHtml: null,
  notify: true,
  createdAt: started,
});

const answers = {
  'page.json': { id: 'p', name: 'Meridian', subdomain: 'm', websiteUrl: 'https://m.example', language: 'de' },
  'components.json': [
    { id: 'core', name: 'Core', description: null, status: 'OPERATIONAL', order: 1, group: null },
    { id: 'api', name: { default: 'API' }, description: null, status: 'OPERATIONAL', order: 2, group: 'core' },
    { id: 'web', name: 'Web', description: null, status: 'OPERATIONAL', order: 3, group: { id: 'g', name: 'Sites' } },
  ],
  'incidents.json': [
    {
      id: 'i1',
      name: 'Slow',
      status: 'RESOLVED',
      started: '2026-03-01T10:00:00Z',
      resolved: '2026-03-01T12:00:00Z',
      components: [{ id: 'api', status: 'PARTIALOUTAGE' }],
      updates: [
        { ...update('u1', 'INVESTIGATING', '2026-03-01T10:00:00Z'), message: null, messageHtml: '<b>Look</b>' },
        update('u2', 'RESOLVED', '2026-03-01T12:00:00Z'),
      ],
    },
    { id: 'i2', name: 'Odd', status: 'ODD', started: '2026-03-01T10:00:00Z', resolved: null },
  ],
  'maintenances.json': [
    {
      id: 'm1',
      name: 'Move',
      status: 'NOTSTARTEDYET',
      start: '2099-03-01T10:00:00Z',
      duration: 90,
      components: [{ id: 'web' }],
      updates: [update('u3', 'NOTSTARTEDYET', '2026-03-02T10:00:00Z')],
    },
    { id: 'm2', name: 'No end', status: 'NOTSTARTEDYET', start: '2099-03-01T10:00:00Z', duration: null },
  ],
  'subscribers.json': [
    { id: 's1', email: 'anna@example.com', phone: null, webhook: null, confirmed: true, all: true, components: [] },
    { id: 's2', email: null, phone: '+49301234567', webhook: null, confirmed: true, all: false, components: ['api'] },
    { id: 's3', email: 'new@example.com', phone: null, webhook: null, confirmed: false, all: true },
    { id: 's4', email: null, phone: null, webhook: 'https://x.example', confirmed: true, all: true },
  ],
};

test('allclear import --from instatus moves a page, twice without doubling it', async () => {
  const folder = saveAnswers(answers);
  const first = await report(folder, '--from', 'instatus', '--yes');
  expect(first.leftOut.map(({ sourceId, reason }) => `${sourceId} ${reason}`)).toEqual([
    'i2 has the unknown status "ODD"',
    'm2 has no window',
    's3 has not confirmed the subscription',
    's4 has neither an e-mail address nor a phone number',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    'Meridian, UTC',
    'Sites',
    'Core',
    'Core / API',
    'Sites / Web',
    'Move: SCHEDULED - - [2099-03-01T10:00 2099-03-01T11:30] Web DEGRADED',
    '  SCHEDULED 2026-03-02T10:00 Text of u3',
    'Slow: RESOLVED 2026-03-01T10:00 2026-03-01T12:00 API PARTIAL_OUTAGE',
    '  INVESTIGATING 2026-03-01T10:00 **Look**',
    '  RESOLVED 2026-03-01T12:00 Text of u2',
    'anna@example.com',
    '+49301234567 API',
  ]);
  expect(toCounts(await report(folder, '--from', 'instatus', '--yes', '--page', first.pageId!))).toEqual({
    component: [0, 0, 4, 0],
    notice: [0, 0, 2, 2],
    update: [0, 0, 3, 0],
    subscriber: [0, 0, 2, 2],
  });
});
