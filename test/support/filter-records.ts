import fc from 'fast-check';
import type { JsonRecord } from './filter-reference.js';
import { createRecord } from './factories.js';
import type { TestService } from './service.js';

/** Texts that careless code compares, orders or folds wrongly: wildcards, escapes, case, accents, astral characters. */
export const sampleTexts = [
  ...'abc ABC ab b Z a%c a_c % _ [] {} null true 0 1 10 9 é É Äpfel äpfel Zebra ß STRASSE Straße İstanbul'.split(' '),
  ...'istanbul ΟΔΟΣΑ οδος ΟΔΟΣ ﬀ 💥 𝒜 Ω ж Ж 日本 ab,cd $1 ?'.split(' '),
  'aBc d',
  '\\',
  'a\\',
  'a\\%c',
  'a\\\\c',
  '100% of_it',
  "it's",
  '"',
  "'; --",
  'e\u0301',
  '300 \u212a',
  '\uff5a',
  '\ufffd',
  '💥 boom',
  '\u{10ffff}',
  'x\ny',
  'x\ty',
  'two  blanks',
  '\u0001',
];
const sampleEmails = [
  'Ada@Example.org',
  'bob@example.org',
  'BOB.b@example.org',
  'a_b@example.org',
  'a%b@example.org',
  'aXb@example.org',
  'ÉMILE@example.org',
];
const sampleTimes = [
  '2024-02-29T00:00:00.000Z',
  '2025-06-01T12:30:00.001Z',
  '2025-06-01T12:30:00.002Z',
  '2026-01-01T00:00:00.000Z',
  '0999-12-31T23:59:59.999Z',
];
const sampleTags = sampleTexts.filter(text => !text.includes(','));

export interface FilterRecords {
  /** The page with the most records. */
  main: string;
  /** The lists by path under /v1, with the associated records that a filter can use. */
  lists: { resource: string; path: string; records: JsonRecord[] }[];
}

