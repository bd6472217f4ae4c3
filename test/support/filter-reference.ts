/** A reference implementation of the reference of /v1's filters: in memory, over records as /v1 returns them. */
export type Kind = 'text' | 'email' | 'integer' | 'time' | 'boolean' | 'tags' | Choice;
export type Choice = keyof typeof choices;
export type Attributes = Record<string, Kind>;
// biome-ignore lint/suspicious/noExplicitAny: a record as JSON.parse returns it
export type JsonRecord = Record<string, any>;
/** Undefined is a key without a value: `filter[name_present]`. */
export type FilterValue = string | string[] | undefined;
export type Conditions = [key: string, value: FilterValue][];

/** The values of closed lists. */
export const choices = {
  componentState: ['operational', 'degraded', 'partially-degraded'],
  noticeState: 'investigating identified recovering resolved false_alarm scheduled cancelled underway complete'.split(
    ' ',
  ),
  noticeType: ['unplanned', 'planned', 'general'],
  timelineState: ['future', 'present', 'past_recent', 'past_distant'],
  direction: ['asc', 'desc'],
} as const satisfies Record<string, readonly string[]>;

/** The values that a condition must be one of; undefined where it takes any text. */
export const choicesOf = ({ kind, operator }: FilterKey): readonly string[] | undefined =>
  Object.hasOwn(choices, kind) && /^(not_)?(eq|in)$/.test(operator) ? choices[kind as Choice] : undefined;

/** Attributes of a kind, from their names separated by blanks. */
const attributes = (kind: Kind, names: string): Attributes =>
  Object.fromEntries(names.split(' ').map(name => [name, kind]));

const timestamps = attributes('time', 'created_at updated_at');
const component: Attributes = {
  ...attributes('integer', 'id position parent_id'),
  ...attributes('text', 'name description'),
  state: 'componentState',
  ...timestamps,
};
const update: Attributes = { id: 'integer', content: 'text', should_publish: 'boolean', ...timestamps };
const notice: Attributes = {
  id: 'integer',
  subject: 'text',
  type: 'noticeType',
  state: 'noticeState',
  timeline_state: 'timelineState',
  tag_list: 'tags',
  should_automate_schedule: 'boolean',
  ...attributes('time', 'begins_at ends_at began_at ended_at'),
  ...timestamps,
};
const template: Attributes = { ...attributes('text', 'id name subject initial_comment component_id'), ...timestamps };
const subscriber: Attributes = {
  id: 'integer',
  email: 'email',
  ...attributes('text', 'phone_number first_name last_name nickname company'),
  tag_list: 'tags',
  ...timestamps,
};
const page: Attributes = {
  ...attributes('text', 'id name timezone support_email support_telephone support_url meta_title meta_description'),
  ...attributes('text', 'vendor_analytics_id locale endpoint'),
  state: 'componentState',
  timeline_sort_order: 'direction',
  ...attributes('integer', 'timeline_threshold timeline_threshold_in_days'),
  ...attributes('boolean', 'visible_to_search send_notifications_by_email send_notifications_by_sms'),
  ...attributes('boolean', 'send_notifications_by_chat_a send_notifications_by_chat_b send_notifications_by_social'),
  ...timestamps,
};

export interface Resource {
  own: Attributes;
  /** Associations: to-many if the record has a list under that name, to-one if it has a record or null. */
  through: Record<string, Attributes>;
}

export const resources: Record<string, Resource> = {
  pages: { own: page, through: { notices: notice, components: component } },
  components: { own: component, through: {} },
  notices: { own: notice, through: { components: component, updates: update } },
  updates: { own: update, through: {} },
  notice_templates: { own: template, through: { component } },
  subscribers: { own: subscriber, through: { components: component } },
  timezones: { own: { name: 'text', offset: 'text' }, through: {} },
};

type Value = string | number | boolean | null | undefined;
type Operand = string | number | bigint | boolean;

const isPresent = (value: Value) => value !== null && value !== undefined && value !== '';

/** Compares a value that is not null. */
const operators: Record<string, (value: NonNullable<Value>, operand: never, kind: Kind) => boolean> = {
  eq: (value, operand, kind) => compare(value, operand, kind) === 0,
  not_eq: (value, operand, kind) => compare(value, operand, kind) !== 0,
  matches: (value, operand: string) =>
    new RegExp(`^${toRegularExpression(fold(operand))}$`, 'su').test(fold(String(value))),
  cont: (value, operand: string) => fold(String(value)).includes(fold(operand)),
  gt: (value, operand, kind) => compare(value, operand, kind) > 0,
  lt: (value, operand, kind) => compare(value, operand, kind) < 0,
  gteq: (value, operand, kind) => compare(value, operand, kind) >= 0,
  lteq: (value, operand, kind) => compare(value, operand, kind) <= 0,
  in: (value, operand: Operand[], kind) => operand.some(one => compare(value, one, kind) === 0),
  not_in: (value, operand: Operand[], kind) => operand.every(one => compare(value, one, kind) !== 0),
};

