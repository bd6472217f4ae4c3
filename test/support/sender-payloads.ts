/** A body of each sender that is read by field paths, as its documentation shows it. */

const at = '2026-11-25T10:00:00.000Z';

export const azureBody = (isFiring = true) => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertId:
        '/subscriptions/11111111/providers/Microsoft.AlertsManagement/alerts/b9569717-bc32-442f-add5-83a997729330',
      alertRule: 'Checkout is slow',
      severity: 'Sev3',
      signalType: 'Metric',
      monitorCondition: isFiring ? 'Fired' : 'Resolved',
      monitoringService: 'Platform',
      alertTargetIDs: ['/subscriptions/11111111/providers/microsoft.compute/virtualmachines/shop'],
      configurationItems: ['shop'],
      originAlertId: '3f2d4487-b0fc-4125-8bd5-7ad17384221e',
      firedDateTime: at,
      ...(isFiring ? {} : { resolvedDateTime: '2026-11-25T10:05:00.000Z' }),
      description: 'More than 2 s.',
      essentialsVersion: '1.0',
      alertContextVersion: '1.0',
    },
    alertContext: { properties: null, conditionType: 'SingleResourceMultipleMetricCriteria' },
  },
});

export const googleCloudBody = (isFiring = true) => ({
  incident: {
    incident_id: '0.lj2va6zdkemq',
    resource_id: '',
    resource_name: 'shop',
    resource: { type: 'gce_instance', labels: { instance_id: '8979287136362607111', zone: 'us-central1-c' } },
    started_at: 1_795_600_800,
    policy_name: 'Checkout is slow',
    condition_name: 'VM Instance - CPU usage',
    url: 'https://console.cloud.google.com/monitoring/alerting/incidents/0.lj2va6zdkemq',
    state: isFiring ? 'open' : 'closed',
    ended_at: isFiring ? null : 1_795_601_100,
    summary: 'More than 2 s.',
  },
  version: '1.2',
});

/** The values of the variables in the payload of the documentation. */
export const datadogVariables = (isFiring = true) => ({
  $ALERT_TITLE: 'Checkout is slow',
  $TEXT_ONLY_MSG: 'More than 2 s.',
  $ALERT_CYCLE_KEY: '7268092512354187',
  $ALERT_TRANSITION: isFiring ? 'Triggered' : 'Recovered',
  $HOSTNAME: 'shop',
  $ALERT_PRIORITY: 'P2',
});

export const sentryMetricBody = (isFiring = true) => ({
  action: isFiring ? 'critical' : 'resolved',
  actor: { id: 'sentry', name: 'Sentry', type: 'application' },
  data: {
    description_text: 'More than 2 s.',
    description_title: isFiring ? 'Critical: slow' : 'Resolved: slow',
    metric_alert: {
      alert_rule: { aggregate: 'count()', id: '7', name: 'Checkout is slow', query: 'level:error', time_window: 10 },
      date_started: at,
      date_closed: null,
      id: '4',
      identifier: '1',
      organization_id: '1',
      projects: ['shop'],
      status: isFiring ? 20 : 2,
      title: 'Checkout is slow',
    },
    web_url: 'https://sentry.io/organizations/test/alerts/1/',
  },
  installation: { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' },
});

export const sentryIssueBody = (isFiring = true) => ({
  action: isFiring ? 'created' : 'resolved',
  actor: { id: 'sentry', name: 'Sentry', type: 'application' },
  data: {
    issue: {
      id: '1170820242',
      shortId: 'SHOP-1',
      title: 'Checkout is slow',
      culprit: 'More than 2 s.',
      level: 'error',
      status: isFiring ? 'unresolved' : 'resolved',
      firstSeen: at,
      count: '1',
      project: { id: '1', name: 'Shop', slug: 'shop', platform: 'node' },
    },
  },
});

export const opsgenieBody = (isFiring = true) => ({
  action: isFiring ? 'Create' : 'Close',
  source: { name: '', type: 'api' },
  alert: {
    alertId: '052652ac-5d1c-464a-812a-7dd18bbfba8c',
    message: 'Checkout is slow',
    tags: ['web'],
    tinyId: '23',
    entity: 'shop',
    alias: 'checkout',
    createdAt: 1_795_600_800_000,
    updatedAt: 1_795_600_800_000_000_000,
    username: 'ops@example.com',
    description: 'More than 2 s.',
    team: 'web',
    priority: 'P2',
  },
  integrationId: '37c8f316-17c6-49d7-899b-9c7e540c048d',
  integrationName: 'Webhook',
  integrationType: 'Webhook',
});
