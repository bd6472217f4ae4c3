import { alertmanager } from './alertmanager.js';
import { betterStack } from './better-stack.js';
import { cloudwatch } from './cloudwatch.js';
import { customFormat } from './custom.js';
import type { AlertFormat, JsonObject } from './format.js';
import { grafana } from './grafana.js';
import { own } from './own.js';
import { pagerduty } from './pagerduty.js';
import { sns } from './sns.js';
import { uptimeKuma } from './uptime-kuma.js';

/** The formats that are detected by the shape of the body, the least specific last: our own. */
export const formats = {
  alertmanager,
  grafana,
  pagerduty,
  betterStack,
  uptimeKuma,
  cloudwatch,
  own,
} as const satisfies Record<string, AlertFormat>;
const shapedNames = Object.keys(formats) as (keyof typeof formats)[];

/** All formats, those beside that have no shape. */
export const allFormats = { ...formats, sns, custom: customFormat };
export type FormatName = keyof typeof allFormats;

/** Tells the format of a body by its shape. */
export const findFormat = (body: JsonObject): keyof typeof formats | undefined =>
  shapedNames.find(name => formats[name].matches(body));

export const formatLabels = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  shapedNames.map(name => formats[name].label),
);