/** Creates several pages with random records from a seed, and reads them back. */
export async function createFilterRecords(service: TestService, seed: number): Promise<FilterRecords> {
  const random = fc.sample(fc.nat(), { numRuns: 20_000, seed });
  const next = (bound: number) => random.pop()! % bound;
  const pick = <Item>(list: readonly Item[]): Item => list[next(list.length)]!;
  const maybe = <Item>(list: readonly Item[]) => (next(4) ? pick(list) : undefined);
  const subset = <Item>(list: readonly Item[]) => list.filter(() => next(3) === 0);
  const create = (path: string, values: object) => createRecord(service, path, values);

  const createPage = () =>
    create('/v1/pages', {
      name: pick(sampleTexts),
      timezone: pick(['UTC', 'London', 'Tokyo']),
      support_email: maybe(['a@example.org', 'A@example.org']),
      locale: pick(['en', 'de', 'pt-BR']),
      support_telephone: maybe(['+1', '112']),
      support_url: maybe(['https://example.org/%', 'https://EXAMPLE.org/_']),
      visible_to_search: pick([true, false]),
      meta_title: maybe(sampleTexts),
      meta_description: maybe(sampleTexts),
      vendor_analytics_id: maybe(['G-AB12CD34EF', 'G-AB12', 'UA-123456-1']),
      timeline_sort_order: pick(['asc', 'desc']),
      timeline_threshold: pick([1, 86_399, 86_400, 259_200, 2_147_483_647]),
    });

  async function createPageRecords(page: string, size: number): Promise<void> {
    const ids: number[] = [];
    for (let count = 0; count < size; count++) {
      const values = {
        name: pick(sampleTexts),
        description: maybe(sampleTexts),
        parent_id: next(3) ? undefined : maybe(ids),
        position: maybe([1, 10, 9, -5, 2_147_483_647]),
      };
      ids.push((await create(`${page}/components`, values)).id);
    }
    for (let count = 0; count < size; count++) {
      const notice = await create(`${page}/notices`, {
        subject: pick(sampleTexts),
        tag_list: subset(pick([sampleTags.slice(0, 12), sampleTags.slice(30, 36), []])),
        component_ids: subset(ids),
        ...randomState(),
      });
      for (let remaining = next(4); remaining > 0; remaining--)
        await create(`${page}/notices/${notice.id}/updates`, {
          content: pick(sampleTexts),
          should_publish: pick([true, false]),
        });
    }
    const addresses = [...sampleEmails];
    for (let count = 0; count < Math.min(size, sampleEmails.length); count++) {
      const email = next(4) ? addresses.pop() : undefined;
      const phone = email && next(2) ? undefined : `+3161234567${count}`;
      const names = {
        first_name: maybe(sampleTexts),
        last_name: maybe(sampleTexts),
        nickname: maybe(sampleTexts),
        company: maybe(sampleTexts),
      };
      await create(`${page}/subscribers`, {
        email,
        phone_number: phone,
        ...names,
        tag_list: subset(sampleTags.slice(0, 9)),
        component_ids: subset(ids),
      });
    }
    for (let count = 0; count < size; count++) {
      await create(`${page}/notice_templates`, {
        name: pick(sampleTexts),
        subject: maybe(sampleTexts),
        initial_comment: maybe(sampleTexts),
        component_id: maybe(ids),
      });
    }
  }

  const past = { began_at: '2020-01-01T00:00:00Z', ended_at: '2020-01-02T00:00:00Z' };
  const window = { type: 'planned', begins_at: '2031-01-01T10:00:00Z', ends_at: '2031-01-02T10:00:00Z' };
  const randomState = () =>
    pick<() => object>([
      () => ({ state: pick(['investigating', 'identified', 'recovering']) }),
      () => ({ state: pick(['resolved', 'false_alarm']), ...(next(2) && past) }),
      () => ({ ...window, should_automate_schedule: pick([true, false]) }),
      () => ({ ...window, state: pick(['underway', 'complete', 'cancelled']) }),
      () => ({ type: 'general' }),
    ])();

  const main = (await createPage()).id;
  await createPageRecords(`/v1/pages/${main}`, 10);
  for (const size of [3, 2, 0]) await createPageRecords(`/v1/pages/${(await createPage()).id}`, size);

  // Few distinct times, so that some are equal; through the API all would be the current time.
  for (const table of ['page', 'component', 'notice', 'notice_update', 'subscriber', 'notice_template']) {
    for (const { id } of await service.database.query<{ id: string }>(
      `select id from ${table} order by created_at, id`,
    )) {
      await service.database.query(`update ${table} set created_at = $2, updated_at = $3 where id = $1`, [
        id,
        pick(sampleTimes),
        pick(sampleTimes),
      ]);
    }
  }
  // Empty and null are both blank, but the API stores only null.
  await service.database.query(`update component set description = '' where id % 4 = 0`);
  await service.database.query(`update subscriber set company = '' where id % 3 = 0`);
  return { main, lists: await readBack(service, main) };
}

async function readBack(service: TestService, main: string): Promise<FilterRecords['lists']> {
  const read = async (path: string): Promise<JsonRecord[]> => (await service.get(`/v1/${path}`)).json.response;
  const page = `pages/${main}`;
  const components = await read(`${page}/components`);
  const findComponent = ({ component_id: id }: JsonRecord) =>
    components.find(component => String(component.id) === id) ?? null;
  const notices = await read(`${page}/notices?include=updates,components`);
  const mostUpdated = notices.toSorted((one, other) => other.updates.length - one.updates.length)[0]!;
  return [
    {
      resource: 'pages',
      path: 'pages',
      records: await read('pages?include=notices.updates,notices.components,components,subscribers.components'),
    },
    { resource: 'components', path: `${page}/components`, records: components },
    { resource: 'notices', path: `${page}/notices`, records: notices },
    { resource: 'updates', path: `${page}/notices/${mostUpdated.id}/updates`, records: mostUpdated.updates },
    {
      resource: 'notice_templates',
      path: `${page}/notice_templates?per_page=500`,
      records: (await read(`${page}/notice_templates?per_page=500`)).map(template => ({
        ...template,
        component: findComponent(template),
      })),
    },
    {
      resource: 'subscribers',
      path: `${page}/subscribers`,
      records: (await read(`${page}/subscribers?include=components`)).map(splitTags),
    },
    { resource: 'timezones', path: 'timezones', records: await read('timezones') },
  ];
}

/** Splits "one string, joined by a comma, no space"; no tag here contains a comma. */
export const splitTags = (subscriber: JsonRecord): JsonRecord => ({
  ...subscriber,
  tag_list: (subscriber.tag_list as string).split(',').filter(Boolean),
});
