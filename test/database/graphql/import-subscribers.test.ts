import { beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { recordStatements } from '../../support/statements.js';
import { holdersSql } from '../../../src/subscribers/import-holders.js';
import { sentencesByField } from '../../support/user-errors.js';

const service = useOwnService();
let page: string;
let website: number;
beforeEach(async () => {
  page = (await createPage(service, { name: 'Meridian Freight' })).id;
  website = (await createComponent(service, `/v1/pages/${page}`, { name: 'Website' })).id;
});

const mutation = `mutation ($page: ID!, $dryRun: Boolean! = true, $input: ImportSubscribersInput!) {
  importSubscribers(pageId: $page, dryRun: $dryRun, input: $input) { dryRun rows added renewed existing repeated left problems { line column message } ignoredColumns }
}`;
const runImport = async (csv: string, more: object = {}, token?: string) => {
  const { dryRun, ...input } = { csv, consentSource: 'newsletter 2025', dryRun: false, ...more };
  return (await service.graphql(mutation, { page, dryRun, input }, token ? { token } : {})).json;
};
const importCsv = async (csv: string, more?: object) => (await runImport(csv, more)).data.importSubscribers;
const exportCsv = async () =>
  (await service.graphql('query ($page: ID!) { page(id: $page) { subscribersCsv } }', { page })).json.data.page
    .subscribersCsv as string;
const emails = async () =>
  (await service.get(`/v1/pages/${page}/subscribers`)).json.response.map(({ email }: { email: string }) => email);
const countSubscribers = async (): Promise<number> => {
  const [row] = await service.database.query<{ count: number }>(
    'select count(*)::int as count from subscriber where page_id = $1',
    [page],
  );
  return row!.count;
};
const stored = (email: string) =>
  service.database.query<{ consent: string; kinds: string[]; chose: boolean; confirmed: boolean }>(
    'select consent_source as consent, kinds, chose_components as chose, confirmed_at is not null as confirmed from subscriber where page_id = $1 and email = $2',
    [page, email],
  );

test('a list with more problems than a result lists names the first ones, and its valid rows are imported', async () => {
  const invalid = Array.from({ length: 5_001 }, () => 'nobody,nowhere').join('\n');
  const { added, problems } = await importCsv(`email,phone_number\n${invalid}\nada@customer.example,`);
  expect(added).toBe(1);
  expect(problems).toHaveLength(10_000);
  expect(problems.at(-1).line).toBe(5_001);
});

describe('a CSV file of subscribers', () => {
  const list = () =>
    [
      'email,phone_number,first_name,tag_list,component_ids,kinds,consent_source,shoe_size',
      `anna@example.com,'+49 30 1234567,Anna,"vip, emea",${website},planned,fair 2024,38`,
      'ben@example.com,,=Ben,,,,,44',
    ].join('\n');

  test('is only checked by default, and changes nothing', async () => {
    const outcome = await importCsv(list(), { dryRun: undefined });
    expect(outcome).toMatchObject({ dryRun: true, rows: 2, added: 2, problems: [], ignoredColumns: ['shoe_size'] });
    expect(await emails()).toEqual([]);
  });

  test('creates subscribers with their choices and the source of their consent', async () => {
    expect(await importCsv(list())).toMatchObject({ dryRun: false, rows: 2, added: 2 });
    const { response } = (await service.get(`/v1/pages/${page}/subscribers?include=components`)).json;
    expect(response).toMatchObject([
      {
        email: 'anna@example.com',
        phone_number: '+49301234567',
        first_name: 'Anna',
        tag_list: 'vip,emea',
        components: [{ id: website }],
      },
      { email: 'ben@example.com', phone_number: null, first_name: '=Ben', tag_list: '', components: [] },
    ]);
    expect(await stored('anna@example.com')).toEqual([
      { consent: 'fair 2024', kinds: ['planned'], chose: true, confirmed: true },
    ]);
    expect(await stored('ben@example.com')).toEqual([
      { consent: 'newsletter 2025', kinds: ['unplanned', 'planned', 'general'], chose: false, confirmed: true },
    ]);
  });

  test('is the same after an export and an import on another page, and has no formulas', async () => {
    await importCsv(list());
    const first = await exportCsv();
    expect(first).toContain("anna@example.com,'+49301234567,Anna");
    expect(first).toContain("'=Ben");
    await service.database.query('delete from subscriber where page_id = $1', [page]);
    expect(await importCsv(first)).toMatchObject({ added: 2, problems: [] });
    expect(await exportCsv()).toBe(first);
  });

  test('skips invalid rows, and reports each with its line', async () => {
    const csv = [
      'email,phone_number,component_ids,kinds,company',
      'good@example.com,,,,',
      'nobody,12,,,',
      ',,,,',
      `x@example.com,,999999999 ${website},,`,
      'y@example.com,,,sometimes,',
      `z@example.com,,,,${'c'.repeat(256)}`,
    ].join('\n');
    const { problems, ...counts } = await importCsv(csv);
    expect(counts).toMatchObject({ rows: 6, added: 1 });
    expect(problems).toEqual([
      { line: 3, column: 'email', message: '`email` must be an e-mail address, not "nobody".' },
      {
        line: 3,
        column: 'phone_number',
        message: '`phone_number` must be a phone number with its country code, such as +14155550100, not "12".',
      },
      { line: 4, column: 'email', message: '`email` must not be blank.' },
      { line: 4, column: 'phone_number', message: '`phone_number` must not be blank.' },
      {
        line: 5,
        column: 'component_ids',
        message: `\`component_ids\` must be the id of a component of the page, not "999999999 ${website}".`,
      },
      {
        line: 6,
        column: 'kinds',
        message: '`kinds` must be one of unplanned, planned, general, not "sometimes".',
      },
      {
        line: 7,
        column: 'company',
        message: `\`company\` must have at most 255 characters, not "${'c'.repeat(60)}…" (256 characters).`,
      },
    ]);
    expect(await emails()).toEqual(['good@example.com']);
  });

  test('skips people who left the list, by the column that says so', async () => {
    const csv = 'Email Address,status,shoe\nin@example.com,enabled,38\nout@example.com,blocklisted,39';
    expect(await importCsv(csv, { shouldResubscribe: true })).toMatchObject({
      rows: 2,
      added: 1,
      left: 0,
      ignoredColumns: ['shoe'],
      problems: [{ line: 3, column: 'status', message: 'The person has left the list: `status` is "blocklisted".' }],
    });
    expect(await emails()).toEqual(['in@example.com']);
  });

  test('skips existing subscribers and duplicates, case-insensitively', async () => {
    await service.post(`/v1/pages/${page}/subscribers`, { email: 'Anna@example.com', first_name: 'Anna' });
    const outcome = await importCsv(
      'email,first_name\nanna@EXAMPLE.com,Other\nben@example.com,Ben\nBEN@example.com,Benjamin',
    );
    expect(outcome).toMatchObject({ rows: 3, added: 1, existing: 1, repeated: 1 });
    const { response } = (await service.get(`/v1/pages/${page}/subscribers`)).json;
    expect(response.map(({ email, first_name }: Record<string, string>) => [email, first_name])).toEqual([
      ['Anna@example.com', 'Anna'],
      ['ben@example.com', 'Ben'],
    ]);
  });

  test('skips duplicates that write the domain differently', async () => {
    const csv =
      'email\nanna@example.com\nanna@ｅxample.com\nanna@example。com\nben@bücher.example\nben@xn--bcher-kva.example';
    expect(await importCsv(csv)).toMatchObject({ rows: 5, added: 2, repeated: 3 });
    expect(await emails()).toEqual(['anna@example.com', 'ben@bücher.example']);
  });

  test('does not merge two subscribers whose addresses are in one row', async () => {
    await service.post(`/v1/pages/${page}/subscribers`, { email: 'anna@example.com' });
    await service.post(`/v1/pages/${page}/subscribers`, { phone_number: '+49301234567' });
    const { problems } = await importCsv('email,phone_number\nanna@example.com,+49301234567');
    expect(problems).toEqual([
      {
        line: 2,
        column: 'phone_number',
        message: expect.stringMatching(/^`phone_number` must not be that of another .*, not "\+49301234567"\.$/),
      },
    ]);
  });

  test('confirms pending sign-ups, and skips unsubscribed people unless the import says that they consented again', async () => {
    await service.database.query(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at, unsubscribed_at)
       values ($1, 'new@example.com', 'page', now(), now(), null, null), ($1, 'gone@example.com', 'page', now(), now(), now(), now())`,
      [page],
    );
    expect(await importCsv('email\nnew@example.com\ngone@example.com')).toMatchObject({
      rows: 2,
      added: 0,
      renewed: 1,
      left: 1,
    });
    expect(await emails()).toEqual(['new@example.com']);
    expect(await importCsv('email\ngone@example.com', { shouldResubscribe: true })).toMatchObject({
      renewed: 1,
      left: 0,
    });
    expect(await emails()).toEqual(['new@example.com', 'gone@example.com']);
  });

  test('finds an unsubscribed person by each address, in two rows, and subscribes them once', async () => {
    await service.database.query(
      `insert into subscriber (page_id, email, phone_number, consent_source, created_at, updated_at, confirmed_at, unsubscribed_at)
       values ($1, 'gone@example.com', '+49301234567', 'page', now(), now(), now(), now())`,
      [page],
    );
    const outcome = await importCsv('email,phone_number\ngone@example.com,\n,+49301234567', {
      shouldResubscribe: true,
    });
    expect(outcome).toMatchObject({ renewed: 1, repeated: 1, problems: [] });
  });

  test.each([
    [
      'no text that could be one',
      'x',
      {},
      { csv: '`csv` needs a column "email" or "phone_number" in its first line, which has "x".' },
    ],
    [
      'no source of the consent',
      'email\na@example.com',
      { consentSource: ' ' },
      { consentSource: '`consentSource` must not be blank.' },
    ],
  ])('is refused with %s', async (_, csv, more, fields) => {
    expect(sentencesByField(await runImport(csv, more))).toEqual(fields);
  });

  test('requires a write token, and its export a read token', async () => {
    expect((await runImport('email\na@example.com', {}, service.tokens.read)).errors[0].extensions.code).toBe(
      'FORBIDDEN',
    );
    const ask = (token: string | null) =>
      service.graphql('query ($page: ID!) { page(id: $page) { subscribersCsv } }', { page }, { token });
    expect((await ask(service.tokens.read)).json.errors).toBeUndefined();
    expect((await ask(null)).json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  test('is classified without a lock, and one that changes nothing is not written', async () => {
    const csv = 'email\nanna@example.com\nben@example.com';
    const countLocks = async (more: object) => {
      const statements = await recordStatements(service.database, () => importCsv(csv, more));
      return statements.filter(text => text.includes('for no key update')).length;
    };
    expect(await countLocks({ dryRun: true })).toBe(0);
    expect(await countLocks({})).toBe(1);
    expect(await countLocks({})).toBe(0);
  });

  test('looks up each address in its index, whatever the statistics know of the page', async () => {
    const addSubscribers = (id: string, from: number, to: number) =>
      service.database.query(
        `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
         select $1, 'person' || n || '@example.com', 'interface', at, at, at
         from generate_series($2::int, $3::int) n, (select clock_timestamp() as at) at`,
        [id, from, to],
      );
    const findIndexes = async () => {
      const emails = Array.from({ length: 500 }, (_, index) => `person${index}@example.com`);
      const plan = await service.database.query<Record<string, string>>(`explain ${holdersSql}`, [
        page,
        emails,
        emails.map(() => '+49301234567'),
      ]);
      const lines = plan.flatMap(row => Object.values(row));
      return lines.flatMap(line => /Scan.* on subscriber\b|using subscriber_[ep]\w+/.exec(line)?.[0] ?? []);
    };
    const expected = ['using subscriber_email_unique', 'using subscriber_phone_unique'].map(index =>
      expect.stringContaining(index),
    );
    for (let other = 0; other < 5; other++)
      await addSubscribers((await createPage(service, { name: 'Small' })).id, other, other);
    await service.database.query('analyze subscriber');
    await addSubscribers(page, 1, 20_000);
    expect(await findIndexes()).toEqual(expected);
    await service.database.query('analyze subscriber');
    expect(await findIndexes()).toEqual(expected);
  });

  test('of many rows is imported in batches, in which others can write to the page', async () => {
    const rows = 3_000;
    const csv = `email\n${Array.from({ length: rows }, (_, index) => `person${index}@example.com`).join('\n')}`;
    let isImported = false;
    const importing = importCsv(csv).finally(() => {
      isImported = true;
    });
    const written: number[] = [];
    while (!isImported) {
      await service.post(`/v1/pages/${page}/components`, { name: 'Written meanwhile' });
      written.push(await countSubscribers());
    }
    expect(await importing).toMatchObject({ rows, added: rows });
    expect(await countSubscribers()).toBe(rows);
    // Some of the writes were between two batches.
    expect(written.filter(count => count > 0 && count < rows)).not.toEqual([]);
    expect(written.filter(count => count % 500)).toEqual([]);
    expect(await importCsv(csv)).toMatchObject({ rows, added: 0, existing: rows });
  });
});
