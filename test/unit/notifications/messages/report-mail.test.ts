import { expect, test } from '@jest/globals';
import { composeReportMail } from '../../../../src/notifications/messages/report-mail.js';

const incident = (id: number, values: object = {}) => ({
  type: 'unplanned' as const,
  subject: `Down ${id}`,
  link: `https://status.example.com/notices/${id}`,
  beganAt: new Date('2026-10-12T12:02:00Z'),
  endedAt: new Date('2026-10-12T12:50:00Z'),
  firstUpdateSeconds: 180,
  ...values,
});
const quiet = { name: 'Web', groups: [], uptime: 1, outageMinutes: 0 };
const compose = (values: object = {}) =>
  composeReportMail(
    'ines@example.com',
    { name: 'Meridian', address: 'https://status.example.com' },
    {
      month: '2026-10',
      timezone: 'Europe/Berlin',
      components: [{ name: 'API <1>', groups: ['Europe', 'Core'], uptime: 0.99894, outageMinutes: 48 }, quiet, quiet],
      notices: [
        incident(1),
        incident(2, { type: 'planned', subject: 'New disks' }),
        incident(3, { endedAt: null }),
        incident(4, { firstUpdateSeconds: null }),
      ],
      incidentCount: 3,
      maintenanceCount: 1,
      medianFirstUpdateSeconds: 180,
      longestFirstUpdateSeconds: 180,
      nextUpdateDeadlines: { onTime: 0, late: 0 },
      ...values,
    },
    'https://console.example/console/pages/1/reports?month=2026-10',
  );

test('lists the incidents with links, and the components with an outage below their groups', () => {
  const { text, html } = compose();
  expect(text).toMatch(/^3 incidents, 1 maintenance window\.\n\nOpen the report: https:\/\/console\.example\//);
  expect(text).toContain(
    'Down 1\n12 Oct, 14:02 CEST · 48 minutes · first update after 3 minutes\nhttps://status.example.com/notices/1',
  );
  expect(text).toContain('Down 3\n12 Oct, 14:02 CEST · open · first update after 3 minutes');
  expect(text).toContain('Down 4\n12 Oct, 14:02 CEST · 48 minutes · entered after its end');
  expect(text).not.toContain('New disks');
  expect(text).toContain('Europe › Core › API <1>\n99.89% uptime, 48 minutes of outages');
  expect(text).toContain('2 other components without an outage.');
  expect(html).toContain('<a class="link" href="https://status.example.com/notices/1"');
  expect(html).toContain('Europe › Core › API &lt;1&gt;');
});

test('says how many it leaves out', () => {
  const components = Array.from({ length: 52 }, (_, id) => ({
    ...quiet,
    name: `C${id}`,
    uptime: 0.9,
    outageMinutes: 9,
  }));
  const notices = Array.from({ length: 30 }, (_, id) => incident(id));
  const { text } = compose({ components, notices, incidentCount: 400 });
  expect(text).toContain('And 375 more incidents.');
  expect(text).toContain('And 2 more components.');
  expect(text).not.toContain('without an outage');
});

test('of a quiet month says so in one line', () => {
  const { text } = compose({ components: [quiet], notices: [], incidentCount: 0, maintenanceCount: 0 });
  expect(text).toContain('No incidents, no maintenance.');
  expect(text).toContain('1 component without an outage.');
});
