import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { accessLevels, findAccess, getRequirement } from '../../src/auth/access.js';
import { schema } from '../../src/schema.js';
import { type AccessRecords, nextWeek, themeArchive } from './access-records.js';

/** Operations of one root field each, for tests that walk the schema. */

/** A valid input for each field that takes one. */
export const inputs: Record<string, (records: AccessRecords) => object> = {
  previewAppearance: () => ({ situation: 'ALL_WELL' }),
  previewPublication: () => ({ advanceNotice: { state: 'RESOLVED', shouldPublish: true } }),
  saveDraft: () => ({ advanceNotice: { state: 'RESOLVED', shouldPublish: true } }),
  publishOnPages: ({ page_id, notice_id }) => [
    { pageId: page_id, noticeId: notice_id, change: { advanceNotice: { state: 'RESOLVED', shouldPublish: true } } },
  ],
  createAlertSource: () => ({ name: 'New' }),
  updateAlertSource: () => ({ name: 'Changed' }),
  createMetric: () => ({ name: 'New' }),
  updateMetric: () => ({ name: 'Changed' }),
  recordMetric: () => ({ value: 1 }),
  recordMetricValues: ({ metric_id }) => ({ values: [{ metricId: metric_id, value: 1 }] }),
  createPage: () => ({ name: 'New' }),
  liftSuspension: () => ({ channel: 'SLACK' }),
  liftSuspensions: () => ({}),
  invitePerson: ({ page_id }) => ({ email: 'new@example.com', role: 'VIEWER', pageIds: [page_id] }),
  exportPersonData: () => ({ address: 'anna@example.com' }),
  erasePersonData: () => ({ address: 'anna@example.com' }),
  updateMembership: () => ({ role: 'DRAFTER' }),
  createToken: ({ page_id }) => ({ label: 'New', role: 'VIEWER', pageIds: [page_id] }),
  setPageVisibility: () => ({ visibility: 'UNLISTED' }),
  updatePage: () => ({ name: 'Changed' }),
  updateBrand: () => ({ colorBodyText: '#123456' }),
  setCustomDomain: ({ page_id }) => ({ domain: `new-${page_id}.example.com` }),
  setBrandImages: () => ({ logo: null }),
  uploadImage: () => ({
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }),
  setTheme: () => ({ zip: themeArchive().toString('base64') }),
  createWebhook: () => ({ url: 'https://hooks.example.com/new' }),
  updateWebhook: () => ({ format: 'STATUSPAGE' }),
  configureChannel: () => ({ channel: 'MASTODON', url: 'https://mastodon.example', token: 'secret' }),
  removeChannel: () => ({ channel: 'SLACK' }),
  testChannel: () => ({ channel: 'SLACK' }),
  createComponent: () => ({ name: 'New' }),
  updateComponent: () => ({ name: 'Changed' }),
  readUpstream: ({ upstream_url }) => ({ url: upstream_url }),
  publishDraft: () => ({ shouldPublish: true }),
  scheduleDraft: () => ({ publishAt: nextWeek }),
  skipOccurrence: () => ({ occursAt: '2100-03-01T00:00:00Z', shouldPublish: true }),
  followUpstream: ({ upstream_url, component_id }) => ({ url: upstream_url, component: component_id }),
  setComponentStatus: () => ({ status: 'MAJOR_OUTAGE' }),
  setComponentStatuses: () => ({ status: 'MAJOR_OUTAGE' }),
  updateNotice: () => ({ subject: 'Changed', state: 'RESOLVED', shouldPublish: true }),
  openIncident: ({ component_id }) => ({ subject: 'New', componentIds: [component_id], shouldPublish: true }),
  scheduleMaintenance: () => ({
    subject: 'New',
    beginsAt: '2030-01-01T00:00:00Z',
    endsAt: '2030-01-01T01:00:00Z',
    shouldPublish: true,
  }),
  nextOccurrences: () => ({ rule: 'FREQ=MONTHLY' }),
  moveOccurrence: () => ({
    occursAt: '2100-02-01T00:00:00Z',
    beginsAt: '2100-02-02T00:00:00Z',
    endsAt: '2100-02-02T01:00:00Z',
    shouldPublish: true,
  }),
  previewRecurrence: () => ({ subject: 'Changed', shouldPublish: true }),
  updateRecurrence: () => ({ subject: 'Changed', shouldPublish: true }),
  announce: () => ({ subject: 'New', shouldPublish: true }),
  advanceNotice: () => ({ state: 'RESOLVED', shouldPublish: true }),
  createNoticeUpdate: () => ({ content: 'New', shouldPublish: true }),
  updateNoticeUpdate: () => ({ content: 'Changed' }),
  createNoticeTemplate: () => ({ name: 'New' }),
  updateNoticeTemplate: () => ({ name: 'Changed' }),
  importSubscribers: () => ({ consentSource: 'a list', csv: 'email\nlisted@example.com\n' }),
  createSubscriber: () => ({ email: 'new@example.com' }),
  updateSubscribers: () => ({}),
  updateSubscriber: () => ({ firstName: 'Changed' }),
};

export type Field = GraphQLField<unknown, unknown>;
/** Without `node` and `nodes`, which require what the query of the record does: see nodes.test.ts. */
export const queries = Object.values(schema.getQueryType()!.getFields()).filter(({ name }) => !/^nodes?$/.test(name));
/** Without those of a person or of a browser, which need no role: test/database/people, test/database/people/sign-in. */
export const mutations = Object.values(schema.getMutationType()!.getFields()).filter(
  ({ name }) => name !== 'revokeSession' && !/Passkey|AlertPush|^(requestSignIn|signIn|signOut)/.test(name),
);
export const isMutation = (field: Field) => mutations.includes(field);

