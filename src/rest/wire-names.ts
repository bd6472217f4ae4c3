import { snakeCase } from '../core/snake-case.js';
import { channels, switchName, switchWireName } from '../notifications/channels/registry.js';
import type { FilterNames } from '../records/statement.js';

/** The fields that GraphQL names otherwise than /v1, whose names are those of existing clients. */
const renamed: Record<string, string> = {
  'NoticeTemplate.content': 'initial_comment',
  'NoticeUpdate.isPublished': 'should_publish',
  googleAnalyticsId: 'vendor_analytics_id',
  timezoneName: 'timezone',
  isVisibleToSearch: 'visible_to_search',
  timelineThresholdSeconds: 'timeline_threshold',
  timelineThresholdInDays: 'timeline_threshold_in_days',
  ...Object.fromEntries(channels.map(channel => [switchName(channel), switchWireName(channel)])),
};

/** The name in /v1 of a field of GraphQL. */
export const toWireName = (name: string, record?: string): string =>
  renamed[`${record}.${name}`] ?? renamed[name] ?? snakeCase(name);

/** The record that an input type is about: Component for CreateComponentInput. */
export const recordOfInput = (type: string): string => type.replace(/^(Create|Update|Set)|(V1|Input)$/g, '');

export const wireFilterNames: FilterNames = { name: toWireName, separator: '_' };
