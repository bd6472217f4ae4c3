import { beforeAll, expect, test } from '@jest/globals';
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { type AccessRecords, createAccessRecords, hashTables, missingIds } from '../../support/access-records.js';
import { type Field, idNamed, mutations, operationOf, queries, required } from '../../support/root-operations.js';
import { useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/**
 * Ids of other records in arguments and inputs, at any depth: an owner of one page sends those of another page. They
 * must be answered exactly like those of no record, and change nothing.
 */
const service = useOwnService({ dnsServers: ['127.0.0.1:1'], allowPrivateTargets: true });
let own: AccessRecords;
let foreign: AccessRecords;
let token: string;
beforeAll(async () => {
  own = await createAccessRecords(service);
  foreign = await createAccessRecords(service);
  token = await createToken(service.database, 'own', { role: 'owner', pageIds: [own.page_id] });
}, 60_000);

/** The record whose id a field of an input takes. */
const recordNames: Record<string, keyof AccessRecords> = {
  componentId: 'component_id',
  componentIds: 'component_id',
  addComponentIds: 'component_id',
  removeComponentIds: 'component_id',
  childIds: 'component_id',
  parentId: 'component_id',
  beforeId: 'component_id',
  templateId: 'template_id',
  noticeId: 'notice_id',
  personId: 'person_id',
  subscriberId: 'subscriber_id',
  draftId: 'draft_id',
  metricId: 'metric_id',
  pageId: 'page_id',
  pageIds: 'page_id',
};

function nameRecord(field: Field, name: string, isArgument: boolean): keyof AccessRecords {
  if (isArgument && name === 'ids') return field.name === 'webhookUrls' ? 'webhook_id' : 'component_id';
  if (isArgument && name === 'id') return field.name === 'saveDraft' ? 'draft_id' : idNamed(field, name);
  const record = recordNames[name];
  if (!record) throw new Error(`The test has no record for ${name} of ${field.name}`);
  return record;
}

/** A place of an id in the arguments of a field: `input.rules.0.templateId`. */
interface Place {
  path: string[];
  record: keyof AccessRecords;
}

function findPlaces(field: Field): Place[] {
  return field.args.flatMap(({ name, type }) => placesBelow(field, [name], type, true));
}

function placesBelow(field: Field, path: string[], type: GraphQLInputType, isArgument = false): Place[] {
  const nullable = getNullableType(type);
  const inList = isListType(nullable) ? [...path, '0'] : path;
  const named = getNamedType(type);
  if (path.at(-1) === 'sourceIds') return [];
  if (named.name === 'ID') return [{ path: inList, record: nameRecord(field, path.at(-1)!, isArgument) }];
  if (!isInputObjectType(named) || /Filter|OrderBy/.test(named.name)) return [];
  return Object.values(named.getFields()).flatMap(one => placesBelow(field, [...inList, one.name], one.type));
}

const samples: Record<string, unknown> = {
  subject: 'New',
  beginsAt: '2030-01-01T00:00:00Z',
  endsAt: '2030-01-01T01:00:00Z',
  state: 'RESOLVED',
  shouldPublish: true,
};

/** The least that a type accepts. */
function createSample(type: GraphQLInputType, name: string): unknown {
  if (name in samples) return samples[name];
  const nullable = isNonNullType(type) ? type.ofType : type;
  if (isListType(nullable)) return [];
  if (isEnumType(nullable)) return nullable.getValues()[0]!.name;
  if (isInputObjectType(nullable)) return sampleFields(nullable);
  return { Int: 1, Float: 1, Boolean: true }[getNamedType(type).name] ?? 'x';
}

const sampleFields = (type: GraphQLInputObjectType): Record<string, unknown> =>
  Object.fromEntries(
    Object.values(type.getFields())
      .filter(isRequiredInputField)
      .map(({ name, type: one }) => [name, createSample(one, name)]),
  );

type Values = Record<string, unknown>;

/** Puts an id at a place; what is missing around it is the least that its type accepts. */
function placeId(variables: Values, field: Field, path: string[], id: string): Values {
  const copy = structuredClone(variables);
  const [argument, ...rest] = path;
  const type = field.args.find(({ name }) => name === argument)!.type;
  copy[argument!] = setBelow(copy[argument!], type, rest, id);
  return copy;
}

function setBelow(value: unknown, type: GraphQLInputType, path: string[], id: string): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return id;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const [first, ...others] = (value as unknown[] | null | undefined) ?? [];
    return [setBelow(first, nullable.ofType, rest, id), ...others];
  }
  const named = nullable as GraphQLInputObjectType;
  const one = named.getFields()[name]!;
  // Of a choice there is one.
  const given = named.isOneOf ? pick(value as Values, name) : { ...sampleFields(named), ...(value as Values) };
  return { ...given, [name]: setBelow(given[name], one.type, rest, id) };
}