/** The name of the id that an argument takes. */
export function idNamed(field: Field, argument: string): keyof AccessRecords {
  if (argument === 'pageId') return 'page_id';
  if (argument === 'noticeId') return 'notice_id';
  if (argument === 'ids') return 'component_id';
  if (argument === 'previewHash') return 'preview_hash';
  const record = field.name
    .replace(
      /^(create|update|delete|resend|resume|rotate|test|advance|revoke|disable|enable|stop|publish|preview|notify|set|clear|schedule|unschedule|assign|skip|move|upcoming|end|follow|unfollow|record)/,
      '',
    )
    .replace(/^./, letter => letter.toLowerCase());
  const ids: Record<string, keyof AccessRecords> = {
    page: 'page_id',
    component: 'component_id',
    componentStatus: 'component_id',
    upstream: 'component_id',
    notice: 'notice_id',
    noticeUpdate: 'update_id',
    correction: 'corrected_id',
    componentCorrection: 'misnamed_id',
    noticeTemplate: 'template_id',
    publication: 'publication_id',
    delivery: 'delivery_id',
    draft: 'draft_id',
    recurrence: 'recurrence_id',
    occurrence: 'recurrence_id',
    occurrences: 'recurrence_id',
    alertSource: 'alert_source_id',
    alertSourceUrl: 'alert_source_id',
    alertGroup: 'alert_group_id',
    alertPayload: 'alert_payload_id',
    auditEntry: 'audit_entry_id',
    metric: 'metric_id',
    tryAlertRules: 'alert_source_id',
    token: 'token_id',
    person: 'person_id',
    membership: 'membership_id',
    webhook: 'webhook_id',
    webhookSecret: 'webhook_id',
  };
  const id = { ...ids, subscriber: 'subscriber_id' as const, timezone: 'timezone_id' as const }[record];
  if (argument !== 'id' || !id) throw new Error(`The test has no value for the argument ${argument} of ${field.name}`);
  return id;
}

export const required = (field: Field): GraphQLArgument[] =>
  field.args.filter(argument => isRequiredArgument(argument) || /^(pageId|noticeId)$/.test(argument.name));
/** The outermost id first; the schema has them in any order. */
export const idArguments = (field: Field) =>
  ['pageId', 'noticeId', 'id'].flatMap(name => required(field).filter(argument => argument.name === name));
export const fieldsOf = (type: GraphQLNamedType): Field[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
export const scalarsOf = (type: GraphQLNamedType): Field[] =>
  fieldsOf(type).filter(({ type: one }) => isLeafType(getNamedType(one)));
export const isClosed = (field: Field) => {
  const access = findAccess(field);
  return access !== undefined && !('anonymous' in accessLevels[access]);
};
/** Whether a token of scope read, which has the role VIEWER, may not read it. */
export function requiresRole(field: Field): boolean {
  const { role, isOpenToReadScope } = getRequirement(findAccess(field)!);
  return role !== null && role !== 'viewer' && !isOpenToReadScope;
}
export const leaves = (type: GraphQLNamedType) =>
  [
    '__typename',
    ...scalarsOf(type)
      .filter(field => !isClosed(field) && !field.args.some(isRequiredArgument))
      .map(({ name }) => name),
  ].join(' ');
const selectionOf = (field: Field) =>
  isCompositeType(getNamedType(field.type)) ? `{ ${leaves(getNamedType(field.type))} }` : '';

/** Of required arguments that are no ids. */
const fixedValues: Record<string, unknown> = {
  expectedCount: 1,
  beginsAt: '2030-01-01T00:00:00Z',
  sourceIds: ['b13yz5g2cw10'],
  firstDay: '2026-01-01',
  lastDay: '2026-01-02',
};
/** Of arguments that are not required. */
const optionalValues: Record<string, object> = { importSubscribers: { dryRun: false } };

/** A field of a record, with its required arguments. */
export function callField({ name, args }: Field): string {
  const given = args.filter(isRequiredArgument).map(one => `${one.name}: ${JSON.stringify(fixedValues[one.name])}`);
  return given.length ? `${name}(${given.join(', ')})` : name;
}

/**
 * Passes values as variables, so that the location of an error does not depend on them. Several selections are as many
 * root fields, each with an alias; `options` are values of arguments that are not required.
 */
export function operationOf(
  field: Field,
  records: AccessRecords,
  selection: string | string[] = selectionOf(field),
  options: object = optionalValues[field.name] ?? {},
) {
  const ofRecords = required(field);
  const given = [...ofRecords, ...field.args.filter(({ name }) => name in options)];
  const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = `${field.name}${passed && `(${passed})`}`;
  const calls = [selection].flat().map((one, index) => `${index ? `other${index}: ` : ''}${call} ${one}`);
  const query = `${isMutation(field) ? 'mutation' : 'query'}${declared && `(${declared})`} { ${calls.join(' ')} }`;
  const values = ofRecords.map(({ name }) => [
    name,
    name === 'input'
      ? inputs[field.name]!(records)
      : name === 'filter'
        ? { id: { eq: records.subscriber_id } }
        : (fixedValues[name] ?? records[idNamed(field, name)]),
  ]);
  return { query, variables: { ...Object.fromEntries(values), ...options } };
}
