/** The filters of the contract as plainly as they can be said: over records as /v1 shows them, one after the other, in memory. */
export type Kind = 'text' | 'email' | 'integer' | 'time' | 'boolean' | 'tags';
export type Attributes = Record<string, Kind>;
// biome-ignore lint/suspicious/noExplicitAny: a record as JSON.parse gives it
export type Shown = Record<string, any>;
/** No value at all is undefined: `filter[name_present]`. */
export type Given = string | string[] | undefined;
export type Conditions = [key: string, given: Given][];

const stamps: Attributes = { created_at: 'time', updated_at: 'time' };
const component: Attributes = {
  id: 'integer',
  state: 'text',
  name: 'text',
  description: 'text',
  position: 'integer',
  parent_id: 'integer',
  ...stamps,
};
const update: Attributes = { id: 'integer', content: 'text', should_publish: 'boolean', ...stamps };
const notice: Attributes = {
  ...{
    id: 'integer',
    type: 'text',
    subject: 'text',
    state: 'text',
    timeline_state: 'text',
    tag_list: 'tags',
    should_automate_schedule: 'boolean',
  },
  ...{ begins_at: 'time', ends_at: 'time', began_at: 'time', ended_at: 'time', ...stamps },
};
const template: Attributes = {
  id: 'text',
  name: 'text',
  subject: 'text',
  initial_comment: 'text',
  component_id: 'text',
  ...stamps,
};
const subscriber: Attributes = {
  ...{
    id: 'integer',
    email: 'email',
    phone_number: 'text',
    first_name: 'text',
    last_name: 'text',
    nickname: 'text',
    company: 'text',
    tag_list: 'tags',
  },
  ...stamps,
};
const page: Attributes = {
  ...{
    id: 'text',
    name: 'text',
    timezone: 'text',
    support_email: 'text',
    support_telephone: 'text',
    support_url: 'text',
    visible_to_search: 'boolean',
  },
  ...{
    meta_title: 'text',
    meta_description: 'text',
    vendor_analytics_id: 'text',
    state: 'text',
    timeline_threshold: 'integer',
  },
  ...{
    timeline_threshold_in_days: 'integer',
    timeline_sort_order: 'text',
    locale: 'text',
    endpoint: 'text',
    send_notifications_by_email: 'boolean',
  },
  ...{
    send_notifications_by_sms: 'boolean',
    send_notifications_by_chat_a: 'boolean',
    send_notifications_by_chat_b: 'boolean',
  },
  ...{ send_notifications_by_social: 'boolean', ...stamps },
};

export interface Resource {
  own: Attributes;
  /** To many where the record shows a list under that name, to one where it shows a record or null. */
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

/** Of a value that is not null. */
const operators: Record<string, (value: NonNullable<Value>, operand: never, kind: Kind) => boolean> = {
  eq: (value, operand, kind) => compare(value, operand, kind) === 0,
  not_eq: (value, operand, kind) => compare(value, operand, kind) !== 0,
  matches: (value, operand: string) => new RegExp(`^${expression(fold(operand))}$`, 'su').test(fold(String(value))),
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
  const place = left.findIndex((point, at) => point !== right[at]);
  if (place < 0) return left.length - right.length;
  return right[place] === undefined ? 1 : left[place]! - right[place]!;
}

/** Letter by letter; sigma has two small forms, and the small form of İ is two characters. */
const fold = (text: string) =>
  [...text].map(letter => ({ Σ: 'σ', ς: 'σ', İ: 'i' })[letter] ?? letter.toLowerCase()).join('');

/** LIKE as a regular expression. */
function expression(pattern: string): string {
  const literal = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;
  let written = '';
  for (let characters = [...pattern]; characters.length; ) {
    const [first, ...rest] = characters as [string, ...string[]];
    characters = rest;
    if (first === '%') written += '.*';
    else if (first === '_') written += '.';
    else written += literal(first === '\\' && characters.length ? characters.shift()! : first);
  }
  return written;
}

const valueless = ['present', 'blank'];
const partOfText = ['matches', 'cont'];
export const operatorsOf = (kind: Kind): string[] =>
  [...Object.keys(operators), ...valueless].filter(
    name => !partOfText.includes(name) || !['time', 'boolean'].includes(kind),
  );

export interface Key {
  association?: string;
  attribute: string;
  kind: Kind;
  operator: string;
}

/** Every legal key; an attribute of the record itself stands before one of the same name through an association. */
export function keysOf({ own, through }: Resource): Map<string, Key> {
  const keys = new Map<string, Key>();
  const add = (attributes: Attributes, association?: string) => {
    for (const [attribute, kind] of Object.entries(attributes)) {
      for (const operator of operatorsOf(kind)) {
        const name = `${association ? `${association}_` : ''}${attribute}_${operator}`;
        if (!keys.has(name)) keys.set(name, { association, attribute, kind, operator });
      }
    }
  };
  add(own);
  for (const [association, attributes] of Object.entries(through)) add(attributes, association);
  return keys;
}

/** The records that meet all conditions, each by itself, in the order they had. */
export function filtered(resource: Resource, records: Shown[], conditions: Conditions): Shown[] {
  const keys = keysOf(resource);
  return records.filter(record => conditions.every(([name, given]) => meets(record, keys.get(name)!, given)));
}

function meets(record: Shown, key: Key, given: Given): boolean {
  const condition = conditionOf(key, given);
  if (!condition) return true;
  const { association, operator } = key;
  if (!association) return condition(record);
  const related = record[association] as Shown[] | Shown | null;
  if (!Array.isArray(related)) return related !== null && condition(related);
  return operator.startsWith('not_') ? related.every(condition) : related.some(condition);
}

/** What is asked of a single record; undefined where nothing is. */
function conditionOf({ attribute, kind, operator }: Key, given: Given): ((record: Shown) => boolean) | undefined {
  if (valueless.includes(operator)) {
    const asked = given === undefined || ['', 'true', '1'].includes(String(given).trim());
    const wanted = asked === (operator === 'present');
    return record =>
      (kind === 'tags' ? (record[attribute] as string[]).length > 0 : isPresent(record[attribute] as Value)) === wanted;
  }
  const isList = operator === 'in' || operator === 'not_in';
  const members = [given]
    .flat()
    .flatMap(one =>
      one === undefined || one.trim() === ''
        ? []
        : [operand(one.trim(), partOfText.includes(operator) ? 'text' : kind)],
    );
  if (!members.length) return undefined;
  const holds = (value: Value) =>
    value !== null &&
    value !== undefined &&
    operators[operator]!(value, (isList ? members : members[0]) as never, kind === 'tags' ? 'text' : kind);
  return record => {
    if (kind !== 'tags') return holds(record[attribute] as Value);
    const tags = record[attribute] as string[];
    return operator.startsWith('not_') ? tags.every(holds) : tags.some(holds);
  };
}

function operand(text: string, kind: Kind): Operand {
  if (kind === 'integer') return BigInt(text);
  if (kind === 'boolean') return text === 'true' || text === '1';
  return text;
}

/** The conditions as parameters, under `filter` or under `filter[notices]`. */
export const queryOf = (conditions: Conditions, at = 'filter'): string =>
  conditions
    .flatMap(([key, given]) => {
      const name = `${at}[${key}]`;
      if (given === undefined) return [name];
      if (!Array.isArray(given)) return [`${name}=${encodeURIComponent(given)}`];
      return given.length ? given.map(one => `${name}[]=${encodeURIComponent(one)}`) : [`${name}[]=`];
    })
    .join('&');
