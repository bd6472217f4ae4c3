import type { AuditLogQuery } from '../api/documents.ts';
import { wordOf } from '../ui/state-label.tsx';
import { countSubscribers } from '../ui/format-count.ts';
import { phrases } from './phrases.ts';

export type AuditEntry = NonNullable<AuditLogQuery['auditLog']>['nodes'][number];

/** The fields that name a record, for one that has no label. */
const naming = ['subject', 'name', 'email', 'phoneNumber', 'label'];

const screens: Record<string, string> = {
  AlertSource: 'alerts',
  Brand: 'appearance',
  Component: 'components',
  CustomDomain: 'domain',
  Metric: 'metrics',
  NoticeTemplate: 'templates',
  Page: 'settings',
  Recurrence: 'recurring',
  Subscriber: 'subscribers',
  Webhook: 'channels',
};

interface Sentence {
  text: string;
  /** What the record is called, and where it is. */
  label: string | undefined;
  href: string | undefined;
}

export function describeEntry(entry: AuditEntry, pageName: string | undefined): Sentence {
  const { operation, subject, subjectId, subjectLabel, changes } = entry;
  const find = (record: string | null, field: string) =>
    changes.find(each => each.record === record && each.field === field);
  // The actor says who has signed in.
  if (subject === 'Session') return { text: phrases[operation] ?? operation, label: undefined, href: undefined };
  const name = naming.map(field => find(subject, field)).find(Boolean);
  const label =
    subjectLabel ?? name?.after ?? name?.before ?? pageName ?? [subject, subjectId].filter(Boolean).join(' ');
  const text = describeBulk(entry) ?? describeUpdate(entry) ?? phrases[operation] ?? operation;
  return { text, label, href: findAddress(entry) };
}

/** "Unsubscribed 1,240 subscribers of", where one entry stands for many records. */
function describeBulk({ operation, changes }: AuditEntry): string | undefined {
  const count = changes.find(({ field }) => field === 'subscriberCount')?.after;
  return count ? `${phrases[operation]} ${countSubscribers(Number(count))} of` : undefined;
}

const postingOperations = [
  'advanceNotice',
  'createNoticeUpdate',
  'publishDraft',
  'publishScheduledDraft',
  'receiveAlert',
  'updateNotice',
];

/** "Published Resolved on", where the entry has a new update that has a state, and "Set Major outage on". */
function describeUpdate({ operation, changes }: AuditEntry): string | undefined {
  const manual = changes.find(
    ({ record, field, before }) => record === 'ManualStatus' && field === 'status' && !before,
  );
  if (operation === 'setComponentStatus' && manual?.after) return `Set ${wordOfValue(manual.after)} on`;
  if (!postingOperations.includes(operation)) return;
  const added = changes.filter(({ record, before }) => record === 'NoticeUpdate' && before === null);
  if (!added.some(({ field }) => field === 'notice')) return;
  const state = added.find(({ field }) => field === 'state')?.after;
  return state ? `Published ${wordOfValue(state)} on` : 'Published an update on';
}

/** The log has values as the database has them. */
const wordOfValue = (state: string): string => wordOf(state.toUpperCase().replace('-', '_'));

function findAddress({ pageId, operation, subject, subjectId, changes }: AuditEntry): string | undefined {
  if (!pageId || operation.startsWith('delete')) return;
  const noticeId =
    subject === 'Notice'
      ? subjectId
      : changes.find(({ record, field }) => record === 'NoticeUpdate' && field === 'notice')?.after;
  if (noticeId) return `/pages/${pageId}/notices/${noticeId}`;
  const screen = subject && screens[subject];
  return screen ? `/pages/${pageId}/${screen}` : undefined;
}
