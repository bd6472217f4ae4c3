import type { AlertAction, AlertFormat, AlertRuleInput, AlertSourcesQuery } from '../api/documents.ts';

export type Source = NonNullable<AlertSourcesQuery['alertSources']>['nodes'][number];
export type Group = NonNullable<AlertSourcesQuery['alertGroups']>['nodes'][number];

export const actionNames: Record<AlertAction, string> = {
  IGNORE: 'Ignore',
  DRAFT: 'Make a draft',
  PUBLISH: 'Publish at once',
};

export const formatNames: Record<AlertFormat, string> = {
  ALERTMANAGER: 'Alertmanager',
  GRAFANA: 'Grafana',
  PAGERDUTY: 'PagerDuty',
  BETTER_STACK: 'Better Stack',
  UPTIME_KUMA: 'Uptime Kuma',
  CLOUDWATCH: 'Amazon CloudWatch',
  SNS: 'Amazon SNS',
  OWN: 'JSON of a script',
  CUSTOM: 'field paths',
};

export const describeRule = ({ label, value }: AlertRuleInput): string =>
  value == null ? 'Every alert' : `${label ?? 'service'} is ${value}`;
