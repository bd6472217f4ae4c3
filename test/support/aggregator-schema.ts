/**
 * JSON schemas of the Atlassian Statuspage API as this service implements it.
 * Every member is required, and no other is allowed.
 */
const text = { type: 'string', minLength: 1 };
const id = { type: 'string', pattern: '^[A-Za-z0-9-]+$' };
const boolean = { type: 'boolean' };
const timestamp = { type: 'string', format: 'date-time', pattern: '\\.\\d{3}Z$' };
const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: object) => ({ type: 'array', items });
const closedObject = (properties: object, optional: object = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
  additionalProperties: false,
});

const page = closedObject({
  id,
  name: text,
  url: { type: 'string', format: 'uri', pattern: '[^/]$' },
  time_zone: { type: 'string', pattern: '^[A-Za-z]+(/.+)?$' },
  updated_at: timestamp,
});

const status = closedObject({
  indicator: { enum: ['none', 'minor', 'major', 'critical', 'maintenance'] },
  description: text,
});

const componentStatus = {
  enum: ['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance'],
};

const component = closedObject(
  {
    id,
    name: text,
    status: componentStatus,
    created_at: timestamp,
    updated_at: timestamp,
    position: { type: 'integer', minimum: 1 },
    description: nullable(text),
    showcase: boolean,
    start_date: nullable({ type: 'string', format: 'date' }),
    group_id: nullable(id),
    page_id: id,
    group: boolean,
    only_show_if_degraded: boolean,
  },
  { components: { ...listOf(id), minItems: 1 } },
);

const affectedComponent = closedObject({
  code: id,
  name: text,
  old_status: componentStatus,
  new_status: componentStatus,
});

const updateSchema = (statuses: string[]) =>
  closedObject({
    id,
    status: { enum: statuses },
    body: { type: 'string' },
    incident_id: id,
    created_at: timestamp,
    updated_at: timestamp,
    display_at: timestamp,
    affected_components: listOf(affectedComponent),
    deliver_notifications: boolean,
    custom_tweet: { type: 'null' },
    tweet_id: { type: 'null' },
  });

const noticeSchema = (statuses: string[], impacts: string[], extra: object = {}) =>
  closedObject({
    id,
    name: text,
    status: { enum: statuses },
    created_at: timestamp,
    updated_at: timestamp,
    monitoring_at: nullable(timestamp),
    resolved_at: nullable(timestamp),
    impact: { enum: impacts },
    shortlink: { type: 'string', format: 'uri' },
    started_at: timestamp,
    page_id: id,
    incident_updates: { ...listOf(updateSchema(statuses)), minItems: 1 },
    components: listOf(component),
    reminder_intervals: { type: 'null' },
    ...extra,
  });

const incident = noticeSchema(
  ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'],
  ['none', 'minor', 'major', 'critical'],
);
const maintenance = noticeSchema(['scheduled', 'in_progress', 'verifying', 'completed'], ['maintenance'], {
  scheduled_for: timestamp,
  scheduled_until: timestamp,
});

const incidents = { ...listOf(incident), maxItems: 50 };
const scheduled_maintenances = { ...listOf(maintenance), maxItems: 50 };

/** Schema by path below `api/v2/`. */
export const aggregatorSchemas: Record<string, object> = {
  'summary.json': closedObject({ page, components: listOf(component), incidents, scheduled_maintenances, status }),
  'status.json': closedObject({ page, status }),
  'components.json': closedObject({ page, components: listOf(component) }),
  'incidents.json': closedObject({ page, incidents }),
  'incidents/unresolved.json': closedObject({ page, incidents }),
  'scheduled-maintenances.json': closedObject({ page, scheduled_maintenances }),
  'scheduled-maintenances/upcoming.json': closedObject({ page, scheduled_maintenances }),
  'scheduled-maintenances/active.json': closedObject({ page, scheduled_maintenances }),
};
