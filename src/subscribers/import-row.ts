import { snakeCase } from '../core/snake-case.js';
import { applyFields, Validation, validateText, normalizeTags } from '../core/validation.js';
import { describeProblem, type Problem, problems as known, showValue } from '../core/problems.js';
import { type NoticeType, noticeTypes } from '../notices/notice.states.js';
import type { Column } from './lists/list-fields.js';
import type { CsvRow } from './subscriber-csv.js';

/** A subscriber in an imported list, validated. */
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
  /** Null: now. */
  consentedAt: Date | null;
}

/** A validation error of one cell. */
export interface ImportProblem {
  line: number;
  column: string;
  message: string;
}

type Rules = Parameters<typeof applyFields>[2];

/** Applies the same rules as creating one subscriber. `source` is the consent source of rows without their own. */
export function validateRow(
  { line, values, consentedAt = null }: CsvRow,
  { rules, components, source }: { rules: Rules; components: ReadonlySet<number>; source: string },
): { row: ImportRow; problems: ImportProblem[] } {
  const problems: ImportProblem[] = [];
  const refuse = (column: Column, problem: Problem) =>
    problems.push({ line, column, message: describeProblem(column, showValue(values[column]), problem) });
  const checks = new Validation();
  const row: ImportRow = {
    line,
    email: null,
    phoneNumber: null,
    firstName: null,
    lastName: null,
    nickname: null,
    company: null,
    tagList: [],
    kinds: [],
    componentIds: [],
    consentedAt,
    consentSource: values.consent_source?.trim() || source,
  };
  const { email, phone_number: phoneNumber, first_name: firstName, last_name: lastName, nickname, company } = values;
  applyFields(row, { email, phoneNumber, firstName, lastName, nickname, company }, rules as object, checks, true);
  row.tagList = normalizeTags(checks, 'tagList', [values.tag_list ?? '']);
  validateText(checks, 'consentSource', row.consentSource, 255);
  for (const [field, fieldProblems] of Object.entries(checks.errors()))
    for (const problem of fieldProblems) refuse(toColumn(field), problem);
  if (!email?.trim() && !phoneNumber?.trim())
    for (const column of ['email', 'phone_number'] as const) refuse(column, known.blank);
  row.kinds = parseKinds(values.kinds, () => refuse('kinds', known.notIncluded(noticeTypes)));
  row.componentIds = splitList(values.component_ids).map(Number);
  if (row.componentIds.some(id => !components.has(id))) refuse('component_ids', known.componentNotFound());
  return { row, problems };
}

function parseKinds(cell: string | undefined, refuse: () => void): NoticeType[] {
  const names = splitList(cell).map(name => name.toLowerCase());
  if (names.some(name => !(noticeTypes as string[]).includes(name))) refuse();
  return names.length ? noticeTypes.filter(type => names.includes(type)) : [...noticeTypes];
}

const splitList = (cell = '') => [...new Set(cell.split(/[\s,;]+/).filter(Boolean))];

const toColumn = (field: string) => snakeCase(field) as Column;
