import { findComponents } from '../components/find-components.js';
import { createCredential } from '../core/ids.js';
import { invalid } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { applyFields, type FieldRule, isBlank, isStorable, validateText } from '../core/validation.js';
import { hashToken } from '../auth/token.service.js';
import { query } from '../db/prepared-statements.js';
import { NoticeTemplate } from '../notices/templates/template.entity.js';
import { Page } from '../pages/page.entity.js';
import type { SecretSettings } from '../notifications/page-channels/encrypted-column.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { type AlertRule, ruleLimits } from './alert.rules.js';
import { AlertSource } from './alert-source.entity.js';
import type { AlertRuleInput, UpdateAlertSourceInput } from './alert-source.inputs.js';
import { checkFields } from './check-fields.js';
import { sourceSecretColumn } from './source-secret.js';

/** A source, and the token of its address, which is shown once. */
export interface IssuedToken {
  id: number;
  token: string;
}

const rules: { [field in keyof AlertSource]?: FieldRule } = { name: { required: true, maxLength: 100 } };
const maxSources = 20;

export function createAlertSource(
  write: Writer,
  settings: SecretSettings,
  pageId: string,
  input: UpdateAlertSourceInput,
): Promise<IssuedToken> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const [row] = await query<{ count: number }>(
      unit.em,
      'select count(*)::integer as count from alert_source where page_id = $1',
      [page.id],
    );
    if (row!.count >= maxSources)
      throw invalid({ input: [problems.outOfRange(`cannot be saved: a page has at most ${maxSources} sources`)] });
    const { token, values } = issueToken();
    const source = unit.create(AlertSource, { page, name: '', ...values });
    await saveInput(unit, settings, source, input, true);
    return { id: source.id, token };
  });
}

export function updateAlertSource(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: UpdateAlertSourceInput,
  settings: SecretSettings,
): Promise<void> {
  return write.transaction(async unit => {
    const source = await unit.find<AlertSource>(pageRecordPath(pageId, AlertSource, id), versions);
    await saveInput(unit, settings, source, input, false);
  });
}

/** Gives a source another address. The one before it ends at once. */
export function rotateAlertSourceUrl(
  write: Writer,
  settings: SecretSettings,
  pageId: string,
  id: string,
  versions?: number[],
): Promise<IssuedToken> {
  return write.transaction(async unit => {
    const source = await unit.find<AlertSource>(pageRecordPath(pageId, AlertSource, id), versions);
    const secret = source.secret && sourceSecretColumn.open(settings, source, source.secret);
    const { token, values } = issueToken();
    Object.assign(source, values, { secret: secret && sourceSecretColumn.seal(settings, values, secret) });
    await unit.save();
    return { id: source.id, token };
  });
}

export function deleteAlertSource(write: Writer, pageId: string, id: string, versions?: number[]): Promise<string> {
  return write.transaction(async unit => {
    unit.em.remove(await unit.find<AlertSource>(pageRecordPath(pageId, AlertSource, id), versions));
    await unit.save();
    return id;
  });
}

function issueToken() {
  const token = createCredential();
  return { token, values: { hash: hashToken(token), lastFour: token.slice(-4) } };
}

async function saveInput(
  unit: Unit,
  settings: SecretSettings,
  source: AlertSource,
  input: UpdateAlertSourceInput,
  isNew: boolean,
): Promise<void> {
  applyFields(source, input, rules, unit.validation, isNew);
  if (input.rules !== undefined) source.rules = await checkRules(unit, source.page.id, input.rules ?? []);
  if (input.fields !== undefined) source.fields = input.fields && checkFields(unit.validation, input.fields);
  if (input.secret !== undefined) setSecret(unit, settings, source, input.secret);
  unit.validation.throwIfInvalid();
  await unit.save();
}

function setSecret({ validation }: Unit, settings: SecretSettings, source: AlertSource, secret: string | null): void {
  const isValid = secret === null || /^[\x21-\x7e]{16,200}$/.test(secret);
  if (isValid) source.secret = secret === null ? null : sourceSecretColumn.seal(settings, source, secret);
  else
    validation.addError('secret', {
      ...problems.invalid('must have 16 to 200 characters of ASCII without blanks'),
      hidesValue: true,
    });
}

export async function checkRules(unit: Unit, pageId: string, inputs: readonly AlertRuleInput[]): Promise<AlertRule[]> {
  if (inputs.length > ruleLimits.rules) unit.validation.addError('rules', problems.tooMany(ruleLimits.rules));
  const checked: AlertRule[] = [];
  for (const [index, rule] of inputs.slice(0, ruleLimits.rules).entries())
    checked.push(await checkRule(unit, pageId, `rules.${index}`, rule));
  return checked;
}

async function checkRule(unit: Unit, pageId: string, field: string, input: AlertRuleInput): Promise<AlertRule> {
  const { validation, em } = unit;
  const { label = null, value = null, componentIds, templateId = null, action, shouldResolve } = input;
  for (const [name, text] of Object.entries({ label, value }))
    if (text !== null) validateText(validation, `${field}.${name}`, text, ruleLimits.textLength);
  if (value !== null && value.split('*').length - 1 > ruleLimits.wildcards)
    validation.addError(`${field}.value`, problems.invalid(`must have at most ${ruleLimits.wildcards} wildcards`));
  if (label !== null && (isBlank(label) || value === null))
    validation.addError(`${field}.${isBlank(label) ? 'label' : 'value'}`, problems.blank);
  if ((componentIds?.length ?? 0) > ruleLimits.components)
    throw invalid({ [`${field}.componentIds`]: [problems.tooMany(ruleLimits.components)] });
  const { components, problems: missing } = await findComponents(em, pageId, componentIds ?? []);
  if (missing.length) validation.addErrors({ [`${field}.componentIds`]: missing });
  if (templateId !== null) await checkTemplate(unit, pageId, `${field}.templateId`, templateId);
  else if (action === 'PUBLISH') validation.addError(`${field}.templateId`, problems.blank);
  return {
    label,
    value,
    templateId,
    componentIds: components.map(({ id }) => String(id)),
    action: action ?? 'DRAFT',
    shouldResolve: shouldResolve ?? false,
  };
}

const maxIdLength = 255;

/** It must be one of an incident. One that is published by itself has the words, since those of alerts are internal. */
async function checkTemplate({ em, validation }: Unit, pageId: string, field: string, id: string): Promise<void> {
  // A longer one takes the database's driver seconds.
  const canExist = id.length <= maxIdLength && isStorable(id);
  const template = canExist ? await em.findOne(NoticeTemplate, { id, page: pageId }) : null;
  if (!template) validation.addError(field, problems.notFound('must be the id of a template of the page'));
  else if (template.type !== null && template.type !== 'unplanned')
    validation.addError(field, problems.notApplicable('must be the id of a template for incidents'));
}
