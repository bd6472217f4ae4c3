import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { NoticeType } from '../../notices/notice.states.js';
import type { NoticeChangeInput } from './preview.inputs.js';

export type PreviewVerb = keyof NoticeChangeInput;

/** The type of the notice that a verb creates; null for a verb that changes a notice. */
export const createdTypes = {
  openIncident: 'unplanned',
  scheduleMaintenance: 'planned',
  announce: 'general',
  advanceNotice: null,
  updateNotice: null,
  createNoticeUpdate: null,
} as const satisfies Record<PreviewVerb, NoticeType | null>;
const verbs = Object.keys(createdTypes) as PreviewVerb[];

const notOneVerb = problems.invalid(`must have exactly one of ${verbs.join(', ')}`);
const noticeOfNewOne = problems.notApplicable('must be omitted for a new notice');

/** Returns the verb of an input, which has exactly one. It needs a notice unless it creates one. */
export function findVerb(input: NoticeChangeInput, noticeId: string | null | undefined): PreviewVerb {
  const [verb, ...others] = verbs.filter(name => input[name] != null);
  if (!verb || others.length) throw invalid({ input: [notOneVerb] });
  if (createdTypes[verb] && noticeId != null) throw invalid({ noticeId: [noticeOfNewOne] });
  if (!createdTypes[verb] && noticeId == null) throw invalid({ noticeId: [problems.blank] });
  return verb;
}
