const minute = 60_000;
const iso = (time: number) => new Date(time).toISOString();

interface Size {
  components: number;
  incidents: number;
  subscribers: number;
}

const states = ['investigating', 'identified', 'monitoring', 'resolved'];
const impacts = ['none', 'minor', 'major', 'critical'];
const componentStates = ['degraded_performance', 'partial_outage', 'major_outage', 'operational'];

/** Answers of Statuspage's API, in the shapes that its reference documents: each incident is an hour after the last. */
export function createStatuspageAnswers({ components, incidents, subscribers }: Size, now = Date.now()) {
  const list = <Row>(length: number, toRow: (index: number) => Row) =>
    Array.from({ length }, (_, index) => toRow(index));
  const component = (index: number) => ({
    id: `component${index}`,
    page_id: 'page1',
    group_id: index % 2 ? 'group1' : null,
    group: false,
    name: `Component ${index}`,
    description: null,
    position: index,
    status: 'operational',
    showcase: true,
    only_show_if_degraded: false,
    start_date: '2020-01-01',
    created_at: iso(0),
    updated_at: iso(0),
  });
  const incident = (index: number) => {
    const began = now - (incidents - index) * 60 * minute;
    const affected = component(index % components);
    return {
      id: `incident${index}`,
      page_id: 'page1',
      name: `Incident ${index}`,
      status: 'resolved',
      impact: impacts[index % 4],
      shortlink: 'https://stspg.io/x',
      metadata: {},
      backfilled: false,
      scheduled_for: null,
      scheduled_until: null,
      monitoring_at: null,
      resolved_at: iso(began + 30 * minute),
      created_at: iso(began),
      updated_at: iso(began + 30 * minute),
      components: [affected],
      postmortem_body: index % 10 ? null : '## Cause\n\nA disk.',
      postmortem_published_at: iso(began + 40 * minute),
      incident_updates: states
        .map((status, step) => ({
          id: `update${index}-${step}`,
          incident_id: `incident${index}`,
          status,
          body: `<p>Step <strong>${step}</strong> of ${index}</p>`,
          deliver_notifications: true,
          display_at: iso(began + step * 10 * minute),
          created_at: iso(began),
          updated_at: iso(began),
          affected_components: [
            {
              code: affected.id,
              name: affected.name,
              old_status: 'operational',
              new_status: componentStates[step === 3 ? 3 : (index + step) % 4],
            },
          ],
        }))
        .reverse(),
    };
  };
  return {
    'page.json': {
      id: 'page1',
      name: 'Meridian Freight',
      page_description: 'How we are doing',
      subdomain: 'meridian',
      domain: null,
      url: 'https://meridian.example',
      support_url: 'https://help.meridian.example',
      time_zone: 'America/New_York',
      hidden_from_search: false,
      allow_email_subscribers: true,
    },
    'component-groups.json': [
      { id: 'group1', page_id: 'page1', name: 'Core', description: null, components: [], position: 1 },
    ],
    'components.json': [{ ...component(0), id: 'group1', group: true, name: 'Core' }, ...list(components, component)],
    'incidents.json': list(incidents, incident).reverse(),
    'subscribers.json': list(subscribers, index => ({
      id: `subscriber${index}`,
      page_id: 'page1',
      mode: 'email',
      email: `person${index}@example.com`,
      endpoint: null,
      phone_number: null,
      phone_country: null,
      display_phone_number: null,
      quarantined_at: null,
      components: index % 3 ? null : [`component${index % components}`],
      created_at: iso(now - 1_000 * minute),
    })),
  };
}