function compare(value: NonNullable<Value>, operand: Operand, kind: Kind): number {
  if (kind === 'integer') return Number(value) - Number(operand);
  if (kind === 'boolean') return Number(value) - Number(operand);
  if (kind === 'time') return Date.parse(String(value)) - Date.parse(String(operand));
  if (kind === 'email') return byCodePoint(String(value).toLowerCase(), String(operand).toLowerCase());
  return byCodePoint(String(value), String(operand));
}

function byCodePoint(one: string, other: string): number {
  const [left, right] = [one, other].map(text => [...text].map(character => character.codePointAt(0)!)) as [
    number[],
    number[],
  ];
  const index = left.findIndex((point, at) => point !== right[at]);
  if (index < 0) return left.length - right.length;
  return right[index] === undefined ? 1 : left[index]! - right[index]!;
}

/** Lowercases letter by letter: sigma has two lowercase forms, and that of İ has two characters. */
const fold = (text: string) =>
  [...text].map(letter => ({ Σ: 'σ', ς: 'σ', İ: 'i' })[letter] ?? letter.toLowerCase()).join('');

/** Converts a LIKE pattern. */
function toRegularExpression(pattern: string): string {
  const literal = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;
  let source = '';
  for (let characters = [...pattern]; characters.length; ) {
    const [first, ...rest] = characters as [string, ...string[]];
    characters = rest;
    if (first === '%') source += '.*';
    else if (first === '_') source += '.';
    else source += literal(first === '\\' && characters.length ? characters.shift()! : first);
  }
  return source;
}

const presenceOperators = ['present', 'blank'];
const textOperators = ['matches', 'cont'];
export const listOperators = (kind: Kind): string[] =>
  [...Object.keys(operators), ...presenceOperators].filter(
    name => !textOperators.includes(name) || !['time', 'boolean'].includes(kind),
  );

export interface FilterKey {
  association?: string;
  attribute: string;
  kind: Kind;
  operator: string;
}

/** Lists the legal keys; an attribute of the record wins over one of the same name through an association. */
export function listKeys({ own, through }: Resource): Map<string, FilterKey> {
  const keys = new Map<string, FilterKey>();
  const add = (attributes: Attributes, association?: string) => {
    for (const [attribute, kind] of Object.entries(attributes)) {
      for (const operator of listOperators(kind)) {
        const name = `${association ? `${association}_` : ''}${attribute}_${operator}`;
        if (!keys.has(name)) keys.set(name, { association, attribute, kind, operator });
      }
    }
  };
  add(own);
  for (const [association, attributes] of Object.entries(through)) add(attributes, association);
  return keys;
}

/** Returns the records that match all conditions, in their order. */
export function filterRecords(resource: Resource, records: JsonRecord[], conditions: Conditions): JsonRecord[] {
  const keys = listKeys(resource);
  return records.filter(record =>
    conditions.every(([name, given]) => matchesCondition(record, keys.get(name)!, given)),
  );
}

function matchesCondition(record: JsonRecord, key: FilterKey, given: FilterValue): boolean {
  const condition = createPredicate(key, given);
  if (!condition) return true;
  const { association, operator } = key;
  if (!association) return condition(record);
  const related = record[association] as JsonRecord[] | JsonRecord | null;
  if (!Array.isArray(related)) return related !== null && condition(related);
  return operator.startsWith('not_') ? related.every(condition) : related.some(condition);
}

/** Returns undefined for a value that sets no condition. */
function createPredicate(
  { attribute, kind, operator }: FilterKey,
  given: FilterValue,
): ((record: JsonRecord) => boolean) | undefined {
  if (presenceOperators.includes(operator)) {
    const isTrue = given === undefined || ['', 'true', '1'].includes(String(given).trim());
    const expected = isTrue === (operator === 'present');
    return record =>
      (kind === 'tags' ? (record[attribute] as string[]).length > 0 : isPresent(record[attribute] as Value)) ===
      expected;
  }
  const isList = operator === 'in' || operator === 'not_in';
  const members = [given]
    .flat()
    .flatMap(one =>
      one === undefined || one.trim() === ''
        ? []
        : [parseOperand(one.trim(), textOperators.includes(operator) ? 'text' : kind)],
    );
  if (!members.length) return undefined;
  const matches = (value: Value) =>
    value !== null &&
    value !== undefined &&
    operators[operator]!(value, (isList ? members : members[0]) as never, kind === 'tags' ? 'text' : kind);
  return record => {
    if (kind !== 'tags') return matches(record[attribute] as Value);
    const tags = record[attribute] as string[];
    return operator.startsWith('not_') ? tags.every(matches) : tags.some(matches);
  };
}

function parseOperand(text: string, kind: Kind): Operand {
  if (kind === 'integer') return BigInt(text);
  if (kind === 'boolean') return text === 'true' || text === '1';
  return text;
}

/** Writes the conditions as parameters, under `filter` or under `filter[notices]`. */
export const toQueryString = (conditions: Conditions, prefix = 'filter'): string =>
  conditions
    .flatMap(([key, given]) => {
      const name = `${prefix}[${key}]`;
      if (given === undefined) return [name];
      if (!Array.isArray(given)) return [`${name}=${encodeURIComponent(given)}`];
      return given.length ? given.map(one => `${name}[]=${encodeURIComponent(one)}`) : [`${name}[]=`];
    })
    .join('&');
