import { findComponents, selectComponents } from '../components/find-components.js';
import { problems } from '../core/problems.js';
import { isBlank, normalizeTags, validateText } from '../core/validation.js';
import { setMetadata } from '../pages/metadata.js';
import type { Unit } from '../records/unit.js';
import { listComponentIds, refuseTwoLists } from './impact.service.js';
import type { Notice } from './notice.entity.js';
import type { NoticeValues } from './notice-values.js';
import { createNoticePath, createSubject, extractToken, maxContentLength } from './notice-text.rules.js';
import type { Prefetched } from './prefetch.js';

/** Cuts the content, since one that is too long is parsed here before it is refused. */
export const deriveSubject = (content: string | null | undefined): string =>
  isBlank(content) ? '' : createSubject(content!.slice(0, maxContentLength));

export function setSubject(unit: Unit, notice: Notice, subject: string | null | undefined): void {
  if (isBlank(subject)) {
    unit.validation.addError('subject', problems.blank);
    return;
  }
  validateText(unit.validation, 'subject', subject!, 255);
  if (notice.subject === subject) return;
  notice.subject = subject!;
  notice.path = createNoticePath(extractToken(notice.path), subject!);
}

/** What has no rules together with other fields. */
export function setDetails(unit: Unit, notice: Notice, input: NoticeValues): void {
  if (input.tagList !== undefined) setTags(unit, notice, input.tagList);
  if (input.hasNamedComponents) notice.namedComponents = true;
  setMetadata(notice, input.metadata, unit.validation);
}

function setTags(unit: Unit, notice: Notice, given: readonly string[] | null): void {
  const list = normalizeTags(unit.validation, 'tagList', given ?? [], notice.tagList);
  if (list.join() !== notice.tagList.join()) notice.tagList = list;
}

/** Returns the ids of the components that the notice named before. */
export async function setComponents(
  unit: Unit,
  notice: Notice,
  input: NoticeValues,
  prefetched: Prefetched | null,
): Promise<number[]> {
  refuseTwoLists(input, unit.validation);
  const [field, given] = listComponentIds(input);
  const previousIds = notice.components.isInitialized() ? notice.components.getIdentifiers<number>() : [];
  if (given === undefined) return previousIds;
  const { components, problems: missing } = prefetched
    ? selectComponents(unit.em, given ?? [], prefetched.tree)
    : await findComponents(unit.em, notice.page.id, given ?? []);
  if (missing.length) {
    const ofMember = field === 'affectedComponents' ? { key: 'componentId' } : {};
    const found = missing.map(problem => (problem.index === undefined ? problem : { ...problem, ...ofMember }));
    unit.validation.addErrors({ [field]: found });
    return previousIds;
  }
  const isSame = components.length === previousIds.length && components.every(({ id }) => previousIds.includes(id));
  if (isSame) return previousIds;
  // Stays: a notice whose components are all taken away, or deleted, must not go to the subscribers of every component.
  if (components.length > 0) notice.namedComponents = true;
  notice.components.set(components);
  return previousIds;
}
