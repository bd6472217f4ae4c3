/** Answers of the API of Cachet 2, each in the file that an import reads. */
export const cachetAnswers = {
  'component-groups.json': { meta: {}, data: [{ id: 1, name: 'Core', order: 1, created_at: '2020-01-01 00:00:00' }] },
  'components.json': {
    meta: {},
    data: [
      { id: 1, name: 'API', description: '', status: 1, order: 1, group_id: 1, created_at: '2020-01-01 00:00:00' },
      { id: 2, name: 'Web', description: 'x', status: 1, order: 2, group_id: 0, created_at: '2020-01-01 00:00:00' },
    ],
  },
  'incidents.json': {
    meta: {},
    data: [
      {
        id: 1,
        component_id: 1,
        name: 'Slow',
        status: 1,
        latest_status: 4,
        visible: 1,
        message: 'We look.',
        occurred_at: '2026-07-01 10:00:00',
        created_at: '2026-07-01 10:00:00',
        updated_at: '2026-07-01 12:00:00',
        updates: [
          { id: 1, incident_id: 1, status: 2, message: 'A disk.', created_at: '2026-07-01 11:00:00' },
          { id: 2, incident_id: 1, status: 4, message: 'Fixed.', created_at: '2026-07-01 12:00:00' },
        ],
      },
      {
        id: 2,
        component_id: 0,
        name: 'Secret',
        status: 1,
        visible: 0,
        message: 'x',
        created_at: '2026-07-01 10:00:00',
      },
    ],
  },
  'schedules.json': {
    data: [
      {
        id: 1,
        name: 'Move',
        message: 'We move.',
        status: 2,
        scheduled_at: '2026-07-02 10:00:00',
        completed_at: '2026-07-02 12:00:00',
        created_at: '2026-07-01 10:00:00',
        components: [{ id: 9, component_id: 2 }],
      },
      { id: 2, name: 'No end', message: 'x', status: 0, scheduled_at: '2099-07-02 10:00:00', completed_at: null },
    ],
  },
  'subscribers.json': {
    data: [
      { id: 1, email: 'anna@example.com', verified_at: '2024-01-01 00:00:00', global: 1, subscriptions: [] },
      {
        id: 2,
        email: 'ben@example.com',
        verified_at: '2024-01-01 00:00:00',
        global: 0,
        subscriptions: [{ component_id: 1 }],
      },
      { id: 3, email: 'new@example.com', verified_at: null, global: 1 },
    ],
  },
};
