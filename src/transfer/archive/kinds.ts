import { auditKind } from './audit-kind.js';
import type { Kind } from './kind.js';
import { noticeKinds } from './notice-kinds.js';
import { pageKinds } from './page-kinds.js';
import { membershipKinds, peopleKinds } from './people-kinds.js';
import { recurrenceKinds } from './recurrence-kinds.js';
import { sourceKinds } from './source-kinds.js';
import { subscriberKinds } from './subscriber-kinds.js';
import { webhookKinds } from './webhook-kinds.js';

/** The records of an archive, in the order in which they are imported: rows come after those to which they refer. */
export const kinds: Readonly<Record<string, Kind>> = {
  ...peopleKinds,
  ...pageKinds,
  ...membershipKinds,
  ...noticeKinds,
  ...recurrenceKinds,
  ...subscriberKinds,
  ...sourceKinds,
  'audit-entries': auditKind,
  ...webhookKinds,
};

const choose = (isChosen: (kind: Kind) => boolean): [name: string, kind: Kind][] =>
  Object.entries(kinds).filter(([, kind]) => isChosen(kind));

/** Those that have a file of their own. */
export const fileKinds = choose(({ sealed }) => !sealed);
export const sealedKinds = choose(({ sealed }) => sealed !== undefined);

/** Kinds whose files earlier exports wrote, and that no import reads. */
export const ignoredKinds: readonly string[] = ['domain-reservations'];

/** The tables of which an archive has nothing, and why. */
export const omittedTables: Readonly<Record<string, string>> = {
  access_try: 'is deleted soon',
  alert: 'is in the groups of alerts',
  alert_browser: 'gives access',
  alert_payload: 'is of a source of alerts',
  audit_change: 'is in the entries of the audit log',
  attempt: 'is the history of what the installation sent',
  bounce_count: 'is the history of what the installation sent',
  deleted_delivery_count: 'is the history of what the installation sent',
  delivery: 'is the history of what the installation sent',
  demo_record: 'marks demonstration data',
  domain_reservation: 'is what the installation itself has verified',
  draft: 'has texts that nobody has published, and times at which the installation publishes them',
  idempotent_response: 'is deleted soon',
  installation_fact: 'is of the installation itself',
  mail_refresh_token: 'gives access',
  identity: 'gives access',
  identity_request: 'is deleted soon',
  bounce_hook: 'is of what the installation sends',
  channel_check: 'is of what the installation sends',
  channel_failure: 'is of what the installation sends',
  operator_mail: 'is of what the installation sends',
  moved_page: 'leads from this installation to another one',
  one_time_code: 'is deleted soon',
  passkey: 'gives access',
  passkey_challenge: 'is deleted soon',
  publication: 'is the history of what the installation sent',
  session: 'gives access',
  sign_in_link: 'gives access',
  signing_key: 'gives access',
  subscription_request: 'is deleted soon',
  token: 'gives access',
  used_access_token: 'is deleted soon',
};
