/** The public interface of Atlassian Statuspage as this service answers it, each member asked for and none beside them. */
const text = { type: 'string', minLength: 1 };
const id = { type: 'string', pattern: '^[A-Za-z0-9-]+$' };
const flag = { type: 'boolean' };
const moment = { type: 'string', format: 'date-time', pattern: '\\.\\d{3}Z$' };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: object) => ({ type: 'array', items });
const closed = (properties: object, optional: object = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
  additionalProperties: false,
});

const page = closed({
  id,
  name: text,
  url: { type: 'string', format: 'uri', pattern: '[^/]$' },
  time_zone: { type: 'string', pattern: '^[A-Za-z]+(/.+)?$' },
  updated_at: moment,
});

const status = closed({
  indicator: { enum: ['none', 'minor', 'major', 'critical', 'maintenance'] },
  description: text,
});

const componentStatus = {
  enum: ['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance'],
};

const component = closed(
  {
    id,
    name: text,
    status: componentStatus,
    created_at: moment,
    updated_at: moment,
    position: { type: 'integer', minimum: 1 },
    description: orNull(text),
    showcase: flag,
    start_date: orNull({ type: 'string', format: 'date' }),
    group_id: orNull(id),
    page_id: id,
    group: flag,
    only_show_if_degraded: flag,
  },
  { components: { ...listOf(id), minItems: 1 } },
);

const affected = closed({ code: id, name: text, old_status: componentStatus, new_status: componentStatus });

const updateOf = (statuses: string[]) =>
  closed({
    id,
    status: { enum: statuses },
    body: { type: 'string' },
    incident_id: id,
    created_at: moment,
    updated_at: moment,
    display_at: moment,
    affected_components: listOf(affected),
    deliver_notifications: flag,
    custom_tweet: { type: 'null' },
    tweet_id: { type: 'null' },
  });

const noticeOf = (statuses: string[], impacts: string[], more: object = {}) =>
  closed({
    id,
    name: text,
    status: { enum: statuses },
    created_at: moment,
    updated_at: moment,
    monitoring_at: orNull(moment),
    resolved_at: orNull(moment),
    impact: { enum: impacts },
    shortlink: { type: 'string', format: 'uri' },
    started_at: moment,
    page_id: id,
    incident_updates: { ...listOf(updateOf(statuses)), minItems: 1 },
    components: listOf(component),
    ...more,
  });

const incident = noticeOf(
  ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'],
  ['none', 'minor', 'major', 'critical'],
);
const maintenance = noticeOf(['scheduled', 'in_progress', 'verifying', 'completed'], ['maintenance'], {
  scheduled_for: moment,
  scheduled_until: moment,
});

const incidents = { ...listOf(incident), maxItems: 50 };
const scheduled_maintenances = { ...listOf(maintenance), maxItems: 50 };

/** By the path of the address, below `api/v2/`. */
export const aggregatorSchemas: Record<string, object> = {
  'summary.json': closed({ page, components: listOf(component), incidents, scheduled_maintenances, status }),
  'status.json': closed({ page, status }),
  'components.json': closed({ page, components: listOf(component) }),
  'incidents.json': closed({ page, incidents }),
  'incidents/unresolved.json': closed({ page, incidents }),
  'scheduled-maintenances.json': closed({ page, scheduled_maintenances }),
  'scheduled-maintenances/upcoming.json': closed({ page, scheduled_maintenances }),
  'scheduled-maintenances/active.json': closed({ page, scheduled_maintenances }),
};
