import type { Alert, AlertStatus } from './formats/format.js';

/** What is made of the alerts that a rule selects. */
export const alertActions = ['IGNORE', 'DRAFT', 'PUBLISH'] as const;
export type AlertAction = (typeof alertActions)[number];

/** Of a source: each alert is compared with each, and a rule has a text and components. */
export const ruleLimits = { rules: 100, textLength: 255, wildcards: 10, components: 1_000 };

/** A rule of a source. The first one that selects an alert decides. */
export interface AlertRule {
  /** The label whose value is compared. Null: the service of the alert. */
  label: string | null;
  /** What the value must be; `*` stands for any characters. Null: any alert. */
  value: string | null;
  componentIds: readonly string[];
  templateId: string | null;
  action: AlertAction;
  /** Whether the notice is resolved, without a draft, when the alerts are. */
  shouldResolve: boolean;
}

export type Decision = Pick<AlertRule, 'action' | 'componentIds' | 'templateId' | 'shouldResolve'>;

const draftOnly: Decision = { action: 'DRAFT', componentIds: [], templateId: null, shouldResolve: false };

/** Alerts about the monitoring itself: the first two fire always, the others are of Grafana. */
const monitoringAlerts: ReadonlySet<string> = new Set([
  'Watchdog',
  'InfoInhibitor',
  'DatasourceNoData',
  'DatasourceError',
]);

/** Alerts about the monitoring itself are ignored, but where a rule names them. */
export function decide(rules: readonly AlertRule[], alert: Pick<Alert, 'labels' | 'service'>): Decision {
  const isOfMonitoring = monitoringAlerts.has(alert.labels.alertname ?? '');
  const selecting = rules.find(rule => selects(rule, alert) && (!isOfMonitoring || rule.label === 'alertname'));
  return selecting ?? (isOfMonitoring ? { ...draftOnly, action: 'IGNORE' } : draftOnly);
}

function selects({ label, value }: AlertRule, { labels, service }: Pick<Alert, 'labels' | 'service'>): boolean {
  if (value === null) return true;
  const actual = label === null ? service : Object.hasOwn(labels, label) ? labels[label]! : null;
  return actual !== null && matchesPattern(value, actual);
}

/** Compares parts between wildcards from left to right: a regular expression could take exponential time. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  if (!parts.length) return text === start;
  const end = parts.pop()!;
  if (!text.startsWith(start)) return false;
  let position = start.length;
  for (const part of parts) {
    const index = text.indexOf(part, position);
    if (index < 0) return false;
    position = index + part.length;
  }
  return text.length - end.length >= position && text.endsWith(end);
}

/**
 * One decision for the alerts of a group that are not ignored; null if all are. It takes no more than each of them
 * allows: a draft if one says so, and a draft of the resolution, too.
 */
export function decideGroup(decisions: readonly Decision[]): Decision | null {
  const effective = decisions.filter(({ action }) => action !== 'IGNORE');
  if (!effective.length) return null;
  return {
    action: effective.every(({ action }) => action === 'PUBLISH') ? 'PUBLISH' : 'DRAFT',
    componentIds: [...new Set(effective.flatMap(({ componentIds }) => componentIds))],
    templateId: effective.find(({ templateId }) => templateId !== null)?.templateId ?? null,
    shouldResolve: effective.every(({ shouldResolve }) => shouldResolve),
  };
}

/** `new`: nothing was made of it yet. `open`: a draft or a notice was. `resolved`: all of its alerts are over. */
export const groupStates = ['new', 'open', 'resolved'] as const;
export type GroupState = (typeof groupStates)[number];

/** What became of what was made of a group. */
type GroupOutcome =
  /** Its draft waits, its notice is open, or nothing was made of it yet. */
  | 'pending'
  /** Its notice is closed or was deleted. */
  | 'ended'
  /** Its draft was deleted and not published, or none could be made. */
  | 'dismissed';

export interface KnownGroup {
  state: GroupState;
  outcome: GroupOutcome;
  /** The latest beginning of its alerts until its outcome, in milliseconds. Null: the sender does not say. */
  startsAtMs: number | null;
}

/**
 * Whether firing alerts are the next beginning of the trouble, and not those that the group has. The end of an alert
 * may never come: it was silenced, or somebody closed the notice by hand.
 */
export function beginsAgain(group: KnownGroup, startsAtMs: number | null): boolean {
  const { state, outcome, startsAtMs: known } = group;
  if (state !== 'open' || outcome === 'pending') return false;
  if (startsAtMs !== null && known !== null) return startsAtMs > known;
  return outcome === 'ended';
}

/** The least time between two reports of the same draft to those who may publish it. */
const minReportIntervalMs = 3_600_000;

/** A stored group, with or without a draft, and when it was last reported. */
export interface ReportedGroup extends KnownGroup {
  /** How long ago its draft was made or last reported. */
  sinceReportMs: number;
}

/** Whether to report a draft again: its alert begins again, an hour or more after the last report. */
export function isReportDue(
  { state, startsAtMs: known, sinceReportMs }: ReportedGroup,
  startsAtMs: number | null,
): boolean {
  const begins = state === 'resolved' || (startsAtMs !== null && known !== null && startsAtMs > known);
  return begins && sinceReportMs > minReportIntervalMs;
}

/** The latest beginning of the alerts that fire, in milliseconds. */
export function findLatestStart(alerts: readonly Pick<Alert, 'status' | 'startsAt'>[]): number | null {
  const starts = alerts.flatMap(({ status, startsAt }) =>
    status === 'firing' && startsAt ? [startsAt.getTime()] : [],
  );
  return starts.length ? Math.max(...starts) : null;
}

/** What a group needs, as its alerts are now; `startsAtMs`: the latest beginning of those that were received. */
export function nextStep(group: KnownGroup, status: AlertStatus, startsAtMs: number | null): 'open' | 'resolve' | null {
  const isOpen = group.state === 'open';
  if (status === 'firing') return !isOpen || beginsAgain(group, startsAtMs) ? 'open' : null;
  return isOpen ? 'resolve' : null;
}
