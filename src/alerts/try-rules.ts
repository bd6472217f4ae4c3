import { Refusal } from '../core/errors.js';
import { query } from '../db/prepared-statements.js';
import type { Writer } from '../records/writer.js';
import { type AlertAction, decide } from './alert.rules.js';
import type { AlertSource } from './alert-source.entity.js';
import type { AlertRuleInput } from './alert-source.inputs.js';
import { checkRules, sourcePath } from './alert-source.service.js';
import { parseAlerts, readPayload } from './receive.service.js';

/** An alert, and what rules would make of it. */
export interface TriedAlert {
  title: string;
  isFiring: boolean;
  service: string;
  labels: string[];
  action: AlertAction;
  componentIds: readonly string[];
  templateId: string | null;
}

const latestSql = `
  select body from alert_payload where source_id = $1 and error is null and alert_count > 0 order by id desc limit 1`;

/** Null: the rules that are stored. */
export function tryRules(
  write: Writer,
  pageId: string,
  id: string,
  rules: AlertRuleInput[] | null,
): Promise<TriedAlert[]> {
  return write.readOnly(async unit => {
    const source = await unit.find<AlertSource>(sourcePath(pageId, id));
    const checked = rules ? await checkRules(unit, pageId, rules) : source.rules;
    unit.validation.throwIfInvalid();
    const [latest] = await query<{ body: string }>(unit.em, latestSql, [source.id]);
    if (!latest) throw new Refusal('CONFLICT', 'The source has received no alert in the last 7 days.');
    return parseAlerts(readPayload(latest.body)).map(alert => {
      const { action, componentIds, templateId } = decide(checked, alert);
      return {
        ...{ title: alert.title, isFiring: alert.status === 'firing', service: alert.service },
        labels: Object.entries(alert.labels).map(([name, value]) => `${name}=${value}`),
        ...{ action, componentIds, templateId },
      };
    });
  });
}