const pick = (value: Values | undefined, name: string): Values =>
  value && name in value ? { [name]: value[name] } : {};

/** A change that creates a notice names none. */
function forNewNotice(variables: Values, path: string[]): Values {
  if (!path.some(name => /^(announce|openIncident|scheduleMaintenance)$/.test(name))) return variables;
  const { input } = variables;
  const withoutNotice = Array.isArray(input) ? input.map(one => ({ ...one, noticeId: null })) : input;
  return { ...variables, input: withoutNotice, ...('noticeId' in variables && { noticeId: null }) };
}

const asSubscriber = (variables: Values, path: string[]): Values =>
  path.at(-1) === 'subscriberId' ? { ...variables, input: { channel: 'EMAIL' } } : variables;

const fields = [...queries, ...mutations].filter(({ name }) => name !== 'timezone');
const cases = fields.flatMap(field =>
  findPlaces(field).map(place => ({ name: `${field.name}(${place.path.join('.')})`, field, ...place })),
);

/** The input of a draft is checked when it is previewed or published. */
const isOfDraft = ({ field, path }: Place & { field: Field }) => field.name === 'saveDraft' && path[0] === 'input';

const hideId = (json: unknown, id: string) =>
  JSON.stringify(json).replaceAll(`"${id}"`, '"ID"').replaceAll(`\\"${id}\\"`, '\\"ID\\"');

const send = (field: Field, path: string[], id: string, selection?: string) => {
  const isRequired = required(field).some(({ name }) => name === path[0]);
  const { query, variables } = operationOf(field, own, selection, isRequired ? undefined : { [path[0]!]: null });
  const placed = forNewNotice(placeId(asSubscriber(variables, path), field, path, id), path);
  return service.graphql(query, placed, { token });
};

/** Nothing found is as good as a refusal in a list. */
const refused = /NOT_FOUND|INVALID|FORBIDDEN|"webhookUrls":\[\]/;

test.each(cases.filter(one => !isOfDraft(one)))(
  '$name: an id of another page is answered like that of no record',
  async ({ field, path, record }) => {
    const before = await hashTables(service.database);
    const there = await send(field, path, foreign[record]);
    const isUnchanged = (await hashTables(service.database)) === before;
    const nowhere = await send(field, path, missingIds[record]);
    const answer = hideId(there.json, foreign[record]);
    expect([there.status, answer]).toEqual([nowhere.status, hideId(nowhere.json, missingIds[record])]);
    expect(answer).toMatch(refused);
    expect(isUnchanged).toBe(true);
  },
);

test.each(cases.filter(isOfDraft))(
  '$name: a draft with an id of another page is answered like that of no record',
  async ({ field, path, record }) => {
    const preview = async (id: string) => {
      const saved = (await send(field, path, id, '{ draft { id } }')).json.data.saveDraft.draft;
      const query = 'query($pageId: ID!, $id: ID!) { previewDraft(pageId: $pageId, id: $id) { hash } }';
      const { json } = await service.graphql(query, { pageId: own.page_id, id: saved.id }, { token });
      return hideId(json, id);
    };
    const answer = await preview(foreign[record]);
    expect(answer).toBe(await preview(missingIds[record]));
    expect(answer).toMatch(/"code":"NOT_FOUND"/);
  },
);
