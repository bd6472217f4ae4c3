import fc from 'fast-check';
import type { Shown } from './filter-reference.js';
import type { TestService } from './service.js';

/** Texts that are told apart, ordered or folded wrongly by whatever is careless: wildcards, escapes, case, accents, astral characters. */
export const texts = [
  ...[
    'abc',
    'ABC',
    'aBc d',
    'ab',
    'b',
    'Z',
    'a%c',
    'a_c',
    '%',
    '_',
    '\\',
    'a\\',
    'a\\%c',
    'a\\\\c',
    '100% of_it',
    "it's",
    '"',
    "'; --",
    '[]',
    '{}',
    'null',
  ],
  ...[
    'true',
    '0',
    '1',
    '10',
    '9',
    'é',
    'e\u0301',
    'É',
    'Äpfel',
    'äpfel',
    'Zebra',
    'ß',
    'STRASSE',
    'Straße',
    'İstanbul',
    'istanbul',
    'ΟΔΟΣΑ',
    'οδος',
    'ΟΔΟΣ',
  ],
  ...[
    'ﬀ',
    '\uff5a',
    '\ufffd',
    '💥',
    '💥 boom',
    '𝒜',
    '\u{10ffff}',
    'x\ny',
    'x\ty',
    'two  blanks',
    'Ω',
    'ж',
    'Ж',
    '日本',
    'ab,cd',
    '$1',
    '?',
    '\u0001',
  ],
];
const emails = [
  'Ada@Example.org',
  'bob@example.org',
  'BOB.b@example.org',
  'a_b@example.org',
  'a%b@example.org',
  'aXb@example.org',
  'ÉMILE@example.org',
];
const moments = [
  '2024-02-29T00:00:00.000Z',
  '2025-06-01T12:30:00.001Z',
  '2025-06-01T12:30:00.002Z',
  '2026-01-01T00:00:00.000Z',
  '0999-12-31T23:59:59.999Z',
];
const tags = texts.filter(text => !text.includes(','));

export interface Records {
  /** The page with most on it. */
  main: string;
  /** By path under /v1, as a list shows them, with all that a filter may go through. */
  lists: { resource: string; path: string; records: Shown[] }[];
}

