/** Responses of other status pages as they document them, with an API and a shop. */

const at = '2026-11-20T08:00:00.000Z';

const statuspageComponent = (id: string, name: string, status: string, group_id: string | null = null) => ({
  id,
  name,
  status,
  group_id,
  created_at: at,
  updated_at: at,
  position: 1,
  description: null,
  showcase: false,
  start_date: null,
  page_id: 'kctbh9vrtdwd',
  group: false,
  only_show_if_degraded: false,
});

/** `/api/v2/summary.json` of Atlassian Statuspage. */
export const atlassianSummary = (status = 'operational') => ({
  page: { id: 'kctbh9vrtdwd', name: 'Acme', url: 'https://status.acme.example', time_zone: 'Etc/UTC', updated_at: at },
  components: [
    { ...statuspageComponent('8l4ygp009s5s', 'Cloud', 'operational'), group: true, components: ['b13yz5g2cw10'] },
    statuspageComponent('b13yz5g2cw10', 'API', status, '8l4ygp009s5s'),
    statuspageComponent('4230lsnqdsld', 'Shop', 'under_maintenance'),
  ],
  incidents: [],
  scheduled_maintenances: [],
  status: { indicator: 'none', description: 'All Systems Operational' },
});

/** The same path at incident.io. */
export const incidentIoSummary = (status = 'operational') => ({
  page: { id: '01JQ', name: 'Acme', url: 'https://status.acme.example', updated_at: at },
  status: { indicator: 'none', description: 'All Systems Operational' },
  components: [
    { id: '01JQAPI', name: 'API', status, description: null, position: 0, created_at: at, updated_at: at },
    {
      id: '01JQSHOP',
      name: 'Shop',
      status: 'full_outage',
      description: null,
      position: 1,
      created_at: at,
      updated_at: at,
    },
  ],
  incidents: [],
  scheduled_maintenances: [],
});

/** `/v2/components.json` of Instatus. */
export const instatusComponents = (status = 'OPERATIONAL') => ({
  components: [
    { id: 'ckf01fvnxywz', name: 'API', description: '', status, order: 0, isParent: false, group: null, children: [] },
    {
      id: 'ckf01parent',
      name: 'Cloud',
      description: '',
      status: 'OPERATIONAL',
      order: 1,
      isParent: true,
      children: [
        { id: 'ckf01shop', name: 'Shop', description: '', status: 'PARTIALOUTAGE', order: 0, isParent: false },
      ],
    },
  ],
});

/** `/api/v1/components.json` of Sorry and of a page of this service. */
export const pageApiComponents = (state = 'operational') => ({
  components: [
    { id: 11, state: 'operational', name: 'Cloud', description: null, parent_id: null, position: 1 },
    { id: 12, state, name: 'API', description: null, parent_id: 11, position: 1 },
    { id: 13, state: 'under_maintenance', name: 'Shop', description: null, parent_id: null, position: 2 },
  ],
  meta: { current_page: 1, total_pages: 1 },
});

/** `/index.json` of Better Stack. */
export const betterStackIndex = (status: string | null = 'operational') => ({
  data: { id: '176132', type: 'status_page', attributes: { company_name: 'Acme', aggregate_state: 'operational' } },
  included: [
    { id: '31', type: 'status_page_section', attributes: { name: 'Cloud', position: 0 } },
    { id: '32', type: 'status_page_section', attributes: { name: null, position: 1 } },
    { id: '41', type: 'status_page_resource', attributes: { status_page_section_id: 31, public_name: 'API', status } },
    {
      id: '42',
      type: 'status_page_resource',
      attributes: { status_page_section_id: 32, public_name: 'Shop', status: 'maintenance', availability: 0.99 },
    },
    { id: '51', type: 'status_report', attributes: { title: 'Slow', aggregate_state: 'resolved' } },
  ],
});
