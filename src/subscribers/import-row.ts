import { snakeCase } from '../core/snake-case.js';
import { applyFields, Validation, validateText, normalizeTags } from '../core/validation.js';
import { validationMessages } from '../core/errors.js';
import { type NoticeType, noticeTypes } from '../notices/notice.states.js';
import type { Column, CsvRow } from './subscriber-csv.js';

/** A subscriber as a list names them, when nothing is wrong with it. */
export interface ImportRow {
  line: number;
  email: string | null;
  phoneNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  nickname: string | null;
  company: string | null;
  tagList: string[];
  kinds: NoticeType[];
  componentIds: number[];
  consentSource: string;
}

/** What is wrong with one cell. */
export interface ImportProblem {
  line: number;
  column: Column;
  message: string;
}

type Rules = Parameters<typeof applyFields>[2];

/** By the rules by which subscribers are made one at a time. `source` is where the consent came from, of rows that do not say. */
export function judgeRow(
  { line, values }: CsvRow,
  { rules, components, source }: { rules: Rules; components: ReadonlySet<number>; source: string },
): { row: ImportRow; problems: ImportProblem[] } {
  const problems: ImportProblem[] = [];
  const refuse = (column: Column, message: string) => problems.push({ line, column, message });
  const checks = new Validation();
  const row: ImportRow = {
    ...{ line, email: null, phoneNumber: null, firstName: null, lastName: null, nickname: null, company: null },
    ...{ tagList: [], kinds: [], componentIds: [], consentSource: values.consent_source?.trim() || source },
  };
  const { email, phone_number: phoneNumber, first_name: firstName, last_name: lastName, nickname, company } = values;
  applyFields(row, { email, phoneNumber, firstName, lastName, nickname, company }, rules as object, checks, true);
  row.tagList = normalizeTags(checks, 'tagList', (values.tag_list ?? '').split(','));
  validateText(checks, 'consentSource', row.consentSource, 255);
  for (const [field, messages] of Object.entries(checks.errors()))
    for (const message of messages) refuse(columnOf(field), message);
  if (!email?.trim() && !phoneNumber?.trim())
    for (const column of ['email', 'phone_number'] as const) refuse(column, validationMessages.blank);
  row.kinds = kindsOf(values.kinds, () => refuse('kinds', validationMessages.notIncluded));
  row.componentIds = listOf(values.component_ids).map(Number);
  if (row.componentIds.some(id => !components.has(id))) refuse('component_ids', validationMessages.invalid);
  return { row, problems };
}

function kindsOf(cell: string | undefined, refuse: () => void): NoticeType[] {
  const given = listOf(cell).map(word => word.toLowerCase());
  if (given.some(word => !(noticeTypes as string[]).includes(word))) refuse();
  return given.length ? noticeTypes.filter(type => given.includes(type)) : [...noticeTypes];
}

const listOf = (cell = '') => [...new Set(cell.split(/[\s,;]+/).filter(Boolean))];

const columnOf = (field: string) => snakeCase(field) as Column;
