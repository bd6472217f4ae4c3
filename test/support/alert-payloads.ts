/** A body of each kind of sender, as its documentation shows it. `isFiring`: or the same alert when it is over. */

const at = '2026-11-25T10:00:00.000Z';

export const alertmanagerBody = (isFiring = true, { instance = 'shop-1', group = '{}:{alertname="Down"}' } = {}) => ({
  version: '4',
  groupKey: group,
  truncatedAlerts: 0,
  receiver: 'all-clear',
  status: isFiring ? 'firing' : 'resolved',
  groupLabels: { alertname: 'Down' },
  commonLabels: { alertname: 'Down', service: 'shop' },
  commonAnnotations: {},
  externalURL: 'http://alertmanager:9093',
  alerts: [
    {
      status: isFiring ? 'firing' : 'resolved',
      labels: { alertname: 'Down', service: 'shop', instance, severity: 'critical' },
      annotations: { summary: 'The shop does not answer', description: 'probe_success is 0 on shop-1.' },
      startsAt: at,
      endsAt: isFiring ? '0001-01-01T00:00:00Z' : '2026-11-25T10:10:00.000Z',
      generatorURL: 'http://prometheus:9090/graph',
      fingerprint: `c0ffee${instance}`,
    },
  ],
});

export const grafanaBody = (isFiring = true) => ({
  ...alertmanagerBody(isFiring),
  version: '1',
  orgId: 1,
  groupKey: '{}:{}',
  state: isFiring ? 'alerting' : 'ok',
  title: '[FIRING:1] (Down shop)',
  message: '**Firing**\n\nLabels:\n - alertname = Down',
});

export const pagerdutyBody = (isFiring = true) => ({
  event: {
    id: '5ac64822-4adc-4fda-ade0-410becf0de4f',
    event_type: isFiring ? 'incident.triggered' : 'incident.resolved',
    resource_type: 'incident',
    occurred_at: at,
    agent: null,
    client: null,
    data: {
      id: 'PGR0VU2',
      type: 'incident',
      number: 2,
      status: isFiring ? 'triggered' : 'resolved',
      incident_key: 'd3640fbd41094207a1c11e58e46b1662',
      created_at: at,
      title: 'The shop does not answer',
      service: { id: 'PF9KMXH', summary: 'shop', type: 'service_reference' },
      assignees: [],
      teams: [],
      priority: null,
      urgency: 'high',
      resolve_reason: null,
    },
  },
});

export const betterStackBody = (isFiring = true) => ({
  event: isFiring ? 'started' : 'resolved',
  data: {
    id: '25',
    type: 'incident',
    attributes: {
      name: 'shop',
      url: 'https://shop.example.com/',
      http_method: 'get',
      cause: 'Status 500',
      started_at: at,
      acknowledged_at: null,
      resolved_at: isFiring ? null : '2026-11-25T10:10:00.000Z',
    },
    relationships: { monitor: { data: { id: '2', type: 'monitor' } } },
  },
});

export const uptimeKumaBody = (isFiring = true) => ({
  heartbeat: {
    monitorID: 1,
    status: isFiring ? 0 : 1,
    time: '2026-11-25 10:00:00.000',
    important: true,
    duration: 60,
    msg: isFiring ? 'connect ECONNREFUSED' : '200 - OK',
  },
  monitor: { id: 1, name: 'shop', url: 'https://shop.example.com', tags: [{ name: 'team', value: 'web' }] },
  msg: `[shop] [${isFiring ? '🔴 Down' : '✅ Up'}] connect ECONNREFUSED`,
});

/** What Amazon SNS sends of an alarm: `Message` is the JSON of CloudWatch, as a text. */
export const cloudwatchBody = (isFiring = true) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
  Subject: `${isFiring ? 'ALARM' : 'OK'}: "shop" in EU (Ireland)`,
  Message: JSON.stringify({
    AlarmName: 'shop',
    AlarmDescription: '5xx above 5 %',
    AWSAccountId: '123456789012',
    Region: 'EU (Ireland)',
    NewStateValue: isFiring ? 'ALARM' : 'OK',
    OldStateValue: isFiring ? 'OK' : 'ALARM',
    NewStateReason: 'Threshold Crossed',
    StateChangeTime: '2026-11-25T10:00:00.000+0000',
    AlarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:shop',
    Trigger: { MetricName: '5xx', Namespace: 'AWS/ELB', Dimensions: [{ name: 'LoadBalancer', value: 'app/shop' }] },
  }),
  Timestamp: '2026-11-25T10:00:01.000Z',
  SignatureVersion: '1',
  Signature: 'x',
  SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/x.pem',
});

/** What Amazon SNS sends of the subscription itself. */
export const snsConfirmation = (subscribeUrl: string) => ({
  ...cloudwatchBody(),
  Type: 'SubscriptionConfirmation',
  Token: '2336',
  Message: 'You have chosen to subscribe to the topic',
  SubscribeURL: subscribeUrl,
});

export const ownBody = (isFiring = true) => ({
  alerts: [
    {
      title: 'The shop does not answer',
      status: isFiring ? 'firing' : 'resolved',
      service: 'shop',
      text: 'The queue has 10,000 orders.',
    },
  ],
});

export const alertBodies = {
  ALERTMANAGER: alertmanagerBody,
  GRAFANA: grafanaBody,
  PAGERDUTY: pagerdutyBody,
  BETTER_STACK: betterStackBody,
  UPTIME_KUMA: uptimeKumaBody,
  CLOUDWATCH: cloudwatchBody,
  OWN: ownBody,
};

/** Three hosts in one request of an older rule: summaries among the labels, no fingerprints. */
export const threeHostsBody = (isFiring = true, hosts = ['192.0.2.30', '192.0.2.50', '192.0.2.66']) => ({
  ...alertmanagerBody(isFiring),
  alerts: hosts.map(host => ({
    status: isFiring ? 'firing' : 'resolved',
    labels: { alertname: 'ICMP ping failed', instance: host, job: 'icmp', summary: `No connection to ${host}` },
    annotations: { description: `${host} does not reply` },
    startsAt: at,
    endsAt: '0001-01-01T00:00:00Z',
  })),
});

/** What the button *Test* of a contact point of Grafana sends. */
export const grafanaTestBody = (press: number) => ({
  ...grafanaBody(),
  groupKey: `test-0123456789abcdef-${press}`,
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'TestAlert', instance: 'Grafana' },
      annotations: { summary: 'Notification test' },
      startsAt: at,
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: '57c6d9296de2ad39',
    },
  ],
});
