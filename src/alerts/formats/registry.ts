import { alertmanager } from './alertmanager.js';
import { betterStack } from './better-stack.js';
import type { AlertFormat, JsonObject } from './format.js';
import { grafana } from './grafana.js';
import { own } from './own.js';
import { pagerduty } from './pagerduty.js';
import { uptimeKuma } from './uptime-kuma.js';

/** All formats. That of our own is last: its shape is the least. */
export const formats = { alertmanager, grafana, pagerduty, betterStack, uptimeKuma, own } as const satisfies Record<
  string,
  AlertFormat
>;
export type FormatName = keyof typeof formats;
const formatNames = Object.keys(formats) as FormatName[];

/** Tells the format of a body by its shape. */
export const findFormat = (body: JsonObject): FormatName | undefined =>
  formatNames.find(name => formats[name].matches(body));

export const formatLabels = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  formatNames.map(name => formats[name].label),
);
