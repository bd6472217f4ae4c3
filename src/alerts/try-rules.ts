import { query } from '../db/prepared-statements.js';
import type { Writer } from '../records/writer.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { type AlertAction, decide } from './alert.rules.js';
import { AlertSource } from './alert-source.entity.js';
import type { AlertFieldsInput, AlertRuleInput } from './alert-source.inputs.js';
import { checkFields } from './check-fields.js';
import { checkRules } from './alert-source.service.js';
import { parseAlerts, readPayload } from './receive.service.js';

/** An alert, and what rules would make of it. */
export interface TriedAlert {
  title: string;
  text: string | null;
  group: string;
  startsAt: Date | null;
  isFiring: boolean;
  service: string | null;
  labels: { name: string; value: string }[];
  action: AlertAction;
  componentIds: readonly string[];
  templateId: string | null;
}

/** Field paths read any request; what is refused without them is what they are for. */
const latestSql = `
  select body from alert_payload
  where source_id = $1 and ($2 and format is distinct from 'sns' or error is null and alert_count > 0)
  order by id desc limit 1`;

/** Null: what is stored. */
interface Trial {
  rules: AlertRuleInput[] | null;
  fields: AlertFieldsInput | null;
}

export function tryRules(write: Writer, pageId: string, id: string, trial: Trial): Promise<TriedAlert[]> {
  return write.readOnly(async unit => {
    const source = await unit.find<AlertSource>(pageRecordPath(pageId, AlertSource, id));
    const rules = trial.rules ? await checkRules(unit, pageId, trial.rules) : source.rules;
    const fields = trial.fields ? checkFields(unit.validation, trial.fields) : source.fields;
    unit.validation.throwIfInvalid();
    const [latest] = await query<{ body: string }>(unit.em, latestSql, [source.id, fields !== null]);
    if (!latest) return [];
    return parseAlerts(readPayload(latest.body, fields)).map(alert => {
      const { action, componentIds, templateId } = decide(rules, alert);
      const { title, text, group, startsAt, service } = alert;
      return {
        title,
        text: text || null,
        group,
        startsAt,
        service: service || null,
        isFiring: alert.status === 'firing',
        labels: Object.entries(alert.labels).map(([name, value]) => ({ name, value })),
        action,
        componentIds,
        templateId,
      };
    });
  });
}