/** Several pages and all that may be on them, at random but for the seed; read back as they are shown. */
export async function makeRecords(service: TestService, seed: number): Promise<Records> {
  const random = fc.sample(fc.nat(), { numRuns: 20_000, seed });
  const next = (bound: number) => random.pop()! % bound;
  const pick = <Item>(list: readonly Item[]): Item => list[next(list.length)]!;
  const maybe = <Item>(list: readonly Item[]) => (next(4) ? pick(list) : undefined);
  const some = <Item>(list: readonly Item[]) => list.filter(() => next(3) === 0);
  const make = async (path: string, values: object): Promise<Shown> => {
    const answer = await service.post(path, values);
    if (answer.status !== 201) throw new Error(`${path} ${JSON.stringify(values)}: ${answer.text}`);
    return answer.json.response;
  };

  const makePage = () =>
    make('/v1/pages', {
      ...{
        name: pick(texts),
        timezone: pick(['UTC', 'London', 'Tokyo']),
        support_email: maybe(['a@example.org', 'A@example.org']),
        locale: pick(['en', 'de', 'pt-BR']),
      },
      ...{
        support_telephone: maybe(['+1', '112']),
        support_url: maybe(['https://example.org/%', 'https://EXAMPLE.org/_']),
        visible_to_search: pick([true, false]),
      },
      ...{
        meta_title: maybe(texts),
        meta_description: maybe(texts),
        vendor_analytics_id: maybe(texts),
        timeline_sort_order: pick(['asc', 'desc']),
      },
      timeline_threshold: pick([1, 86_399, 86_400, 259_200, 2_147_483_647]),
    });

  async function fill(at: string, size: number): Promise<void> {
    const ids: number[] = [];
    for (let count = 0; count < size; count++) {
      const values = {
        name: pick(texts),
        description: maybe(texts),
        parent_id: next(3) ? undefined : maybe(ids),
        position: maybe([1, 10, 9, -5, 2_147_483_647]),
      };
      ids.push((await make(`${at}/components`, values)).id);
    }
    for (let count = 0; count < size; count++) {
      const notice = await make(`${at}/notices`, {
        subject: pick(texts),
        tag_list: some(pick([tags.slice(0, 12), tags.slice(30, 36), []])),
        component_ids: some(ids),
        ...course(),
      });
      for (let more = next(4); more > 0; more--)
        await make(`${at}/notices/${notice.id}/updates`, { content: pick(texts), should_publish: pick([true, false]) });
    }
    const addresses = [...emails];
    for (let count = 0; count < Math.min(size, emails.length); count++) {
      const email = next(4) ? addresses.pop() : undefined;
      const phone = email && next(2) ? undefined : `+3161234567${count}`;
      const names = {
        first_name: maybe(texts),
        last_name: maybe(texts),
        nickname: maybe(texts),
        company: maybe(texts),
      };
      await make(`${at}/subscribers`, {
        email,
        phone_number: phone,
        ...names,
        tag_list: some(tags.slice(0, 9)),
        component_ids: some(ids),
      });
    }
    for (let count = 0; count < size; count++) {
      await make(`${at}/notice_templates`, {
        name: pick(texts),
        subject: maybe(texts),
        initial_comment: maybe(texts),
        component_id: maybe(ids),
      });
    }
  }

  const over = { began_at: '2020-01-01T00:00:00Z', ended_at: '2020-01-02T00:00:00Z' };
  const window = { type: 'planned', begins_at: '2031-01-01T10:00:00Z', ends_at: '2031-01-02T10:00:00Z' };
  const course = () =>
    pick<() => object>([
      () => ({ state: pick(['investigating', 'identified', 'recovering']) }),
      () => ({ state: pick(['resolved', 'false_alarm']), ...(next(2) && over) }),
      () => ({ ...window, should_automate_schedule: pick([true, false]) }),
      () => ({ ...window, state: pick(['underway', 'complete', 'cancelled']) }),
      () => ({ type: 'general' }),
    ])();

  const main = (await makePage()).id;
  await fill(`/v1/pages/${main}`, 10);
  for (const size of [3, 2, 0]) await fill(`/v1/pages/${(await makePage()).id}`, size);

  // Times of few kinds, so that some are equal; by the interface all would be now.
  for (const table of ['page', 'component', 'notice', 'notice_update', 'subscriber', 'notice_template']) {
    for (const { id } of await service.database.query<{ id: string }>(
      `select id from ${table} order by created_at, id`,
    )) {
      await service.database.query(`update ${table} set created_at = $2, updated_at = $3 where id = $1`, [
        id,
        pick(moments),
        pick(moments),
      ]);
    }
  }
  // Empty and null are both blank; by the interface blank becomes null.
  await service.database.query(`update component set description = '' where id % 4 = 0`);
  await service.database.query(`update subscriber set company = '' where id % 3 = 0`);
  return { main, lists: await readBack(service, main) };
}

async function readBack(service: TestService, main: string): Promise<Records['lists']> {
  const read = async (path: string): Promise<Shown[]> => (await service.get(`/v1/${path}`)).json.response;
  const at = `pages/${main}`;
  const components = await read(`${at}/components`);
  const componentOf = ({ component_id: id }: Shown) =>
    components.find(component => String(component.id) === id) ?? null;
  const notices = await read(`${at}/notices?include=updates,components`);
  const spoken = notices.toSorted((one, other) => other.updates.length - one.updates.length)[0]!;
  return [
    {
      resource: 'pages',
      path: 'pages',
      records: await read('pages?include=notices.updates,notices.components,components,subscribers.components'),
    },
    { resource: 'components', path: `${at}/components`, records: components },
    { resource: 'notices', path: `${at}/notices`, records: notices },
    { resource: 'updates', path: `${at}/notices/${spoken.id}/updates`, records: spoken.updates },
    {
      resource: 'notice_templates',
      path: `${at}/notice_templates?per_page=500`,
      records: (await read(`${at}/notice_templates?per_page=500`)).map(template => ({
        ...template,
        component: componentOf(template),
      })),
    },
    {
      resource: 'subscribers',
      path: `${at}/subscribers`,
      records: (await read(`${at}/subscribers?include=components`)).map(withTags),
    },
    { resource: 'timezones', path: 'timezones', records: await read('timezones') },
  ];
}

/** "one string, joined by a comma, no space": no tag here has a comma of its own. */
export const withTags = (subscriber: Shown): Shown => ({
  ...subscriber,
  tag_list: (subscriber.tag_list as string).split(',').filter(Boolean),
});
